import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { run } from "../../../core/process.ts";
import { aciId, makeAci, type TestManifest } from "../../../../test/support/aci-archive.ts";
import { type AciHost, startAciHost, usualTemplate } from "../../../../test/support/aci-host.ts";
import { createAuthority } from "../../../../test/support/certificates.ts";
import { withTempDir } from "../../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../../test/support/tools.ts";
import {
  type AciImageService,
  type AciImageServiceOptions,
  createAciImageService,
} from "./aci-image-service.ts";

const spec = { aci: { name: "x.example/app", tag: "1.0" } };
const plainHosts = ["x.example", "files.example"];

interface Scene {
  readonly host: AciHost;
  readonly folder: string;
  readonly open: (options?: Partial<AciImageServiceOptions>) => Promise<AciImageService>;
  /** Serves an image where the usual template has it, and gives its ID. */
  readonly publish: (manifest: TestManifest, files?: Readonly<Record<string, string>>) => string;
}

function place(name: string, version: string): string {
  return `files.example/${name}-${version}-linux-amd64.aci`;
}

/** One of images of which each depends on the next. */
function linkOfChain(index: number): Buffer {
  const dependencies = [{ imageName: `x.example/c${index + 1}` }];
  return makeAci({ name: `x.example/c${index}`, fields: { dependencies } });
}

/** What processes have not finished, without their locks. */
async function workOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(folder, "store/work"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes("/") && !path.basename(name).startsWith("lock"));
}

await describeWithTools(["openssl", "gpg"], "pulls of ACIs", ({ openssl, gpg }) => {
  const withScene = async (work: (scene: Scene) => Promise<void>): Promise<void> =>
    withTempDir(async (folder) => {
      const authority = await createAuthority(openssl, folder, "aci-ca");
      const host = await startAciHost(authority, ["x.example", "files.example", "other.example"]);
      host.discover("x.example", `x.example ${usualTemplate}`);
      const ca = await readFile(authority.certificateFile);
      const opened: AciImageService[] = [];
      const open = async (options: Partial<AciImageServiceOptions> = {}): Promise<AciImageService> => {
        const service = await createAciImageService({
          folder: path.join(folder, "store"),
          access: { ca, proxy: { address: host.proxy } },
          platform: { os: "linux", architecture: "amd64" },
          retry: { baseDelayMs: 5 },
          ...options,
        });
        opened.push(service);
        return service;
      };
      const publish: Scene["publish"] = (manifest, files) => {
        const archive = makeAci(manifest, files);
        host.serve(place(manifest.name, manifest.version ?? "latest"), gzipSync(archive));
        return aciId(archive);
      };
      try {
        await work({ host, folder, open, publish });
        // Nothing half done is left, whatever happened; who was stopped needs a moment.
        await expect.poll(async () => workOf(folder)).toEqual([]);
      } finally {
        for (const service of opened) await service.close();
        await host.stop();
      }
    });

  const refusals: readonly (readonly [title: string, code: string, prepare: (scene: Scene) => void])[] = [
    [
      "another name",
      "aci-invalid",
      ({ host }) => {
        host.serve(place("x.example/app", "1.0"), makeAci({ name: "x.example/other", version: "1.0" }));
      },
    ],
    [
      "another version",
      "aci-invalid",
      ({ host }) => {
        host.serve(place("x.example/app", "1.0"), makeAci({ name: "x.example/app", version: "1.1" }));
      },
    ],
    [
      "no version",
      "aci-invalid",
      ({ host }) => {
        host.serve(place("x.example/app", "1.0"), makeAci({ name: "x.example/app" }));
      },
    ],
    [
      "another architecture",
      "aci-invalid",
      ({ publish }) => {
        publish({ name: "x.example/app", version: "1.0", labels: { os: "linux", arch: "aarch64" } });
      },
    ],
    [
      "no platform",
      "aci-invalid",
      ({ publish }) => {
        publish({ name: "x.example/app", version: "1.0", labels: {} });
      },
    ],
    [
      "no archive",
      "aci-invalid",
      ({ host }) => {
        host.serve(place("x.example/app", "1.0"), Buffer.from("<html>".padEnd(1000)));
      },
    ],
    [
      "no page anywhere",
      "aci-not-found",
      ({ host }) => {
        host.answers.clear();
      },
    ],
    [
      "a page for other names",
      "aci-not-found",
      ({ host }) => {
        host.discover("x.example", `x.example/b ${usualTemplate}`, `y.example ${usualTemplate}`);
      },
    ],
    [
      "a page without end",
      "limit-exceeded",
      ({ host }) => {
        host.answers.set("x.example/app", (_request, response) => {
          response.end("<p>".repeat(400_000));
        });
      },
    ],
    [
      "a page that redirects to itself",
      "registry-failed",
      ({ host }) => {
        host.answers.set("x.example/app", (_request, response) => {
          response.writeHead(302, { location: "/app?ac-discovery=1" }).end();
        });
      },
    ],
    [
      "a redirect to plain http",
      "registry-failed",
      ({ host }) => {
        host.answers.set("x.example/app", (_request, response) => {
          response.writeHead(302, { location: "http://x.example/app" }).end();
        });
      },
    ],
    [
      "a redirect to the machine's metadata",
      "address-refused",
      ({ host }) => {
        host.answers.set("x.example/app", (_request, response) => {
          response.writeHead(302, { location: "https://169.254.169.254/latest" }).end();
        });
      },
    ],
    [
      "a template that leads to the machine itself",
      "address-refused",
      ({ host }) => {
        host.discover("x.example", "x.example https://[::1]/{name}.{ext}");
      },
    ],
    [
      "a template by plain http",
      "aci-not-found",
      ({ host }) => {
        host.discover("x.example", "x.example http://files.example/{name}.{ext}");
      },
    ],
    [
      "a host that is out of order",
      "registry-failed",
      ({ host }) => {
        host.answers.set("x.example/app", (_request, response) => {
          response.writeHead(500).end();
        });
      },
    ],
    [
      "a file that wants a login",
      "registry-unauthorized",
      ({ host }) => {
        host.answers.set(place("x.example/app", "1.0"), (_request, response) => {
          response.writeHead(401).end();
        });
      },
    ],
    [
      "a certificate of another host",
      "registry-unreachable",
      ({ host }) => {
        host.discover("x.example", "x.example https://unknown.example/{name}.{ext}");
      },
    ],
    [
      "a body that is cut off",
      "registry-unreachable",
      ({ host }) => {
        host.answers.set(place("x.example/app", "1.0"), (_request, response) => {
          response.writeHead(200, { "content-length": "100000" });
          response.write("abc", () => response.destroy());
        });
      },
    ],
    [
      "a circle of dependencies",
      "aci-invalid",
      ({ publish }) => {
        publish({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/b" }] },
        });
        publish({
          name: "x.example/b",
          fields: {
            dependencies: [{ imageName: "x.example/app", labels: [{ name: "version", value: "1.0" }] }],
          },
        });
      },
    ],
    [
      "a dependency on itself",
      "aci-invalid",
      ({ host }) => {
        const archive = makeAci({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/app" }] },
        });
        for (const version of ["1.0", "latest"]) host.serve(place("x.example/app", version), archive);
      },
    ],
    [
      "a dependency of another ID",
      "aci-invalid",
      ({ publish }) => {
        publish({ name: "x.example/b" });
        const imageID = `sha512-${"0".repeat(128)}`;
        publish({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/b", imageID }] },
        });
      },
    ],
    [
      "a dependency of another size",
      "aci-invalid",
      ({ publish }) => {
        publish({ name: "x.example/b" });
        publish({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/b", size: 9999 }] },
        });
      },
    ],
    [
      "a dependency that is much larger than told",
      "limit-exceeded",
      ({ host, publish }) => {
        host.serve(
          place("x.example/b", "latest"),
          makeAci({ name: "x.example/b" }, { a: "a".repeat(200_000) }),
        );
        publish({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/b", size: 10 }] },
        });
      },
    ],
    [
      "a dependency of another label",
      "aci-invalid",
      ({ publish }) => {
        publish({ name: "x.example/b", labels: { os: "linux", arch: "amd64", env: "x" } });
        const labels = [{ name: "env", value: "y" }];
        publish({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/b", labels }] },
        });
      },
    ],
    [
      "a dependency that is not there",
      "aci-not-found",
      ({ publish }) => {
        publish({
          name: "x.example/app",
          version: "1.0",
          fields: { dependencies: [{ imageName: "x.example/b" }] },
        });
      },
    ],
    [
      "10,000 dependencies one behind another",
      "limit-exceeded",
      ({ host }) => {
        for (let index = 0; index < 10_000; index += 1) {
          host.answers.set(place(`x.example/c${index}`, "latest"), (_request, response) => {
            response.end(linkOfChain(index));
          });
        }
        host.serve(
          place("x.example/app", "1.0"),
          makeAci({
            name: "x.example/app",
            version: "1.0",
            fields: { dependencies: [{ imageName: "x.example/c0" }] },
          }),
        );
      },
    ],
    [
      "10,000 dependencies side by side",
      "limit-exceeded",
      ({ host, publish }) => {
        const dependencies = Array.from({ length: 10_000 }, (_, index) => ({
          imageName: `x.example/c${index}`,
        }));
        for (const { imageName } of dependencies.slice(0, 100))
          host.serve(place(imageName, "latest"), makeAci({ name: imageName }));
        publish({ name: "x.example/app", version: "1.0", fields: { dependencies } });
      },
    ],
  ];
  test.each(refusals)("refused: %s", async (_title, code, prepare) =>
    withScene(async (scene) => {
      scene.publish({ name: "x.example/app", version: "1.0" });
      prepare(scene);
      const service = await scene.open();
      await expect(service.pullImage(spec, { timeoutMs: 15_000 })).rejects.toMatchObject({ code });
      expect(await service.listImages()).toEqual([]);
      expect(await readdir(path.join(scene.folder, "store/images"))).toEqual([]);
    }),
  );

  test.each([
    "169.254.169.254/a",
    "127.0.0.1/a",
    "0x7f.1/a",
    "metadata.google.internal/a",
    "localhost/a",
    "1/a",
  ])("the name %s leads nowhere", async (name) =>
    withScene(async ({ open, host }) => {
      const service = await open({ access: {} });
      await expect(service.pullImage({ aci: { name } })).rejects.toMatchObject({ code: "address-refused" });
      expect(host.asked).toEqual([]);
    }),
  );

  test("another ID than the one that was asked for is refused", async () =>
    withScene(async ({ open, publish }) => {
      publish({ name: "x.example/app", version: "1.0" });
      const service = await open();
      const id = `sha512-${"0".repeat(128)}`;
      await expect(service.pullImage({ aci: { ...spec.aci, id } })).rejects.toMatchObject({
        code: "aci-invalid",
      });
    }));

  test("a host that is slow ends with the call", async () =>
    withScene(async ({ open, host }) => {
      host.answers.set(place("x.example/app", "1.0"), async (_request, response) => {
        for (let count = 0; count < 1000 && !response.destroyed; count += 1) {
          response.write("a");
          await sleep(20);
        }
      });
      const service = await open();
      const startMs = performance.now();
      await expect(service.pullImage(spec, { timeoutMs: 400 })).rejects.toMatchObject({ code: "timeout" });
      expect(performance.now() - startMs).toBeLessThan(3000);
    }));

  test("a host that stops sending is asked again", async () =>
    withScene(async ({ open, host }) => {
      const archive = makeAci({ name: "x.example/app", version: "1.0" });
      let count = 0;
      host.answers.set(place("x.example/app", "1.0"), (_request, response) => {
        count += 1;
        if (count === 1) response.write(archive.subarray(0, 100));
        else if (count === 2) response.writeHead(503).end();
        else response.end(archive);
      });
      const service = await open({ attemptTimeoutMs: 300 });
      expect(await service.pullImage(spec)).toBe(aciId(archive));
      expect(count).toBe(3);
    }));

  test("plain http is spoken with a host for which it is allowed", async () =>
    withScene(async ({ open, host, publish }) => {
      const id = publish({ name: "x.example/app", version: "1.0" });
      host.discover("x.example", `x.example ${usualTemplate.replace("https:", "http:")}`);
      const service = await open({ plainHttpHosts: plainHosts });
      expect(await service.pullImage(spec)).toBe(id);
    }));

  test("the next place is tried where a file is missing", async () =>
    withScene(async ({ open, host, publish }) => {
      const id = publish({ name: "x.example/app", version: "1.0" });
      host.discover(
        "x.example/app",
        `x.example https://other.example/{version}-{os}-{arch}.{ext}`,
        `x.example ${usualTemplate}`,
      );
      expect(await (await open()).pullImage(spec)).toBe(id);
      expect(host.asked).toEqual([
        "x.example/app?ac-discovery=1",
        "other.example/1.0-linux-amd64.aci",
        place("x.example/app", "1.0"),
      ]);
    }));

  test("dependencies are shared, kept while they are needed, and go with the last that needs them", async () =>
    withScene(async ({ open, publish, folder, host }) => {
      const base = publish({ name: "x.example/base" }, { base: "1" });
      const needs = { dependencies: [{ imageName: "x.example/base", imageID: base }] };
      const first = publish({ name: "x.example/one", version: "1", fields: needs });
      const second = publish({ name: "x.example/two", version: "1", fields: needs });
      const service = await open();
      const [one, two] = [
        { aci: { name: "x.example/one", tag: "1" } },
        { aci: { name: "x.example/two", tag: "1" } },
      ];
      await service.pullImage(one);
      await service.pullImage(two);
      expect(host.asked.filter((asked) => asked.startsWith("files.example/x.example/base"))).toHaveLength(1);
      const ids = async (): Promise<readonly string[]> => (await service.listImages()).map(({ id }) => id);
      expect(await ids()).toEqual([base, first, second].toSorted());
      const baseSpec = { aci: { name: "x.example/base", id: base } };
      await expect(service.removeImage(baseSpec, { allNames: true })).rejects.toMatchObject({
        code: "image-in-use",
      });
      await service.removeImage(one);
      expect(await ids()).toEqual([base, second].toSorted());
      await service.removeImage(two);
      expect(await ids()).toEqual([]);
      expect(await readdir(path.join(folder, "store/images"))).toEqual([]);
    }));

  test("a dependency that moved is laid down as it is now, and the old one goes", async () =>
    withScene(async ({ open, publish }) => {
      publish({ name: "x.example/base" }, { base: "1" });
      const top = publish({
        name: "x.example/app",
        version: "1.0",
        fields: { dependencies: [{ imageName: "x.example/base" }] },
      });
      const service = await open();
      await service.pullImage(spec);
      const before = await service.toOciImage(spec);
      const moved = publish({ name: "x.example/base" }, { base: "2" });
      expect(await service.pullImage(spec)).toBe(top);
      expect((await service.listImages()).map(({ id }) => id)).toEqual([moved, top].toSorted());
      const after = await service.toOciImage(spec);
      expect(after.layers[0]?.descriptor.digest).not.toBe(before.layers[0]?.descriptor.digest);
      expect(after.layers[1]).toMatchObject({ descriptor: before.layers[1]?.descriptor });
    }));

  test("an image of a prefix with a key must be signed with it", async () =>
    withScene(async ({ open, publish, host, folder }) => {
      const home = path.join(folder, "gnupg");
      await mkdir(home, { mode: 0o700 });
      const call = async (...args: readonly string[]): Promise<string> => {
        const { exitCode, stdout, stderr } = await run(gpg, [
          "--homedir",
          home,
          "--batch",
          "--yes",
          "--pinentry-mode",
          "loopback",
          "--passphrase",
          "",
          ...args,
        ]);
        expect(exitCode, stderr).toBe(0);
        return stdout;
      };
      for (const user of ["right@x.example", "wrong@x.example"])
        await call("--quick-gen-key", user, "ed25519", "sign", "1d");
      const keyFile = path.join(folder, "key.asc");
      await writeFile(keyFile, await call("--armor", "--export", "right@x.example"));
      const archive = path.join(folder, "app.aci");
      const address = place("x.example/app", "1.0");
      const image = makeAci({ name: "x.example/app", version: "1.0" }, { data: "d".repeat(1000) });
      const id = aciId(image);
      await writeFile(archive, gzipSync(image));
      host.serve(address, await readFile(archive));
      const service = await open({ trustedKeys: [{ prefix: "x.example", keyFile }] });
      const pull = async (): Promise<string> => service.pullImage(spec);
      await expect(pull()).rejects.toMatchObject({ code: "signature-invalid" });
      const sign = async (user: string, ...flags: readonly string[]): Promise<void> => {
        await call("--local-user", user, ...flags, "--output", `${archive}.asc`, "--detach-sign", archive);
        host.serve(`${address}.asc`, await readFile(`${archive}.asc`));
      };
      await sign("wrong@x.example", "--armor");
      await expect(pull()).rejects.toMatchObject({ code: "signature-invalid" });
      host.serve(`${address}.asc`, Buffer.from("no signature"));
      await expect(pull()).rejects.toMatchObject({ code: "signature-invalid" });
      await sign("right@x.example", "--armor");
      expect(await pull()).toBe(id);
      await sign("right@x.example");
      expect(await pull()).toBe(id);
      publish({ name: "x.example/app", version: "1.0" }, { data: "other" });
      await expect(pull()).rejects.toMatchObject({ code: "signature-invalid" });
      expect((await service.imageStatus(spec))?.id).toBe(id);
    }));

  test.each([
    ["a key that is not there", "missing.asc"],
    ["a key that is none", "ca.pem"],
  ])("%s is no configuration", async (_title, file) =>
    withScene(async ({ open, folder }) => {
      await writeFile(
        path.join(folder, "ca.pem"),
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n",
      );
      const trustedKeys = [{ prefix: "", keyFile: path.join(folder, file) }];
      await expect(open({ trustedKeys })).rejects.toMatchObject({ code: "config-invalid" });
    }),
  );
});
