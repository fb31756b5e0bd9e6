import { generateKey } from "openpgp";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../src/core/log.ts";
import { run } from "../../src/core/process.ts";
import { lowerImageSpec, storedSpecKey } from "../../src/imagespec/convert/stored-spec.ts";
import {
  type AciImageService,
  createAciImageService,
} from "../../src/imagespec/service/aci/aci-image-service.ts";
import { createContainerdAciService } from "../../src/imagespec/service/containerd/containerd-aci-service.ts";
import { connectCri, type CriConnection } from "../../src/imagespec/service/cri/cri-connection.ts";
import { type ImageProxy, startImageProxy } from "../../src/imagespec/service/proxy/image-proxy.ts";
import type { ImageSpec } from "../../src/reference/image-spec.ts";
import { aciId, makeAci } from "../support/aci-archive.ts";
import { type AciHost, startAciHost, usualTemplate } from "../support/aci-host.ts";
import { createAuthority } from "../support/certificates.ts";
import { type Containerd, startContainerd } from "../support/containerd.ts";
import { connectRuntime } from "../support/cri-runtime.ts";
import { pushDockerImage } from "../support/docker-image.ts";
import { leftOutPrefix } from "../support/left-out.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { buildStaticProgram } from "../support/static-program.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });

await describeWithTools(["containerd", "docker-registry", "openssl", "go"], "the image service", (paths) => {
  let folder: TempDir;
  let host: AciHost;
  let registry: Registry;
  let containerd: Containerd;
  let program: Buffer;
  let aci: AciImageService;
  let proxy: ImageProxy;
  let cri: CriConnection;
  let direct: CriConnection;

  beforeAll(async () => {
    folder = await createTempDir("image-service");
    program = await buildStaticProgram(paths.go);
    const authority = await createAuthority(paths.openssl, folder.path, "aci-ca");
    host = await startAciHost(authority, ["images.example", "files.example"]);
    host.discover("images.example", `images.example ${usualTemplate}`);
    registry = await startRegistry(paths["docker-registry"]);
    const sandbox = { url: registry.url, repository: "pause", tag: "v1", content: "wait", program };
    await pushDockerImage(sandbox);
    containerd = await startContainerd(paths.containerd, { sandboxImage: `${registry.host}/pause:v1` });
    const key = await generateKey({ userIDs: [{ name: "test" }], format: "armored" });
    const keyFile = path.join(folder.path, "key.asc");
    await writeFile(keyFile, key.publicKey);
    aci = await createAciImageService({
      folder: path.join(folder.path, "store"),
      access: { ca: await readFile(authority.certificateFile), proxy: { address: host.proxy } },
      platform: { os: "linux", architecture: "amd64" },
      trustedKeys: [{ prefix: "images.example/signed", keyFile }],
      retry: { baseDelayMs: 10 },
    });
    proxy = await startImageProxy({
      listen: `unix://${folder.path}/image-service.sock`,
      runtimeEndpoint: containerd.endpoint,
      acis: createContainerdAciService({ endpoint: containerd.endpoint, aci }),
      log,
    });
    cri = connectCri(proxy.endpoint);
    direct = connectCri(containerd.endpoint);
  });

  afterAll(async () => {
    cri.close();
    direct.close();
    await proxy.stop(1_000);
    await aci.close();
    await containerd.stop();
    await registry.stop();
    await host.stop();
    await folder.remove();
  });

  /** Serves an ACI with a file of this content. */
  const publish = (name: string, content: string, fields: object = {}): ImageSpec => {
    const fullName = `images.example/${name}`;
    const archive = makeAci({ name: fullName, version: "1.0", fields: { ...fields } }, { content });
    host.serve(fileOf(name), archive);
    return { aci: { name: fullName, tag: "1.0" } };
  };

  const listedIds = async (): Promise<readonly string[]> =>
    (await direct.call("ListImages", {})).images.map(({ id }) => id).toSorted();

  const contentOf = async (): Promise<string> =>
    (await ctr("content", "ls", "-q")).split("\n").toSorted().join("\n");

  const ctr = async (...args: readonly string[]): Promise<string> => {
    const client = path.join(path.dirname(paths.containerd), "ctr");
    const { stdout } = await run(client, ["-a", containerd.socket, "-n", "k8s.io", ...args]);
    return stdout;
  };

  test("starts a container of an ACI", async ({ skip }) => {
    const runtime = connectRuntime(proxy.endpoint);
    const logs = path.join(folder.path, "logs");
    await mkdir(logs);
    const app = { exec: ["/program", "from", "an ACI"], user: "0", group: "0" };
    const manifest = { name: "images.example/hello", version: "1.0", fields: { app } };
    host.serve(fileOf("hello"), makeAci(manifest, { program }, 0o755));
    const image = podImage("hello", { aci: { name: "images.example/hello", tag: "1.0" } });
    expect((await cri.call("ImageStatus", { image })).image).toBeNull();
    const { imageRef } = await cri.call("PullImage", { image });
    const { image: status } = await cri.call("ImageStatus", { image });
    expect(status).toMatchObject({ id: imageRef, repoTags: ["aci.invalid/images.example/hello:1.0"] });

    const config = {
      metadata: { name: "pod", uid: "pod-uid", namespace: "default", attempt: 0 },
      logDirectory: logs,
      linux: { securityContext: { namespaceOptions: { network: "NODE", pid: "CONTAINER", ipc: "POD" } } },
    };
    // The sandbox has an image of Docker's: what fails here would fail without this program too.
    const sandbox = await runtime.call("RunPodSandbox", { config }).catch((error: unknown) => error);
    if (sandbox instanceof Error) {
      runtime.close();
      expect(sandbox.message).toContain("runc");
      skip(`${leftOutPrefix}CreateContainer and StartContainer because no pod can run: ${sandbox.message}`);
    }
    const { podSandboxId } = sandbox as { readonly podSandboxId: string };
    try {
      const { containerId } = await runtime.call("CreateContainer", {
        podSandboxId,
        config: { metadata: { name: "hello" }, image: { image: imageRef }, logPath: "hello.log" },
        sandboxConfig: config,
      });
      await runtime.call("StartContainer", { containerId });
      await expect
        .poll(async () => readFile(path.join(logs, "hello.log"), "utf8"))
        .toContain("arguments: [from an ACI]");
      await expect
        .poll(async () => (await runtime.call("ContainerStatus", { containerId })).status)
        .toMatchObject({ state: "CONTAINER_EXITED", exitCode: 0 });
    } finally {
      // What still runs would keep containerd's folder from being removed.
      await runtime.call("StopPodSandbox", { podSandboxId });
      await runtime.call("RemovePodSandbox", { podSandboxId });
      runtime.close();
    }
  });

  test("passes Docker images as they are, their failures too", async () => {
    const { configDigest } = await pushDockerImage({
      url: registry.url,
      repository: "library/tiny",
      tag: "v1",
      content: "tiny",
    });
    const image = { image: `${registry.host}/library/tiny:v1`, annotations: { other: "kept" } };
    expect(await cri.call("PullImage", { image })).toEqual({ imageRef: configDigest });
    const status = await cri.call("ImageStatus", { image, verbose: true });
    expect(status.image?.id).toBe(configDigest);
    expect(status).toEqual(await direct.call("ImageStatus", { image, verbose: true }));
    const { images } = await cri.call("ListImages", {});
    expect(images.map(({ id }) => id).toSorted()).toEqual(await listedIds());
    const missing = { image: `${registry.host}/library/tiny:none` };
    const failures = await Promise.all(
      [cri, direct].map(async (each) =>
        each.call("PullImage", { image: missing }).catch((error: unknown) => error),
      ),
    );
    expect(failures[0]).toMatchObject({ code: "image-not-found" });
    expect(failures[0]).toMatchObject({ message: (failures[1] as Error).message });
    await cri.call("RemoveImage", { image: { image: configDigest } });
    expect(await listedIds()).not.toContain(configDigest);
  });

  test("leaves an image that a stale annotation is about to the runtime", async () => {
    const spec = publish("stale", "stale");
    const { annotations } = podImage("a", spec);
    const image = { image: `${registry.host}/library/absent:v1`, annotations };
    await expect(cri.call("PullImage", { image })).rejects.toMatchObject({ code: "image-not-found" });
    expect(host.asked).not.toContain(fileOf("stale"));
  });

  test("knows the image string that kubelet has completed", async () => {
    const name = "images.example/untagged";
    const archive = makeAci({ name, version: "3" }, { content: "untagged" });
    host.serve("files.example/images.example/untagged-latest-linux-amd64.aci", archive);
    const { image, annotations } = podImage("a", { aci: { name } });
    expect(image).toBe(name);
    const completed = { image: `${name}:latest`, annotations };
    const { imageRef } = await cri.call("PullImage", { image: completed });
    expect((await cri.call("ImageStatus", { image: completed })).image?.id).toBe(imageRef);
    expect((await cri.call("ImageStatus", { image: { image: imageRef } })).image?.id).toBe(imageRef);
  });

  test("pulls by ID, and tells it as the digest", async () => {
    const name = "images.example/pinned";
    const archive = makeAci({ name, version: "1.0" }, { content: "pinned" });
    host.serve("files.example/images.example/pinned-latest-linux-amd64.aci", archive);
    const id = aciId(archive);
    const image = podImage("a", { aci: { name, id } });
    await cri.call("PullImage", { image });
    const { image: status } = await cri.call("ImageStatus", { image });
    expect(status?.repoDigests).toEqual([`aci.invalid/${name}@${id.replace("-", ":")}`]);
    expect(status?.repoTags).toEqual([]);
  });

  test("shares one pull among those who want it at once", async () => {
    const image = podImage("a", publish("shared", "shared"));
    const before = host.asked.filter((asked) => asked === fileOf("shared")).length;
    const release = host.hold();
    const pulls = Array.from({ length: 8 }, async () => cri.call("PullImage", { image }));
    await expect.poll(() => host.asked.at(-1)).toContain("images.example");
    release();
    expect(new Set((await Promise.all(pulls)).map(({ imageRef }) => imageRef)).size).toBe(1);
    expect(host.asked.filter((asked) => asked === fileOf("shared")).length - before).toBe(1);
  });

  test("takes nothing that is not signed as it must be", async () => {
    const spec = publish("signed", "signed");
    host.serve(`${fileOf("signed")}.asc`, Buffer.from("no signature"));
    const before = await contentOf();
    const images = await listedIds();
    await expect(cri.call("PullImage", { image: podImage("a", spec) })).rejects.toMatchObject({
      code: "signature-invalid",
    });
    expect(await contentOf()).toBe(before);
    expect(await listedIds()).toEqual(images);
    expect(await aci.isImagePresent(spec)).toBe(false);
  });

  test("refuses an image for another platform, and leaves nothing", async () => {
    const name = "images.example/foreign";
    const labels = { os: "linux", arch: "aarch64" };
    host.serve(fileOf("foreign"), makeAci({ name, version: "1.0", labels }, { content: "foreign" }));
    const before = await contentOf();
    await expect(
      cri.call("PullImage", { image: podImage("a", { aci: { name, tag: "1.0" } }) }),
    ).rejects.toThrow(/arch/u);
    expect(await contentOf()).toBe(before);
  });

  test("removes what kubelet's garbage collection names, and keeps what others need", async () => {
    const base = publish("base", "base");
    const dependency = { imageName: "images.example/base", labels: [{ name: "version", value: "1.0" }] };
    const app = publish("app", "app", { dependencies: [dependency] });
    const pulled = await cri.call("PullImage", { image: podImage("a", base) });
    const { imageRef } = await cri.call("PullImage", { image: podImage("a", app) });
    expect(await listedIds()).toEqual(expect.arrayContaining([pulled.imageRef, imageRef]));

    const stored = await aci.imageStatus(base);
    expect(stored).toBeDefined();
    await cri.call("RemoveImage", { image: { image: pulled.imageRef } });
    expect((await aci.listImages()).map(({ id }) => id)).toContain(stored?.id);
    expect(await listedIds()).not.toContain(pulled.imageRef);
    expect((await cri.call("ImageStatus", { image: podImage("a", base) })).image).toBeNull();
    expect((await cri.call("ImageStatus", { image: podImage("a", app) })).image?.id).toBe(imageRef);
    expect((await cri.call("PullImage", { image: podImage("a", app) })).imageRef).toBe(imageRef);

    await cri.call("RemoveImage", { image: { image: imageRef } });
    expect(await aci.isImagePresent(app)).toBe(false);
    expect((await aci.listImages()).map(({ id }) => id)).not.toContain(stored?.id);
    await cri.call("RemoveImage", { image: { image: imageRef } });
    const again = await cri.call("PullImage", { image: podImage("a", app) });
    await cri.call("RemoveImage", { image: podImage("a", app) });
    expect(await listedIds()).not.toContain(again.imageRef);
  });

  test("goes on with a containerd that was killed and started again", async () => {
    const spec = publish("restart", "restart");
    const { imageRef } = await cri.call("PullImage", { image: podImage("a", spec) });
    await containerd.kill();
    await expect(cri.call("ListImages", {})).rejects.toMatchObject({ code: "runtime-unreachable" });
    await containerd.restart();
    expect((await cri.call("ImageStatus", { image: podImage("a", spec) })).image?.id).toBe(imageRef);
    await cri.call("RemoveImage", { image: { image: imageRef } });
    expect((await cri.call("PullImage", { image: podImage("a", spec) })).imageRef).toBe(imageRef);
  });
});

function fileOf(name: string): string {
  return `files.example/images.example/${name}-1.0-linux-amd64.aci`;
}

/** What kubelet says of the image of a pod whose annotations the gateway has written. */
function podImage(
  container: string,
  spec: ImageSpec,
): { readonly image: string; readonly annotations: Readonly<Record<string, string>> } {
  const { image, stored } = lowerImageSpec(spec);
  return { image, annotations: stored === undefined ? {} : { [storedSpecKey(container)]: stored } };
}
