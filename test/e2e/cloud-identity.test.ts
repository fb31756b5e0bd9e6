import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { awsKeys, ecrService } from "../support/aws-services.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import {
  acrService,
  entraService,
  githubService,
  googleMetadataService,
  unsignedToken,
} from "../support/cloud-identities.ts";
import {
  type CloudService,
  type CloudServers,
  fieldsOf,
  startCloudServers,
} from "../support/cloud-servers.ts";
import {
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageRepository,
  imageUpdateAutomation,
  secret,
} from "../support/flux-objects.ts";
import { startGitHttp } from "../support/git-http.ts";
import { createBareRepository } from "../support/git-repository.ts";
import { pushImage } from "../support/images.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "flux-system";
const app = { name: "app", namespace };
const password = "cloud-password/with+signs==";
const installationToken = "ghs_InstallationToken0123456789";
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privatePem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

function basic(user: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

await describeWithTools(["registry", "crane", "openssl"], "identities of clouds", (tools) => {
  let folder: TempDir;
  let registry: Registry;
  let servers: CloudServers;
  let count = 0;

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("cloud-identity");
    registry = await startRegistry(tools.registry);
    servers = await startCloudServers(tools.openssl);
    for (const tag of ["1.0.0", "1.1.0"]) {
      await pushImage(tools.crane, `${registry.host}/team/app:${tag}`, tag);
    }
    await writeFile(path.join(folder.path, "federated"), "federated-assertion");
  });

  afterAll(async () => {
    await servers.stop();
    await registry.stop();
    await folder.remove();
  });

  /** The real registry by a name of a cloud, for who shows this. */
  function gate(host: string, authorization: string, challenge: string): CloudService {
    return async (request) => {
      if (request.host !== host || !request.path.startsWith("/v2/")) return undefined;
      if (request.headers["authorization"] !== authorization) {
        return { status: 401, headers: { "www-authenticate": challenge } };
      }
      const { accept = "*/*" } = request.headers;
      const answer = await fetch(`${registry.url}${request.path}`, { headers: { accept } });
      return {
        status: answer.status,
        headers: { "content-type": answer.headers.get("content-type") ?? "" },
        body: new Uint8Array(await answer.arrayBuffer()),
      };
    };
  }

  async function automate(
    objects: readonly object[],
    env: Readonly<Record<string, string>>,
  ): Promise<RunResult> {
    const file = path.join(folder.path, `objects${(count += 1)}.yaml`);
    await writeFile(file, fluxObjects(objects));
    return runCommand(
      "fairlead",
      ["automate", "--config", file, "--output", "json", "--log-level", "debug"],
      {
        env: { HTTPS_PROXY: servers.proxyUrl, NODE_EXTRA_CA_CERTS: servers.caFile, ...env },
      },
    );
  }

  const acr = "team.azurecr.io";
  const refreshToken = unsignedToken({ exp: Math.floor(Date.now() / 1000) + 3 * 3600 });

  test.each<[string, string, () => Record<string, string>, () => readonly CloudService[]]>([
    [
      "aws",
      "123456789012.dkr.ecr.eu-west-1.amazonaws.com",
      () => ({
        AWS_ACCESS_KEY_ID: awsKeys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: awsKeys.secretAccessKey,
        AWS_SESSION_TOKEN: awsKeys.sessionToken,
      }),
      () => [
        ecrService({
          host: "api.ecr.eu-west-1.amazonaws.com",
          region: "eu-west-1",
          password: () => password,
          nowMs: () => Date.now(),
        }),
        gate("123456789012.dkr.ecr.eu-west-1.amazonaws.com", basic("AWS"), 'Basic realm="ecr"'),
      ],
    ],
    [
      "azure",
      acr,
      () => ({
        AZURE_FEDERATED_TOKEN_FILE: path.join(folder.path, "federated"),
        AZURE_TENANT_ID: "tenant",
        AZURE_CLIENT_ID: "client",
      }),
      () => [
        entraService({
          host: "login.microsoftonline.com",
          tenant: "tenant",
          client: "client",
          scope: "https://management.azure.com/.default",
          assertion: "federated-assertion",
          token: () => "entra-token",
        }),
        acrService(
          acr,
          () => "entra-token",
          () => refreshToken,
        ),
        (request) => {
          if (request.host !== acr || request.path !== "/oauth2/token") return undefined;
          const { grant_type: type, refresh_token: token, scope } = fieldsOf(request);
          const isRight =
            type === "refresh_token" && token === refreshToken && scope === "repository:team/app:pull";
          return isRight ? { body: { access_token: "registry-token" } } : { status: 401 };
        },
        gate(
          acr,
          "Bearer registry-token",
          `Bearer realm="https://${acr}/oauth2/token",service="${acr}",scope="repository:team/app:pull"`,
        ),
      ],
    ],
    [
      "gcp",
      "europe-west1-docker.pkg.dev",
      () => ({ GCE_METADATA_HOST: servers.metadata.host }),
      () => [
        googleMetadataService({
          "instance/service-accounts/default/token": { access_token: password, expires_in: 3600 },
        }),
        gate("europe-west1-docker.pkg.dev", basic("oauth2accesstoken"), 'Basic realm="gar"'),
      ],
    ],
  ])("an ImageRepository of %s is scanned", async (provider, host, env, services) => {
    servers.serve(...services());
    const objects = [
      imageRepository(app, { image: `${host}/team/app`, provider }),
      imagePolicy(app, { imageRepositoryRef: { name: "app" }, policy: { semver: { range: "1.x" } } }),
    ];
    const { exitCode, stdout, stderr } = await automate(objects, env());
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain('"1.1.0"');
    expect(`${stdout}${stderr}`).not.toMatch(
      /cloud-password|federated-assertion|entra-token|registry-token|session\/token|wJalr|eyJ/u,
    );
    expect(stderr).toContain("a platform is asked for a token");
    const listed = await runCommand("fairlead", ["tags", `${host}/team/app`, "--provider", provider], {
      env: { HTTPS_PROXY: servers.proxyUrl, NODE_EXTRA_CA_CERTS: servers.caFile, ...env() },
    });
    expect(listed).toMatchObject({ exitCode: 0, stdout: "1.0.0\n1.1.0\n", stderr: "" });
  });

  test("credentials are not sent to a host that is not the cloud's", async () => {
    servers.serve(() => ({ status: 401, headers: { "www-authenticate": 'Basic realm="evil"' } }));
    const objects = [imageRepository(app, { image: "evil.example.com/team/app", provider: "aws" })];
    const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "wJalr-secret" };
    const { exitCode, stderr } = await automate(objects, env);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("evil.example.com is no registry of the provider aws");
    expect(servers.seen.every(({ headers }) => headers["authorization"] === undefined)).toBe(true);
  });

  test("an automation commits as a GitHub App", async () => {
    const repository = await createBareRepository(path.join(folder.path, "r.git"), {
      "app.yaml": 'image: app:0 # {"$imagepolicy": "flux-system:app"}\n',
    });
    const git = await startGitHttp({
      root: folder.path,
      authorization: `Basic ${Buffer.from(`x-access-token:${installationToken}`).toString("base64")}`,
    });
    try {
      servers.serve(
        githubService({
          host: "metadata",
          base: "/api/v3",
          appId: "17",
          key: publicKey,
          owner: "org",
          token: () => installationToken,
          expiresAt: () => new Date(Date.now() + 3_600_000).toISOString(),
        }),
      );
      const objects = [
        imageRepository(app, { image: `${registry.host}/team/app` }),
        imagePolicy(app, { imageRepositoryRef: { name: "app" }, policy: { semver: { range: "1.x" } } }),
        gitRepository(app, {
          url: `${git.url}/r.git`,
          provider: "github",
          secretRef: { name: "git" },
          ref: { branch: "main" },
        }),
        secret(
          { name: "git", namespace },
          {
            githubAppID: "17",
            githubAppInstallationOwner: "org",
            githubAppPrivateKey: privatePem,
            githubAppBaseURL: servers.metadata.url,
          },
        ),
        imageUpdateAutomation(app, {
          sourceRef: { kind: "GitRepository", name: "app" },
          git: { commit: { author: { name: "Fairlead", email: "fairlead@example.com" } } },
        }),
      ];
      const { exitCode, stdout, stderr } = await automate(objects, {});
      expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(await repository.git("show", "main:app.yaml")).toContain(`${registry.host}/team/app:1.1.0`);
      expect(`${stdout}${stderr}`).not.toMatch(/ghs_|BEGIN|eyJ/u);
    } finally {
      await git.stop();
    }
  });
});
