import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { entraService, githubService } from "../../../test/support/cloud-identities.ts";
import { useClouds } from "../../../test/support/cloud-case.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";
import type { PlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import type { GitRepositorySpec } from "../objects/git-repository.ts";
import { type GitAccess, readGitAccess } from "./git-access.ts";
import { withProviderToken } from "./provider-access.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const app = {
  githubAppID: "17",
  githubAppInstallationOwner: "Org",
  githubAppPrivateKey: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
};
const scope = "499b84ac-1321-427f-aa17-267ca6975798/.default";

await describeWithTools(["openssl"], "a GitRepository with a provider", ({ openssl }) => {
  const clouds = useClouds(openssl);
  let count = 0;

  beforeEach(() => {
    clouds.nowMs = Date.parse("2026-08-01T00:00:00Z");
    clouds.logged.length = 0;
    count = 0;
  });

  const github = (host: string, base = ""): ReturnType<typeof githubService> =>
    githubService({
      host,
      base,
      appId: "17",
      key: publicKey,
      owner: "org",
      token: () => `ghs_installation${(count += 1)}`,
      expiresAt: () => new Date(clouds.nowMs + 3_600_000).toISOString(),
    });

  interface Given {
    readonly tokens?: PlatformTokens;
    readonly secret?: Readonly<Record<string, string>>;
    readonly spec?: Partial<GitRepositorySpec>;
  }

  async function access(
    url: string,
    { tokens = clouds.tokens(), secret, spec = {} }: Given,
  ): Promise<GitAccess> {
    const secrets = new Map<string, Secret>();
    const add = (name: string, texts: Readonly<Record<string, string>>): void => {
      const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text)]));
      secrets.set(`ns/${name}`, { kind: "Secret", meta: metaOf(name), type: "Opaque", data });
    };
    if (secret !== undefined) add("git", { "ca.crt": clouds.servers().ca, ...secret });
    add("proxy", { address: clouds.servers().proxyUrl });
    const annotations = {
      "azure.workload.identity/client-id": "own-client",
      "azure.workload.identity/tenant-id": "own-tenant",
    };
    const account: ServiceAccount = {
      kind: "ServiceAccount",
      meta: { ...metaOf("robot"), annotations },
      imagePullSecrets: [],
    };
    const repository = {
      kind: "GitRepository" as const,
      meta: metaOf("r"),
      spec: {
        url,
        timeoutMs: 1000,
        provider: "github" as const,
        ...(secret === undefined ? {} : { secretRef: { name: "git" } }),
        ...spec,
      },
    };
    return withProviderToken(readGitAccess(repository, secrets), repository, {
      objects: { secrets, serviceAccounts: new Map([["ns/robot", account]]) },
      tokens,
      serviceAccountToken: (namespace, name, audiences) =>
        Promise.resolve(`token of ${namespace}/${name} for ${audiences.join()}`),
    });
  }

  test.each<[string, string, string, string, object]>([
    ["GitHub", "https://github.com/org/repo", "api.github.com", "", {}],
    ["an own host", "https://git.example.com/org/repo.git", "git.example.com", "/api/v3", {}],
    [
      "a base of its own",
      "https://git.example.com/org/repo.git",
      "github-api.example.com",
      "/api/v3",
      { githubAppBaseURL: "https://github-api.example.com/" },
    ],
  ])("the token of an App at %s", async (_name, url, host, base, more) => {
    clouds.servers().serve(github(host, base));
    const tokens = clouds.tokens();
    const given = { tokens, secret: { ...app, ...more } };
    const expected = { username: "x-access-token", password: "ghs_installation1" };
    expect((await access(url, given)).basic).toEqual(expected);
    clouds.nowMs += 54 * 60_000;
    expect((await access(url, given)).basic).toEqual(expected);
    clouds.nowMs += 60_000;
    expect((await access(url, given)).basic?.password).toBe("ghs_installation2");
    expect(clouds.logged.join("\n")).not.toMatch(/ghs_|eyJ/u);
  });

  test("the object's proxy is used for the token, too", async () => {
    clouds.servers().serve(github("api.github.com"));
    const tokens = clouds.tokens({ HTTPS_PROXY: "http://127.0.0.1:9" });
    const given = { tokens, secret: app, spec: { proxySecretRef: { name: "proxy" } } };
    const found = await access("https://github.com/org/repo", given);
    expect(found.basic?.password).toBe("ghs_installation1");
    expect(clouds.servers().reached).toContain("api.github.com:443");
  });

  test("Azure DevOps by workload identity", () =>
    withTempDir(async (folder) => {
      const file = path.join(folder, "token");
      await writeFile(file, "assertion");
      const host = "login.microsoftonline.com";
      const shared = { host, scope, token: () => "devops-token" };
      clouds.servers().serve(entraService({ ...shared, tenant: "t", client: "c", assertion: "assertion" }));
      const tokens = clouds.tokens({
        AZURE_FEDERATED_TOKEN_FILE: file,
        AZURE_TENANT_ID: "t",
        AZURE_CLIENT_ID: "c",
      });
      const url = "https://dev.azure.com/org/project/_git/repo";
      const spec = { provider: "azure" as const };
      expect(await access(url, { tokens, spec })).toMatchObject({ url, bearerToken: "devops-token" });
      clouds.servers().serve(
        entraService({
          ...shared,
          tenant: "own-tenant",
          client: "own-client",
          assertion: "token of ns/robot for api://AzureADTokenExchange",
          token: () => "robots-token",
        }),
      );
      const own = await access(url, { tokens, spec: { ...spec, serviceAccountName: "robot" } });
      expect(own.bearerToken).toBe("robots-token");
    }));

  test.each<[string, string, Given, string, RegExp]>([
    ["no Secret", "https://github.com/o/r", {}, "config-invalid", /wants a Secret with a GitHub App$/u],
    [
      "no App",
      "https://github.com/o/r",
      { secret: {} },
      "credentials-invalid",
      /ns\/git describes no GitHub App$/u,
    ],
    [
      "no key",
      "https://github.com/o/r",
      { secret: { ...app, githubAppPrivateKey: "private-text" } },
      "credentials-invalid",
      /^the githubAppPrivateKey of the Secret cannot be used$/u,
    ],
    [
      "another App",
      "https://github.com/o/r",
      { secret: { ...app, githubAppID: "18" } },
      "credentials-invalid",
      /^GitHub refused: api\.github\.com answered 401 A JSON web token could not be decoded: \[redacted\]$/u,
    ],
    [
      "no installation",
      "https://github.com/o/r",
      { secret: { ...app, githubAppInstallationOwner: "nobody" } },
      "credentials-invalid",
      /is not installed for the owner/u,
    ],
    [
      "another host for Azure's tokens",
      "https://evil.example.com/org/project/_git/repo",
      { spec: { provider: "azure" } },
      "config-invalid",
      /evil\.example\.com is no host of Azure DevOps/u,
    ],
    [
      "no ServiceAccount",
      "https://dev.azure.com/o/p/_git/r",
      { spec: { provider: "azure", serviceAccountName: "nobody" } },
      "object-missing",
      /^there is no ServiceAccount ns\/nobody$/u,
    ],
  ])("%s is refused", async (_name, url, given, code, message) => {
    clouds.servers().serve(github("api.github.com"));
    const failure = await failureFrom(access(url, given));
    expect(failure.message).toMatch(message);
    expect(failure.code).toBe(code);
    expect(`${failure.message}${clouds.logged.join("\n")}`).not.toMatch(/private-text|eyJ|ghs_/u);
    expect(clouds.servers().reached).not.toContain("evil.example.com:443");
  });

  test("an App's base is no way to the machine's metadata", async () => {
    const environment = { HTTPS_PROXY: "", HTTP_PROXY: "" };
    const tokens = clouds.tokens(environment, { guard: createAddressGuard() });
    for (const base of ["http://169.254.169.254/", clouds.servers().metadata.url]) {
      const secret = { ...app, githubAppBaseURL: base };
      const failure = await failureFrom(access("https://github.com/o/r", { tokens, secret }));
      expect(failure.code).toBe("address-refused");
    }
  });
});

function metaOf(name: string): ServiceAccount["meta"] {
  return { namespace: "ns", name, labels: {}, annotations: {}, generation: 1, where: {} };
}
