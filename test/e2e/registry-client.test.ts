import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { hash } from "bcryptjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseReference } from "../../src/reference/reference.ts";
import { findForPlatform, parsePlatform } from "../../src/registry/platform.ts";
import type {
  Credentials,
  Keychain,
  RegistryAccess,
  RegistryClient,
} from "../../src/registry/registry-api.ts";
import { createRegistryClient, type RegistryClientOptions } from "../../src/registry/registry-client.ts";
import { createAuthority, type Authority, type CertificateFiles } from "../support/certificates.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import { stalled, startFaultyRegistry } from "../support/faulty-registry.ts";
import { pushImage } from "../support/images.ts";
import { startHttpProxy, startSocks5Proxy } from "../support/proxies.ts";
import { startRegistry, type Registry, type RegistryOptions } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { startTokenServer, type TokenServer } from "../support/token-server.ts";
import { describeWithTools } from "../support/tools.ts";

const user = { name: "reader", password: "correct horse battery" };
const basic: Credentials = { kind: "basic", username: user.name, password: user.password };
const identityToken = "identity-token-of-reader";

/** Reads without credentials of a registry that asks for them. */
function keychainOf(credentials: Credentials | undefined): Keychain {
  return { find: () => Promise.resolve(credentials) };
}

function clientOf(options: RegistryClientOptions = {}): RegistryClient {
  return createRegistryClient({ retry: { baseDelayMs: 1 }, ...options });
}

/** Trusts an authority, and shows a certificate. */
async function accessOf(
  authority: CertificateFiles,
  certificate?: CertificateFiles,
): Promise<RegistryAccess> {
  const ca = await readFile(authority.certificateFile);
  if (certificate === undefined) return { ca };
  const cert = await readFile(certificate.certificateFile);
  return { ca, clientCertificate: { cert, key: await readFile(certificate.keyFile) } };
}

for (const program of ["registry", "docker-registry"] as const) {
  await describeWithTools([program, "crane", "openssl"], `a client of ${program}`, (tools) => {
    let folder: TempDir;
    let authority: Authority;
    let server: CertificateFiles;
    let tokens: TokenServer;
    let digest: string;
    const registries: Record<string, Registry> = {};

    const hostOf = (name: string): string => registries[name]?.host ?? `no registry ${name}`;
    const start = async (name: string, options: RegistryOptions): Promise<void> => {
      const dataFolder = path.join(folder.path, "data");
      registries[name] = await startRegistry(tools[program], { ...options, dataFolder });
    };

    beforeAll(async () => {
      folder = await createTempDir("registry-client");
      authority = await createAuthority(tools.openssl, folder.path, "authority");
      server = await authority.issue("server");
      tokens = await startTokenServer({ signer: await authority.issue("signer"), user, identityToken });
      const htpasswdFile = path.join(folder.path, "htpasswd");
      await writeFile(htpasswdFile, `${user.name}:${await hash(user.password, 4)}\n`);
      await start("open", {});
      await start("htpasswd", { auth: { htpasswdFile } });
      await start("token", { auth: { realm: tokens.realm, certificateFile: authority.certificateFile } });
      await start("tls", { tls: server });
      await start("mutual", { tls: { ...server, clientAuthorityFile: authority.certificateFile } });
      digest = await pushImage(tools.crane, `${hostOf("open")}/team/shop:1.10`, "shop");
      await pushImage(tools.crane, `${hostOf("open")}/public/tool:1`, "tool");
      for (const tag of ["1.9", "latest"]) await copyTag(`${hostOf("open")}/team/shop`, digest, tag);
    });

    afterAll(async () => {
      for (const registry of Object.values(registries)) await registry.stop();
      await tokens?.stop();
      await folder?.remove();
    });

    const shop = (name: string, suffix = ""): ReturnType<typeof parseReference> =>
      parseReference(`${hostOf(name)}/team/shop${suffix}`);

    test("reads tags, digests, manifests and blobs without credentials", async () => {
      const client = clientOf();
      // Version 2 gives them as its folder does.
      expect([...(await client.listTags(shop("open")))].sort()).toEqual(["1.10", "1.9", "latest"]);
      const descriptor = await client.headManifest(shop("open", ":1.9"));
      expect(descriptor.digest).toBe(digest);
      const manifest = await client.getManifest(shop("open", `@${digest}`));
      expect(manifest).toMatchObject(descriptor);
      expect(manifest.bytes).toHaveLength(descriptor.size);
      const { config } = JSON.parse(new TextDecoder().decode(manifest.bytes)) as {
        readonly config: { readonly digest: string; readonly size: number };
      };
      const blob = await client.getBlob(shop("open"), config.digest, { maxBytes: config.size });
      expect(blob).toHaveLength(config.size);
      await expect(
        client.getBlob(shop("open"), config.digest, { maxBytes: config.size - 1 }),
      ).rejects.toMatchObject({ code: "limit-exceeded" });
    });

    test("takes a reference without tag for latest", async () => {
      expect((await clientOf().headManifest(shop("open"))).digest).toBe(digest);
    });

    test.each([
      ["a tag", "team/shop:none"],
      ["a repository", "team/none:1"],
      ["a digest", `team/shop@sha256:${"0".repeat(64)}`],
    ])("says that %s is not there", async (_name, image) => {
      const reference = parseReference(`${hostOf("open")}/${image}`);
      for (const read of ["headManifest", "getManifest"] as const) {
        await expect(clientOf()[read](reference)).rejects.toMatchObject({ code: "image-not-found" });
      }
    });

    test("says that a repository is not there when its tags are asked for", async () => {
      const reference = parseReference(`${hostOf("open")}/team/none`);
      await expect(clientOf().listTags(reference)).rejects.toMatchObject({
        code: "image-not-found",
        message: expect.stringContaining("NAME_UNKNOWN") as string,
      });
    });

    describe("authentication", () => {
      test.each<[string, string, Credentials | undefined, string | undefined]>([
        ["htpasswd with the password", "htpasswd", basic, undefined],
        ["htpasswd without credentials", "htpasswd", undefined, "there are no credentials"],
        ["htpasswd with another password", "htpasswd", { ...basic, password: "other-password" }, "are wrong"],
        ["a token with the password", "token", basic, undefined],
        [
          "a token for an identity token",
          "token",
          { kind: "identity-token", token: identityToken },
          undefined,
        ],
        ["a token without credentials", "token", undefined, "there are no credentials"],
        ["a token with another password", "token", { ...basic, password: "other-password" }, "are wrong"],
        [
          "a token for another identity token",
          "token",
          { kind: "identity-token", token: "another-identity" },
          "are wrong",
        ],
        [
          "a registry token that is none",
          "token",
          { kind: "registry-token", token: "no-token" },
          "are wrong",
        ],
      ])("%s", async (_name, registry, credentials, hint) => {
        const client = clientOf({ keychain: keychainOf(credentials) });
        if (hint === undefined) {
          expect(await client.listTags(shop(registry))).toHaveLength(3);
          expect((await client.headManifest(shop(registry, ":1.9"))).digest).toBe(digest);
          return;
        }
        const error: unknown = await client.listTags(shop(registry)).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          code: "registry-unauthorized",
          hint: expect.stringContaining(hint) as string,
        });
        for (const secret of ["other-password", "another-identity", "no-token"]) {
          expect(String(error)).not.toContain(secret);
          expect(String(error)).not.toContain(Buffer.from(`${user.name}:${secret}`).toString("base64"));
        }
      });

      test("reads what anonymous tokens are good for", async () => {
        const reference = parseReference(`${hostOf("token")}/public/tool`);
        expect(await clientOf().listTags(reference)).toEqual(["1"]);
      });

      test("asks for one token a repository, however many ask at once", async () => {
        const client = clientOf({ keychain: keychainOf(basic) });
        const before = tokens.asked.length;
        await Promise.all(Array.from({ length: 20 }, () => client.headManifest(shop("token", ":1.9"))));
        await client.listTags(shop("token"));
        expect(tokens.asked.slice(before)).toEqual([
          {
            method: "GET",
            scope: "repository:team/shop:pull",
            service: "fairlead test registry",
            who: user.name,
          },
        ]);
      });
    });

    describe("TLS", () => {
      test("a private authority is trusted when it is given", async () => {
        const client = clientOf({ access: await accessOf(authority) });
        expect(await client.listTags(shop("tls"))).toHaveLength(3);
      });

      test("a private authority is not trusted of itself, not even on loopback", async () => {
        await expect(clientOf().listTags(shop("tls"))).rejects.toMatchObject({
          code: "registry-unreachable",
          retryable: false,
          hint: expect.stringContaining("certificate of the authority") as string,
        });
      });

      test("insecure access does not look at certificates", async () => {
        const client = clientOf({ access: { insecure: true } });
        expect(await client.listTags(shop("tls"))).toHaveLength(3);
      });

      test("a client certificate is shown", async () => {
        const client = clientOf({ access: await accessOf(authority, await authority.issue("client")) });
        expect(await client.listTags(shop("mutual"))).toHaveLength(3);
      });

      test("a missing client certificate is refused", async () => {
        const client = clientOf({ access: await accessOf(authority) });
        await expect(client.listTags(shop("mutual"))).rejects.toMatchObject({ code: "registry-unreachable" });
      });

      test("what is no certificate is refused", async () => {
        const client = clientOf({ access: { ca: "no certificate" } });
        await expect(client.listTags(shop("tls"))).rejects.toMatchObject({ code: "credentials-invalid" });
      });
    });

    describe("proxies", () => {
      const login = { username: "through", password: "the proxy" };

      test.each([
        ["http", "open", {}],
        ["http", "open", login],
        ["http", "tls", {}],
        ["http", "tls", login],
        ["https", "tls", login],
        ["https", "open", login],
        ["socks5", "open", {}],
        ["socks5", "open", login],
        ["socks5h", "tls", login],
      ])("%s to the registry %s with %o", async (scheme, registry, credentials) => {
        const ca = await readFile(authority.certificateFile);
        const tls = {
          cert: await readFile(server.certificateFile, "utf8"),
          key: await readFile(server.keyFile, "utf8"),
        };
        const proxy = scheme.startsWith("socks5")
          ? await startSocks5Proxy(credentials)
          : await startHttpProxy({ ...credentials, ...(scheme === "https" ? { tls } : {}) });
        try {
          // TLS names no addresses.
          const address = `${scheme}://${proxy.host.replace("127.0.0.1", "localhost")}`;
          const client = clientOf({ access: { ca, proxy: { address, ...credentials } } });
          expect(await client.listTags(shop(registry))).toHaveLength(3);
          expect(new Set(proxy.reached)).toEqual(new Set([hostOf(registry)]));
        } finally {
          await proxy.stop();
        }
      });

      test.each(["http", "socks5"])("a %s proxy that refuses the password", async (scheme) => {
        const proxy = scheme === "http" ? await startHttpProxy(login) : await startSocks5Proxy(login);
        try {
          const address = `${scheme}://through:wrong-one@${proxy.host}`;
          const client = clientOf({ access: { proxy: { address } } });
          const error: unknown = await client.listTags(shop("open")).catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({ code: "registry-unreachable" });
          expect(String(error)).not.toContain("wrong-one");
        } finally {
          await proxy.stop();
        }
      });
    });

    describe("the commands", () => {
      beforeAll(buildCommands);

      test("tags and digest", async () => {
        const dockerConfig = path.join(folder.path, "docker");
        await mkdir(dockerConfig, { recursive: true });
        const auth = Buffer.from(`${user.name}:${user.password}`).toString("base64");
        await writeFile(
          path.join(dockerConfig, "config.json"),
          JSON.stringify({ auths: { [hostOf("htpasswd")]: { auth } } }),
        );
        const flags = ["--docker-config", dockerConfig];
        const image = `${hostOf("htpasswd")}/team/shop`;
        const tags = await runCommand("fairlead", ["tags", image, ...flags]);
        expect(tags).toMatchObject({ exitCode: 0, stderr: "" });
        const listed = tags.stdout.trimEnd().split("\n");
        expect([...listed].sort()).toEqual(["1.10", "1.9", "latest"]);
        const limited = await runCommand("fairlead", [
          "tags",
          image,
          "--limit",
          "1",
          "--output",
          "json",
          ...flags,
        ]);
        expect(JSON.parse(limited.stdout)).toEqual({ image, total: 3, tags: listed.slice(0, 1) });
        const found = await runCommand("fairlead", ["digest", `${image}:1.9`, ...flags]);
        expect(found).toEqual({ exitCode: 0, stdout: `${digest}\n`, stderr: "" });
        const refused = await runCommand("fairlead", ["digest", `${image}:1.9`], {
          env: { HOME: folder.path },
        });
        expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
        expect(refused.stderr).toContain(`there are no credentials for ${hostOf("htpasswd")}`);
      });

      test.each([
        ["a certificate without its key", ["--cert-file", "x.pem"], "only of use together"],
        ["a CA that is not there", ["--ca-file", "none.pem"], "none.pem"],
        ["a CA that is none", ["--ca-file", "package.json"], "the CA holds no certificate"],
        ["a proxy that is none", ["--proxy", "ftp://me:s3cret@proxy"], "the address of the proxy is none"],
        ["a time that is none", ["--timeout", "soon"], "It must be a duration"],
        ["a platform that is none", ["--platform", "linux"], "a platform is os/architecture"],
      ])("refuse %s", async (_name, flags, message) => {
        const image = `${hostOf("tls")}/team/shop`;
        const result = await runCommand("fairlead", ["digest", image, ...flags]);
        expect(result).toMatchObject({ exitCode: 2, stdout: "" });
        expect(result.stderr).toContain(message);
        expect(result.stderr).not.toContain("s3cret");
      });

      test("end with the time that they are given", async () => {
        const server = await startFaultyRegistry();
        server.answer("/v2/", stalled);
        try {
          const result = await runCommand("fairlead", ["tags", `${server.host}/a/b`, "--timeout", "300ms"]);
          expect(result).toMatchObject({ exitCode: 1, stdout: "" });
          expect(result.stderr).toContain("took longer than 0.3 s");
        } finally {
          await server.stop();
        }
      });

      test("by the proxy of the environment, but not on this machine", async () => {
        const proxy = await startHttpProxy();
        try {
          const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
          const near = await runCommand("fairlead", ["tags", `${hostOf("open")}/team/shop`], { env });
          expect(near.exitCode).toBe(0);
          expect(proxy.reached).toEqual([]);
          const far = await runCommand(
            "fairlead",
            ["tags", "registry.invalid/team/shop", "--timeout", "2s"],
            { env },
          );
          expect(far.exitCode).toBe(1);
          expect(new Set(proxy.reached)).toEqual(new Set(["registry.invalid:443"]));
        } finally {
          await proxy.stop();
        }
      });

      test("with certificates from files", async () => {
        const { certificateFile: cert, keyFile: key } = await authority.issue("command");
        const files = ["--ca-file", authority.certificateFile, "--cert-file", cert, "--key-file", key];
        const found = await runCommand("fairlead", ["digest", `${hostOf("mutual")}/team/shop:1.9`, ...files]);
        expect(found).toEqual({ exitCode: 0, stdout: `${digest}\n`, stderr: "" });
      });
    });

    test("chooses the image for a platform from an index", async () => {
      const client = clientOf();
      const reference = parseReference(`${hostOf("open")}/team/shop:platforms`);
      const children = [
        await putManifest(`${hostOf("open")}/team/shop`, imageOf("amd64"), ociManifest),
        await putManifest(`${hostOf("open")}/team/shop`, imageOf("arm64"), ociManifest),
      ];
      const manifests = [
        { ...children[0], platform: { os: "linux", architecture: "amd64" } },
        { ...children[1], platform: { os: "linux", architecture: "arm64", variant: "v8" } },
        { ...children[1], platform: { os: "unknown", architecture: "unknown" } },
      ];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndex, manifests });
      await putManifest(`${hostOf("open")}/team/shop`, index, ociIndex, "platforms");
      expect(await findForPlatform(client, reference, parsePlatform("linux/arm64"))).toEqual(children[1]);
      expect(await findForPlatform(client, reference, parsePlatform("linux/x86_64"))).toEqual(children[0]);
      await expect(findForPlatform(client, reference, parsePlatform("windows/amd64"))).rejects.toMatchObject({
        code: "image-not-found",
        hint: expect.stringContaining("linux/arm64") as string,
      });
    });
  });
}

const ociManifest = "application/vnd.oci.image.manifest.v1+json";
const ociIndex = "application/vnd.oci.image.index.v1+json";

/** An image without layers, whose configuration is the two bytes `{}` that every test pushes first. */
function imageOf(note: string): string {
  const digest = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: ociManifest,
    config: { mediaType: "application/vnd.oci.empty.v1+json", digest, size: 2 },
    layers: [],
    annotations: { note },
  });
}

async function putManifest(
  repository: string,
  body: string,
  mediaType: string,
  tag?: string,
): Promise<{ readonly mediaType: string; readonly digest: string; readonly size: number }> {
  const [host = "", ...name] = repository.split("/");
  const base = `http://${host}/v2/${name.join("/")}`;
  const upload = await fetch(`${base}/blobs/uploads/`, { method: "POST" });
  const blob = new URL(upload.headers.get("location") ?? "", base);
  blob.searchParams.set("digest", "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  await fetch(blob, { method: "PUT", body: "{}", headers: { "content-type": "application/octet-stream" } });
  const put = await fetch(
    `${base}/manifests/${tag ?? `put-${Buffer.from(body).length}-${body.includes("arm64")}`}`,
    {
      method: "PUT",
      body,
      headers: { "content-type": mediaType },
    },
  );
  expect(put.status, await put.text()).toBe(201);
  return {
    mediaType,
    digest: put.headers.get("docker-content-digest") ?? "",
    size: Buffer.from(body).length,
  };
}

async function copyTag(repository: string, digest: string, tag: string): Promise<void> {
  const [host = "", ...name] = repository.split("/");
  const base = `http://${host}/v2/${name.join("/")}/manifests`;
  const accept = "application/vnd.docker.distribution.manifest.v2+json";
  const manifest = await fetch(`${base}/${digest}`, { headers: { accept } });
  const headers = { "content-type": manifest.headers.get("content-type") ?? accept };
  const put = await fetch(`${base}/${tag}`, { method: "PUT", body: await manifest.text(), headers });
  expect(put.status, await put.text()).toBe(201);
}
