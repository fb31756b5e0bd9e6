import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  awsKeys,
  type EcrExpectation,
  containerService,
  ecrService,
  instanceMetadataService,
  stsService,
} from "../../../test/support/aws-services.ts";
import { imageAt, sampleAccount, useClouds } from "../../../test/support/cloud-case.ts";
import type { CloudService } from "../../../test/support/cloud-servers.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { tryParseEcrHost } from "./ecr-host.ts";

const registry = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
const role = "arn:aws:iam::123456789012:role/scanner";
const password = "ecr:password==";
const { sessionToken: _session, ...plainKeys } = awsKeys;
const keysEnvironment = {
  AWS_ACCESS_KEY_ID: awsKeys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: awsKeys.secretAccessKey,
  AWS_SESSION_TOKEN: awsKeys.sessionToken,
};

/** An ECR that answers something else. */
function malformed(answer: unknown): CloudService {
  return (request) => (request.host.startsWith("api.ecr.") ? { body: answer } : undefined);
}

describe("the host of a registry", () => {
  test.each([
    [registry, "eu-west-1", "amazonaws.com"],
    ["123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com", "us-gov-west-1", "amazonaws.com"],
    ["123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn", "cn-north-1", "amazonaws.com.cn"],
    ["public.ecr.aws", "us-east-1", "amazonaws.com"],
  ])("%s", (host, region, domain) => {
    expect(tryParseEcrHost(host)).toMatchObject({ region, domain });
  });

  test.each([
    "evil.example.com",
    `${registry}.evil.example.com`,
    `evil-${registry}`,
    `${registry}:8443`,
    "123456789012.dkr.ecr.eu-west-1.evil.com/amazonaws.com",
    "123456789012.dkr.ecr.evil.example.amazonaws.com",
    "12345.dkr.ecr.eu-west-1.amazonaws.com",
    "public.ecr.aws.example.com",
  ])("%s is none of AWS", (host) => {
    expect(tryParseEcrHost(host)).toBeUndefined();
  });
});

await describeWithTools(["openssl"], "AWS", ({ openssl }) => {
  const clouds = useClouds(openssl);
  let folder: TempDir;
  let tokenFile = "";

  beforeAll(async () => {
    folder = await createTempDir("aws");
    tokenFile = path.join(folder.path, "token");
    await writeFile(tokenFile, "web-identity-token\n");
  });

  afterAll(() => folder.remove());

  beforeEach(() => {
    clouds.nowMs = Date.parse("2026-08-01T00:00:00Z");
    clouds.logged.length = 0;
  });

  function ecr(changes: Partial<EcrExpectation> = {}): CloudService {
    return ecrService({
      host: "api.ecr.eu-west-1.amazonaws.com",
      region: "eu-west-1",
      password: () => password,
      nowMs: () => clouds.nowMs,
      ...changes,
    });
  }

  const metadataUrl = (): string => clouds.servers().metadata.url;
  const webIdentity = (): Record<string, string> => ({
    AWS_ROLE_ARN: role,
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
  });
  const sts = stsService("sts.eu-west-1.amazonaws.com", { role, token: "web-identity-token" });

  test.each<[string, () => Record<string, string>, readonly CloudService[]]>([
    ["the environment", () => keysEnvironment, [ecr()]],
    [
      "the environment without a session",
      () => ({ ...keysEnvironment, AWS_SESSION_TOKEN: "" }),
      [ecr({ keys: plainKeys })],
    ],
    ["web identity", webIdentity, [sts, ecr()]],
    [
      "EKS Pod Identity",
      () => ({
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${metadataUrl()}/v1/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
      }),
      [containerService("web-identity-token"), ecr()],
    ],
    [
      "a container's token in the environment",
      () => ({
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${metadataUrl()}/v1/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN: "container-token",
      }),
      [containerService("container-token"), ecr()],
    ],
    [
      "the machine",
      () => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadataUrl() }),
      [instanceMetadataService, ecr()],
    ],
  ])("credentials of %s", async (_name, environment, services) => {
    clouds.servers().serve(...services);
    const found = await clouds.find("aws", registry, { environment: environment() });
    expect(found).toEqual({ kind: "basic", username: "AWS", password });
    expect(clouds.servers().reached).toContain("api.ecr.eu-west-1.amazonaws.com:443");
    expect(clouds.logged.join("\n")).not.toMatch(/web-identity|session\/token|ecr:password|wJalr/u);
  });

  test.each<[string, string, Partial<EcrExpectation>]>([
    [
      "FIPS",
      "123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com",
      { host: "ecr-fips.us-gov-west-1.amazonaws.com", region: "us-gov-west-1" },
    ],
    [
      "China",
      "123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn",
      { host: "api.ecr.cn-north-1.amazonaws.com.cn", region: "cn-north-1" },
    ],
    [
      "the public registry",
      "public.ecr.aws",
      { host: "api.ecr-public.us-east-1.amazonaws.com", region: "us-east-1", service: "ecr-public" },
    ],
  ])("%s", async (_name, host, changes) => {
    clouds.servers().serve(ecr(changes));
    const found = await clouds.find("aws", host, { environment: keysEnvironment });
    expect(found).toMatchObject({ username: "AWS", password });
  });

  test("endpoints of the environment go before AWS's own", async () => {
    const { host } = clouds.servers().metadata;
    const localSts = stsService("metadata", { role, token: "web-identity-token" });
    clouds.servers().serve(
      (request) => (request.path === "/sts/" ? localSts(request) : undefined),
      (request) => (request.path === "/ecr" ? ecr({ host: "metadata" })(request) : undefined),
    );
    const environment = {
      ...webIdentity(),
      AWS_ENDPOINT_URL_STS: `http://${host}/sts/`,
      AWS_ENDPOINT_URL_ECR: `http://${host}/ecr`,
    };
    expect(await clouds.find("aws", registry, { environment })).toMatchObject({ password });
    expect(clouds.servers().reached).toEqual([]);
  });

  test("AWS_REGION says where STS is for the public registry", async () => {
    clouds
      .servers()
      .serve(
        stsService("sts.eu-central-1.amazonaws.com", { role, token: "web-identity-token" }),
        ecr({ host: "api.ecr-public.us-east-1.amazonaws.com", region: "us-east-1", service: "ecr-public" }),
      );
    const environment = { ...webIdentity(), AWS_REGION: "eu-central-1" };
    expect(await clouds.find("aws", "public.ecr.aws", { environment })).toMatchObject({ password });
  });

  test("a ServiceAccount has its own role", async () => {
    const token = "token-of-robot-for-sts.amazonaws.com";
    clouds.servers().serve(stsService("sts.eu-west-1.amazonaws.com", { role, token }), ecr());
    const use = { account: sampleAccount({ "eks.amazonaws.com/role-arn": role }) };
    expect(await clouds.find("aws", registry, { environment: keysEnvironment, use })).toMatchObject({
      password,
    });
    expect(new URLSearchParams(clouds.servers().seen[0]?.body).get("RoleSessionName")).toBe(
      "robot.team.eu-west-1.fluxcd.io",
    );
  });

  test("one password for all registries of a region, until it ends", async () => {
    let count = 0;
    clouds.servers().serve(ecr({ password: () => `p${(count += 1)}` }));
    const keychain = clouds.tokens(keysEnvironment).keychain("aws", {});
    const passwords = async (): Promise<unknown[]> =>
      Promise.all(
        [registry, registry.replace("1234", "4321")].map(async (host) => {
          const found = await keychain.find(imageAt(host));
          return found?.kind === "basic" && found.password;
        }),
      );
    expect(await passwords()).toEqual(["p1", "p1"]);
    clouds.nowMs += (12 * 60 - 6) * 60_000;
    expect(await passwords()).toEqual(["p1", "p1"]);
    clouds.nowMs += 60_000;
    expect(await passwords()).toEqual(["p2", "p2"]);
  });

  test("identities and proxies do not share passwords", async () => {
    let count = 0;
    const token = "token-of-robot-for-sts.amazonaws.com";
    clouds
      .servers()
      .serve(
        stsService("sts.eu-west-1.amazonaws.com", { role, token }),
        ecr({ password: () => `p${(count += 1)}` }),
      );
    const tokens = clouds.tokens(keysEnvironment);
    const account = sampleAccount({ "eks.amazonaws.com/role-arn": role });
    const proxy = { address: clouds.servers().proxyUrl };
    const found = [];
    for (const use of [{}, { account }, { proxy }, { account, proxy }, {}]) {
      found.push(await tokens.keychain("aws", use).find(imageAt(registry)));
    }
    expect(found).toMatchObject(["p1", "p2", "p3", "p4", "p1"].map((each) => ({ password: each })));
  });

  test("nothing is asked for another host", async () => {
    clouds.servers().serve(ecr());
    const environment = keysEnvironment;
    const failure = await failureFrom(clouds.find("aws", "evil.example.com", { environment }));
    expect(failure).toMatchObject({ code: "config-invalid" });
    expect(failure.message).toBe("evil.example.com is no registry of the provider aws");
    expect(clouds.servers().seen).toEqual([]);
  });

  test.each<[string, () => Record<string, string>, readonly CloudService[], RegExp]>([
    [
      "STS refuses",
      () => ({ ...webIdentity(), AWS_ROLE_ARN: `${role}2` }),
      [sts],
      /^STS refused: sts\.eu-west-1\.amazonaws\.com answered 403 AccessDenied: Not authorized.*\[redacted\]$/u,
    ],
    [
      "ECR refuses",
      () => ({ ...keysEnvironment, AWS_SECRET_ACCESS_KEY: "another" }),
      [ecr()],
      /^ECR refused: api\.ecr\.eu-west-1\.amazonaws\.com answered 400 InvalidSignatureException/u,
    ],
    [
      "the container's service refuses",
      () => ({
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${metadataUrl()}/v1/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
      }),
      [containerService("another")],
      /^the container's credentials service refused: .* answered 403 no: \[redacted\]$/u,
    ],
    [
      "a container's address elsewhere",
      () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://evil.example.com/" }),
      [],
      /neither https nor on this machine/u,
    ],
    [
      "no role",
      () => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadataUrl() }),
      [({ path: asked }) => (asked.endsWith("/token") ? { body: "t" } : { body: "../../x" })],
      /^the instance metadata service answered without a role$/u,
    ],
    ["nothing at all", () => ({ AWS_EC2_METADATA_DISABLED: "true" }), [], /no credentials of AWS/u],
    [
      "no such file",
      () => ({ ...webIdentity(), AWS_WEB_IDENTITY_TOKEN_FILE: "/nowhere/token" }),
      [],
      /^the file of AWS_WEB_IDENTITY_TOKEN_FILE cannot be read/u,
    ],
    ["no ARN", () => ({ ...webIdentity(), AWS_ROLE_ARN: "x" }), [], /^AWS_ROLE_ARN is no ARN/u],
    ["no endpoint", () => ({ ...keysEnvironment, AWS_ENDPOINT_URL_ECR: "ftp://x" }), [], /no URL of http/u],
    ["no JSON", () => keysEnvironment, [malformed("<html>")], /^ECR answered without a JSON object$/u],
    [
      "no data",
      () => keysEnvironment,
      [malformed({})],
      /^ECR answered without a usable authorizationToken$/u,
    ],
    [
      "no password",
      () => keysEnvironment,
      [malformed({ authorizationData: [{ authorizationToken: "QVdT", expiresAt: 1 }] })],
      /^ECR answered without a user and a password$/u,
    ],
    [
      "no expiry",
      () => keysEnvironment,
      [malformed({ authorizationData: [{ authorizationToken: "QVdTOng=" }] })],
      /^ECR answered without a usable time of expiry$/u,
    ],
    [
      "no end",
      () => keysEnvironment,
      [malformed("x".repeat(300_000))],
      /^ECR: .* sends more than 262144 bytes$/u,
    ],
    [
      "no XML",
      webIdentity,
      [({ host }) => (host.startsWith("sts.") ? { body: "<AccessKeyId>a<b</AccessKeyId>" } : undefined)],
      /^STS answered without a usable AccessKeyId$/u,
    ],
    [
      "a redirect",
      () => keysEnvironment,
      [() => ({ status: 307, headers: { location: "https://evil.example.com/" } })],
      /^ECR refused: .* answered 307$/u,
    ],
    ["an outage", () => keysEnvironment, [() => ({ status: 503 })], /^ECR cannot answer now: .* 503$/u],
  ])("%s", async (_name, environment, services, message) => {
    clouds.servers().serve(...services);
    const failure = await failureFrom(clouds.find("aws", registry, { environment: environment() }));
    expect(failure.message).toMatch(message);
    const told = `${failure.message}${failure.stack}${clouds.logged.join("\n")}`;
    expect(told).not.toMatch(/web-identity-token|session\/token|wJalr/u);
    expect(clouds.servers().reached).not.toContain("evil.example.com:443");
  });

  test("silence ends in time, and the next who asks begins anew", async () => {
    clouds.servers().serve((request) => (request.host.startsWith("api.ecr.") ? "silence" : undefined));
    const tokens = clouds.tokens(keysEnvironment, { timeoutMs: 300 });
    const find = (): Promise<unknown> => tokens.keychain("aws", {}).find(imageAt(registry));
    const failures = await Promise.all([failureFrom(find()), failureFrom(find())]);
    expect(failures).toMatchObject([{ code: "timeout" }, { code: "timeout" }]);
    expect(failures[0]?.message).toBe(`asking for credentials of ${registry} took longer than 0.3 s`);
    clouds.servers().serve(ecr());
    expect(await find()).toMatchObject({ password });
  });
});
