import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  assertionService,
  googleMetadataService,
  googleStsService,
  impersonationService,
} from "../../../test/support/cloud-identities.ts";
import { imageAt, sampleAccount, useClouds } from "../../../test/support/cloud-case.ts";
import type { CloudService } from "../../../test/support/cloud-servers.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { isGcpHost } from "./gcp.ts";

const registry = "europe-west1-docker.pkg.dev";
const email = "scanner@project-1.iam.gserviceaccount.com";
const provider = "projects/123/locations/global/workloadIdentityPools/pool/providers/cluster";
const audience = `//iam.googleapis.com/${provider}`;
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const machineToken = "instance/service-accounts/default/token";

describe("the host of a registry", () => {
  test.each([
    ["gcr.io", true],
    ["eu.gcr.io", true],
    [registry, true],
    ["evil.example.com", false],
    ["gcr.io.example.com", false],
    ["evilgcr.io", false],
    ["gcr.io:8443", false],
    ["docker.pkg.dev", false],
    ["x-docker.pkg.dev.example.com", false],
  ])("%s", (host, expected) => {
    expect(isGcpHost(host)).toBe(expected);
  });
});

await describeWithTools(["openssl"], "Google Cloud", ({ openssl }) => {
  const clouds = useClouds(openssl);
  let folder: TempDir;
  let count = 0;

  beforeAll(async () => {
    folder = await createTempDir("gcp");
    await writeFile(path.join(folder.path, "subject"), "subject-token\n");
    await writeFile(path.join(folder.path, "subject.json"), '{"id_token":"subject-token"}');
  });

  afterAll(() => folder.remove());

  beforeEach(() => {
    clouds.nowMs = Date.parse("2026-08-01T00:00:00Z");
    clouds.logged.length = 0;
  });

  async function keyFile(content: unknown): Promise<Record<string, string>> {
    const file = path.join(folder.path, `key${(count += 1)}.json`);
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return { GOOGLE_APPLICATION_CREDENTIALS: file };
  }

  const local = (): Record<string, string> => ({ GCE_METADATA_HOST: clouds.servers().metadata.host });
  const machine = googleMetadataService({
    [machineToken]: { access_token: "machine-token", expires_in: 3600 },
  });
  const serviceAccount = {
    type: "service_account",
    client_email: email,
    private_key_id: "key-1",
    private_key: privatePem,
    token_uri: "https://oauth2.googleapis.com/token",
  };
  const external = (): Record<string, unknown> => ({
    type: "external_account",
    audience,
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: "https://sts.googleapis.com/v1/token",
    credential_source: { file: path.join(folder.path, "subject") },
  });
  const impersonated = (): Record<string, unknown> => ({
    ...external(),
    service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
  });
  const sts = googleStsService({ audience, subject: "subject-token", token: "pool-token" });

  test.each<[string, () => object | Promise<object>, readonly CloudService[], string]>([
    ["the machine", local, [machine], "machine-token"],
    [
      "the key of a service account",
      () => keyFile(serviceAccount),
      [assertionService(email, publicKey, "key-token")],
      "key-token",
    ],
    ["a pool", () => keyFile(external()), [sts], "pool-token"],
    [
      "a pool, from JSON",
      () => {
        const format = { type: "json", subject_token_field_name: "id_token" };
        const file = path.join(folder.path, "subject.json");
        return keyFile({ ...external(), credential_source: { file, format } });
      },
      [sts],
      "pool-token",
    ],
    [
      "a service account of a pool",
      () => keyFile(impersonated()),
      [sts, impersonationService(email, "pool-token", "account-token")],
      "account-token",
    ],
  ])("credentials of %s", async (_name, environment, services, password) => {
    clouds.servers().serve(...services);
    const found = await clouds.find("gcp", registry, { environment: { ...(await environment()) } });
    expect(found).toEqual({ kind: "basic", username: "oauth2accesstoken", password });
    expect(clouds.logged.join("\n")).not.toMatch(/-token/u);
  });

  test.each<[string, Readonly<Record<string, string>>, readonly CloudService[], string]>([
    [
      "of a pool",
      { "gcp.auth.fluxcd.io/workload-identity-provider": provider },
      [googleStsService({ audience, subject: `token-of-robot-for-${audience}`, token: "pool-token" })],
      "pool-token",
    ],
    [
      "of the cluster, for a service account",
      { "iam.gke.io/gcp-service-account": email },
      [
        googleMetadataService({
          "project/project-id": "project-1",
          "instance/attributes/cluster-location": "europe-west1",
          "instance/attributes/cluster-name": "prod\n",
        }),
        googleStsService({
          audience:
            "identitynamespace:project-1.svc.id.goog:https://container.googleapis.com/v1/projects/project-1/locations/europe-west1/clusters/prod",
          subject: "token-of-robot-for-project-1.svc.id.goog",
          token: "pool-token",
        }),
        impersonationService(email, "pool-token", "account-token"),
      ],
      "account-token",
    ],
  ])("a ServiceAccount %s", async (_name, annotations, services, expected) => {
    clouds.servers().serve(...services);
    const use = { account: sampleAccount(annotations) };
    expect(await clouds.tokens(local()).gcpToken(use)).toBe(expected);
  });

  test("one token for all registries, until it ends", async () => {
    let made = 0;
    clouds
      .servers()
      .serve((request) =>
        request.path.endsWith(machineToken)
          ? { body: { access_token: `t${(made += 1)}`, expires_in: 3600 } }
          : undefined,
      );
    const keychain = clouds.tokens(local()).keychain("gcp", {});
    const passwords = async (): Promise<unknown[]> =>
      Promise.all(
        [registry, "gcr.io"].map(async (host) => {
          const found = await keychain.find(imageAt(host));
          return found?.kind === "basic" && found.password;
        }),
      );
    expect(await passwords()).toEqual(["t1", "t1"]);
    clouds.nowMs += 54 * 60_000;
    expect(await passwords()).toEqual(["t1", "t1"]);
    clouds.nowMs += 60_000;
    expect(await passwords()).toEqual(["t2", "t2"]);
  });

  test.each<[string, () => object | Promise<object>, readonly CloudService[], RegExp]>([
    ["no identity", local, [], /^the metadata server refused: .* answered 404/u],
    [
      "a refusal",
      () => keyFile(external()),
      [googleStsService({ audience, subject: "x", token: "y" })],
      /^Google's security token service refused: sts\.googleapis\.com answered 400 invalid_grant: bad \[redacted\]$/u,
    ],
    [
      "a service account that is not to be had",
      () => keyFile(impersonated()),
      [sts, impersonationService(email, "other", "x")],
      /^the impersonation of a service account refused: .* 403 PERMISSION_DENIED$/u,
    ],
    ["no JSON", () => keyFile("private"), [], /holds no JSON object$/u],
    ["another kind", () => keyFile({ type: "authorized_user" }), [], /neither a service account nor/u],
    [
      "no key",
      () => keyFile({ ...serviceAccount, private_key: "private" }),
      [],
      /^the private key in the file of GOOGLE_APPLICATION_CREDENTIALS cannot be used$/u,
    ],
    [
      "another host for a key",
      () => keyFile({ ...serviceAccount, token_uri: "https://evil.example.com/token" }),
      [],
      /^the token_uri .* is no address of Google$/u,
    ],
    [
      "another host for a pool",
      () => keyFile({ ...external(), token_url: "https://sts.googleapis.com.example.com/" }),
      [],
      /^the token_url .* is no address of Google$/u,
    ],
    [
      "another host for a service account",
      () => keyFile({ ...external(), service_account_impersonation_url: "http://iam.googleapis.com/" }),
      [],
      /no address of Google$/u,
    ],
    [
      "a program",
      () => keyFile({ ...external(), credential_source: { executable: {} } }),
      [],
      /from no file$/u,
    ],
    ["no host", () => ({ GCE_METADATA_HOST: "evil/x?" }), [], /^GCE_METADATA_HOST is no host$/u],
  ])("%s", async (_name, environment, services, message) => {
    clouds.servers().serve(...services);
    const failure = await failureFrom(
      clouds.find("gcp", registry, { environment: { ...(await environment()) } }),
    );
    expect(failure.message).toMatch(message);
    expect(`${failure.message}${failure.stack}${clouds.logged.join("\n")}`).not.toMatch(
      /subject-token|pool-token|BEGIN/u,
    );
    expect(clouds.servers().reached).not.toContain("evil.example.com:443");
  });

  test.each([
    ["gcp.auth.fluxcd.io/workload-identity-provider", "projects/x"],
    ["iam.gke.io/gcp-service-account", "me@example.com/x"],
  ])("a wrong annotation %s", async (key, value) => {
    const failure = await failureFrom(clouds.tokens().gcpToken({ account: sampleAccount({ [key]: value }) }));
    expect(failure.message).toBe(`the annotation ${key} of the ServiceAccount has a wrong form`);
  });
});
