import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../src/core/log.ts";
import { lowerImageSpec, storedSpecKey } from "../../src/imagespec/convert/stored-spec.ts";
import { createAciImageService } from "../../src/imagespec/service/aci/aci-image-service.ts";
import { createContainerdAciService } from "../../src/imagespec/service/containerd/containerd-aci-service.ts";
import { connectCri, type CriConnection } from "../../src/imagespec/service/cri/cri-connection.ts";
import { type ImageProxy, startImageProxy } from "../../src/imagespec/service/proxy/image-proxy.ts";
import type { ImageSpec } from "../../src/reference/image-spec.ts";
import { makeAci } from "../support/aci-archive.ts";
import { type AciHost, startAciHost, usualTemplate } from "../support/aci-host.ts";
import { createAuthority } from "../support/certificates.ts";
import { type Containerd, startContainerd } from "../support/containerd.ts";
import { connectRuntime } from "../support/cri-runtime.ts";
import { pushDockerImage } from "../support/docker-image.ts";
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
  let proxy: ImageProxy;
  let cri: CriConnection;

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
    const ca = await readFile(authority.certificateFile);
    proxy = await startImageProxy({
      listen: `unix://${folder.path}/image-service.sock`,
      runtimeEndpoint: containerd.endpoint,
      acis: createContainerdAciService({
        endpoint: containerd.endpoint,
        aci: await createAciImageService({
          folder: path.join(folder.path, "store"),
          access: { ca, proxy: { address: host.proxy } },
          platform: { os: "linux", architecture: "amd64" },
          retry: { baseDelayMs: 10 },
        }),
      }),
      log,
    });
    cri = connectCri(proxy.endpoint);
  });

  afterAll(async () => {
    cri.close();
    await proxy.stop(1_000);
    await containerd.stop();
    await registry.stop();
    await host.stop();
    await folder.remove();
  });

  test("starts a container of an ACI", async () => {
    const spec: ImageSpec = { aci: { name: "images.example/hello", tag: "1.0" } };
    const app = { exec: ["/program", "from", "an ACI"], user: "0", group: "0" };
    host.serve(
      "files.example/images.example/hello-1.0-linux-amd64.aci",
      makeAci({ name: "images.example/hello", version: "1.0", fields: { app } }, { program }, 0o755),
    );
    const image = podImage("hello", spec);
    expect((await cri.call("ImageStatus", { image })).image).toBeNull();
    const { imageRef } = await cri.call("PullImage", { image });
    expect(imageRef).toMatch(/^sha256:/u);
    const status = await cri.call("ImageStatus", { image });
    expect(status.image).toMatchObject({ id: imageRef, repoTags: ["aci.invalid/images.example/hello:1.0"] });

    const runtime = connectRuntime(proxy.endpoint);
    const logs = path.join(folder.path, "logs");
    await mkdir(logs);
    const config = {
      metadata: { name: "pod", uid: "pod-uid", namespace: "default", attempt: 0 },
      logDirectory: logs,
      linux: { securityContext: { namespaceOptions: { network: "NODE", pid: "CONTAINER", ipc: "POD" } } },
    };
    const { podSandboxId } = await runtime.call("RunPodSandbox", { config });
    const { containerId } = await runtime.call("CreateContainer", {
      podSandboxId,
      config: { metadata: { name: "hello" }, image: { image: imageRef }, logPath: "hello.log" },
      sandboxConfig: config,
    });
    await runtime.call("StartContainer", { containerId });
    await expect
      .poll(async () => readFile(path.join(logs, "hello.log"), "utf8"))
      .toContain("arguments: [from an ACI]");
    await runtime.call("RemoveContainer", { containerId });
    await runtime.call("StopPodSandbox", { podSandboxId });
    await runtime.call("RemovePodSandbox", { podSandboxId });
    runtime.close();
  });
});

/** What kubelet says of the image of a pod whose annotations the gateway has written. */
function podImage(
  container: string,
  spec: ImageSpec,
): { image: string; annotations: Record<string, string> } {
  const { image, stored } = lowerImageSpec(spec);
  return { image, annotations: stored === undefined ? {} : { [storedSpecKey(container)]: stored } };
}
