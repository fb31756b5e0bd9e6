import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  acrService,
  entraService,
  managedIdentityService,
  unsignedToken,
} from "../../../test/support/cloud-identities.ts";
import { imageAt, sampleAccount, useClouds } from "../../../test/support/cloud-case.ts";
import type { CloudService } from "../../../test/support/cloud-servers.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { isAcrHost } from "./azure.ts";

const registry = "team.azurecr.io";
const scope = "https://management.azure.com/.default";
const assertion = "federated-assertion";
const tenant = "11111111-2222-3333-4444-555555555555";
const client = "66666666-7777-8888-9999-000000000000";
const startMs = Date.parse("2026-08-01T00:00:00Z");

function entra(changes: Partial<Parameters<typeof entraService>[0]> = {}): CloudService {
  const host = "login.microsoftonline.com";
  return entraService({ host, tenant, client, scope, assertion, token: () => "entra-token", ...changes });
}

describe("the host of a registry", () => {
  test.each([
    [registry, true],
    ["team-a1b2.azurecr.io", true],
    ["team.azurecr.cn", true],
    ["team.azurecr.us", true],
    ["azurecr.io", false],
    ["evil.example.com", false],
    ["team.azurecr.io.example.com", false],
    ["team.azurecr.io:8443", false],
    ["evil.example.com.azurecr.com", false],
    ["team.notazurecr.io", false],
  ])("%s", (host, expected) => {
    expect(isAcrHost(host)).toBe(expected);
  });
});

await describeWithTools(["openssl"], "Azure", ({ openssl }) => {
  const clouds = useClouds(openssl);
  let folder: TempDir;
  let workload: Record<string, string> = {};

  beforeAll(async () => {
    folder = await createTempDir("azure");
    const file = path.join(folder.path, "token");
    await writeFile(file, `${assertion}\n`);
    workload = { AZURE_FEDERATED_TOKEN_FILE: file, AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client };
  });

  afterAll(() => folder.remove());

  beforeEach(() => {
    clouds.nowMs = startMs;
    clouds.logged.length = 0;
  });

  const refreshToken = (): string => unsignedToken({ exp: clouds.nowMs / 1000 + 3 * 3600 });
  const acr = (host: string = registry, token = "entra-token"): CloudService =>
    acrService(host, () => token, refreshToken);
  const local = (): Record<string, string> => ({
    AZURE_POD_IDENTITY_AUTHORITY_HOST: clouds.servers().metadata.url,
  });
  const resource = "https://management.azure.com";

  test.each<[string, string, () => Record<string, string>, () => readonly CloudService[]]>([
    ["workload identity", registry, () => workload, () => [entra(), acr()]],
    [
      "workload identity in China",
      "team.azurecr.cn",
      () => workload,
      () => [
        entra({ host: "login.chinacloudapi.cn", scope: "https://management.chinacloudapi.cn/.default" }),
        acr("team.azurecr.cn"),
      ],
    ],
    [
      "workload identity with its authority",
      "team.azurecr.us",
      () => ({ ...workload, AZURE_AUTHORITY_HOST: "https://login.microsoftonline.us/" }),
      () => [
        entra({ host: "login.microsoftonline.us", scope: "https://management.usgovcloudapi.net/.default" }),
        acr("team.azurecr.us"),
      ],
    ],
    [
      "the machine",
      registry,
      local,
      () => [managedIdentityService(resource, "machine-token"), acr(registry, "machine-token")],
    ],
    [
      "one of the machine's identities",
      registry,
      () => ({ ...local(), AZURE_CLIENT_ID: client }),
      () => [managedIdentityService(resource, "machine-token", client), acr(registry, "machine-token")],
    ],
    [
      "a service of apps",
      registry,
      () => ({ IDENTITY_ENDPOINT: `${clouds.servers().metadata.url}/msi/token`, IDENTITY_HEADER: "proof" }),
      () => [
        ({ path: asked, headers }) =>
          asked === `/msi/token?api-version=2019-08-01&resource=${encodeURIComponent(resource)}` &&
          headers["x-identity-header"] === "proof"
            ? { body: { access_token: "app-token", expires_on: "1785546000" } }
            : undefined,
        acr(registry, "app-token"),
      ],
    ],
  ])("credentials by %s", async (_name, host, environment, services) => {
    clouds.servers().serve(...services());
    const found = await clouds.find("azure", host, { environment: environment() });
    expect(found).toEqual({ kind: "identity-token", token: refreshToken() });
    expect(clouds.logged.join("\n")).not.toMatch(/federated-assertion|-token|eyJ/u);
  });

  test("a ServiceAccount is a client of its own", async () => {
    const own = "token-of-robot-for-api://AzureADTokenExchange";
    clouds.servers().serve(entra({ assertion: own, client: "own-client", tenant: "own-tenant" }), acr());
    const account = sampleAccount({
      "azure.workload.identity/client-id": "own-client",
      "azure.workload.identity/tenant-id": "own-tenant",
    });
    const found = await clouds.find("azure", registry, { environment: workload, use: { account } });
    expect(found).toMatchObject({ kind: "identity-token" });
  });

  test("a token is kept until shortly before the registry's ends", async () => {
    clouds.servers().serve(entra(), acr());
    const keychain = clouds.tokens(workload).keychain("azure", {});
    const asked = async (): Promise<number> => {
      await keychain.find(imageAt(registry));
      return clouds.servers().seen.length;
    };
    expect(await asked()).toBe(2);
    clouds.nowMs += (3 * 60 - 6) * 60_000;
    expect(await asked()).toBe(2);
    clouds.nowMs += 60_000;
    expect(await asked()).toBe(4);
  });

  test("a token for a scope", async () => {
    const devops = "499b84ac-1321-427f-aa17-267ca6975798/.default";
    clouds.servers().serve(entra({ scope: devops }));
    const tokens = clouds.tokens(workload);
    expect(await tokens.azureToken(devops, {})).toBe("entra-token");
    expect(await tokens.azureToken(devops, {})).toBe("entra-token");
    expect(clouds.servers().seen).toHaveLength(1);
  });

  test.each<[string, () => Record<string, string>, () => readonly CloudService[], RegExp]>([
    [
      "Entra ID refuses",
      () => workload,
      () => [entra({ assertion: "another" })],
      /^Entra ID refused: login\.microsoftonline\.com answered 401 invalid_client: AADSTS70021: no match for \[redacted\]$/u,
    ],
    [
      "the registry refuses",
      () => workload,
      () => [entra(), acr(registry, "another")],
      /^the registry's token exchange refused: team\.azurecr\.io answered 401 .*\[redacted\]/u,
    ],
    [
      "no identity",
      local,
      () => [managedIdentityService("x", "t")],
      /^the managed identity service refused: .* answered 400 invalid_request: Identity not found$/u,
    ],
    ["no tenant", () => ({ ...workload, AZURE_TENANT_ID: "" }), () => [], /^AZURE_TENANT_ID is missing$/u],
    ["a path", () => ({ ...workload, AZURE_TENANT_ID: "a/../b" }), () => [], /^AZURE_TENANT_ID is no ID$/u],
    [
      "no lifetime",
      () => workload,
      () => [({ host }) => (host.startsWith("login.") ? { body: { access_token: "t" } } : undefined)],
      /^Entra ID answered without a usable expires_in$/u,
    ],
    [
      "a token with a line in it",
      () => workload,
      () => [() => ({ body: { access_token: "t\r\nx: y", expires_in: 5 } })],
      /^Entra ID answered without a usable access_token$/u,
    ],
    [
      "a refresh token that is none",
      () => workload,
      () => [
        entra(),
        ({ path: asked }) => (asked === "/oauth2/exchange" ? { body: { refresh_token: "x" } } : undefined),
      ],
      /^the registry's token exchange answered without a usable time of expiry$/u,
    ],
    [
      "a page",
      () => workload,
      () => [() => ({ body: "<html>" })],
      /^Entra ID answered without a JSON object$/u,
    ],
  ])("%s", async (_name, environment, services, message) => {
    clouds.servers().serve(...services());
    const failure = await failureFrom(clouds.find("azure", registry, { environment: environment() }));
    expect(failure.message).toMatch(message);
    expect(`${failure.message}${failure.stack}${clouds.logged.join("\n")}`).not.toMatch(
      /federated-assertion|entra-token|eyJ/u,
    );
  });

  test("nothing is asked for another host", async () => {
    clouds.servers().serve(entra());
    const failure = await failureFrom(clouds.find("azure", "evil.example.com", { environment: workload }));
    expect(failure.message).toBe("evil.example.com is no registry of the provider azure");
    expect(clouds.servers().seen).toEqual([]);
  });

  test("a ServiceAccount without its annotations is refused", async () => {
    const use = { account: sampleAccount({}) };
    const failure = await failureFrom(clouds.find("azure", registry, { environment: workload, use }));
    expect(failure.message).toBe("the annotation azure.workload.identity/tenant-id is missing");
  });
});
