import { expect, test } from "vitest";
import { awsKeys, ecrService, stsService } from "../../../test/support/aws-services.ts";
import { imageAt, useClouds } from "../../../test/support/cloud-case.ts";
import { googleMetadataService } from "../../../test/support/cloud-identities.ts";
import type { CloudService } from "../../../test/support/cloud-servers.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";
import type { ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import type { ImageRepository, ImageRepositorySpec } from "../objects/image-repository.ts";
import { createRegistryClients, type RegistryClientsOptions } from "./registry-clients.ts";

const ecr = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
const role = "arn:aws:iam::123456789012:role/scanner";
const keys = {
  AWS_ACCESS_KEY_ID: awsKeys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: awsKeys.secretAccessKey,
  AWS_SESSION_TOKEN: awsKeys.sessionToken,
};

const serviceAccountToken: ServiceAccountToken = (namespace, name, audiences) =>
  Promise.resolve(`token of ${namespace}/${name} for ${audiences.join()}`);

/** A registry with one tag, for who has this password. */
function gate(host: string, user: string, password: string): CloudService {
  return (request) => {
    if (request.host !== host) return undefined;
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    return request.headers["authorization"] === expected
      ? { body: { name: "team/app", tags: ["1.0.0"] } }
      : { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } };
  };
}

await describeWithTools(["openssl"], "an ImageRepository with a provider", ({ openssl }) => {
  const clouds = useClouds(openssl);

  interface Given {
    readonly spec?: Partial<ImageRepositorySpec>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly options?: Partial<RegistryClientsOptions>;
  }

  /** The tags of a repository that is reached by its own proxy and authority. */
  function tags(host: string, { spec = {}, environment = keys, options }: Given): Promise<readonly string[]> {
    const image = imageAt(host);
    const repository: ImageRepository = {
      kind: "ImageRepository",
      meta: metaOf("app"),
      spec: {
        image: `${host}/${image.path}`,
        intervalMs: 60_000,
        timeoutMs: 10_000,
        suspend: false,
        insecure: false,
        exclusionList: [],
        provider: "aws",
        proxySecretRef: { name: "proxy" },
        certSecretRef: { name: "authority" },
        ...spec,
      },
    };
    const account: ServiceAccount = {
      kind: "ServiceAccount",
      meta: { ...metaOf("robot"), annotations: { "eks.amazonaws.com/role-arn": role } },
      imagePullSecrets: [],
    };
    const secrets = [
      secretOf("proxy", { address: clouds.servers().proxyUrl }),
      secretOf("authority", { "ca.crt": clouds.servers().ca }),
    ];
    const connect = createRegistryClients({
      objects: {
        secrets: new Map(secrets.map((secret) => [`ns/${secret.meta.name}`, secret])),
        serviceAccounts: new Map([["ns/robot", account]]),
      },
      tokens: clouds.tokens({ ...environment, HTTPS_PROXY: "http://127.0.0.1:9" }),
      inherited: {},
      ...options,
    });
    return connect(repository).listTags(image);
  }

  const passwords = ecrService({
    host: "api.ecr.eu-west-1.amazonaws.com",
    region: "eu-west-1",
    password: () => "ecr-password",
    nowMs: () => clouds.nowMs,
  });

  test("takes its proxy for the token as well, and its authority for the registry alone", async () => {
    clouds.servers().serve(passwords, gate(ecr, "AWS", "ecr-password"));
    expect(await tags(ecr, { spec: { insecure: true } })).toEqual(["1.0.0"]);
    expect(new Set(clouds.servers().reached)).toEqual(
      new Set([`${ecr}:443`, "api.ecr.eu-west-1.amazonaws.com:443"]),
    );
    // Whoever writes the object must not be able to read the exchange of this process's identity.
    const tokens = clouds.tokens(keys, { ca: undefined });
    const failure = await failureFrom(tags(ecr, { options: { tokens } }));
    expect(failure.message).toMatch(/^ECR: cannot reach api\.ecr\.eu-west-1\.amazonaws\.com: .*certificate/u);
  });

  test("is not let off the check of certificates by insecure", async () => {
    clouds.servers().serve(passwords, gate(ecr, "AWS", "ecr-password"));
    const spec = { insecure: true, certSecretRef: { name: "proxy" } };
    const failure = await failureFrom(tags(ecr, { spec }));
    expect(failure.message).toContain("certificate");
    expect(clouds.servers().seen.filter(({ host }) => host === ecr)).toEqual([]);
  });

  test("takes the identity of its ServiceAccount", async () => {
    const token = "token of ns/robot for sts.amazonaws.com";
    clouds
      .servers()
      .serve(
        stsService("sts.eu-west-1.amazonaws.com", { role, token }),
        passwords,
        gate(ecr, "AWS", "ecr-password"),
      );
    const given = { environment: {}, spec: { serviceAccountName: "robot" } };
    expect(await tags(ecr, { ...given, options: { serviceAccountToken } })).toEqual(["1.0.0"]);
    await expect(async () => tags(ecr, given)).rejects.toThrow(
      "tokens of the ServiceAccount ns/robot are to be had in a cluster alone",
    );
    await expect(async () => tags(ecr, { spec: { serviceAccountName: "nobody" } })).rejects.toThrow(
      "there is no ServiceAccount ns/nobody",
    );
  });

  test("takes what docker's config says of the registry before", async () => {
    clouds.servers().serve(gate("gcr.io", "me", "own"));
    const options: Given["options"] = {
      keychain: { find: () => Promise.resolve({ kind: "basic", username: "me", password: "own" }) },
    };
    expect(await tags("gcr.io", { spec: { provider: "gcp" }, options })).toEqual(["1.0.0"]);
  });

  test("gets another password where the registry does not take the one that is kept", async () => {
    let count = 0;
    clouds.servers().serve(
      (request) =>
        request.host === "metadata"
          ? googleMetadataService({
              "instance/service-accounts/default/token": { access_token: `t${(count += 1)}`, expires_in: 60 },
            })(request)
          : undefined,
      (request) => gate("gcr.io", "oauth2accesstoken", `t${Math.max(2, count)}`)(request),
    );
    const environment = { GCE_METADATA_HOST: clouds.servers().metadata.host };
    expect(await tags("gcr.io", { spec: { provider: "gcp" }, environment })).toEqual(["1.0.0"]);
    expect(count).toBe(2);
  });
});

function metaOf(name: string): ObjectMeta {
  return { namespace: "ns", name, labels: {}, annotations: {}, generation: 1, where: {} };
}

function secretOf(name: string, texts: Readonly<Record<string, string>>): Secret {
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text)]));
  return { kind: "Secret", meta: metaOf(name), type: "Opaque", data };
}
