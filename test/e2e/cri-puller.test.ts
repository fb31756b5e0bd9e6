import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { createCriImageService } from "../../src/imagespec/service/cri/cri-image-service.ts";
import type { ImageService } from "../../src/imagespec/service/image-service.ts";
import {
  createImagePuller,
  type PullEvent,
  type PullOutcome,
} from "../../src/imagespec/service/puller/image-puller.ts";
import type { PullPolicy } from "../../src/imagespec/service/puller/pull-policy.ts";
import { type Containerd, startContainerd } from "../support/containerd.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { type RegistryGate, startRegistryGate } from "../support/registry-gate.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const components = ["containerd", "docker-registry", "umoci", "skopeo"] as const;

await describeWithTools(components, "kubelet's way to pull, on containerd", (paths) => {
  let folder: TempDir;
  let containerd: Containerd;
  let registry: Registry;
  let gate: RegistryGate;
  let service: ImageService;
  let digest = "";
  let nowMs = 0;

  beforeAll(async () => {
    folder = await createTempDir("puller");
    registry = await startRegistry(paths["docker-registry"]);
    gate = await startRegistryGate(registry.host);
    containerd = await startContainerd(paths.containerd, { snapshotter: "overlayfs" });
    service = createCriImageService({ endpoint: containerd.endpoint });
    digest = await pushWithSkopeo(paths, folder.path, registry.host);
  });
  afterAll(async () => {
    await service.close();
    await containerd.stop();
    await gate.stop();
    await registry.stop();
    await folder.remove();
  });

  const nameOf = (image: string): string => `"${gate.host}/${image}"`;

  /** What came of it, what was told, and whether the registry was asked. */
  const ensure = async (
    image: string,
    policy: PullPolicy | undefined,
    podUid: string,
  ): Promise<{ outcome: PullOutcome; told: readonly string[]; isAsked: boolean }> => {
    const puller = createImagePuller({ service, maxParallelPulls: 1, nowMs: () => nowMs });
    const events: PullEvent[] = [];
    const before = gate.passed.length;
    const wanted = { podUid, image: `${gate.host}/${image}`, policy };
    const outcome = await puller.ensureImage(wanted, (event) => void events.push(event));
    const told = events.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
    return { outcome, told, isAsked: gate.passed.length > before };
  };

  test("an image of umoci and skopeo is pulled, found, and pulled again where it says latest", async () => {
    const never = await ensure("library/tiny:v1", "Never", "a");
    expect(never).toMatchObject({ outcome: { reason: "ErrImageNeverPull" }, isAsked: false });
    const first = await ensure("library/tiny:v1", undefined, "a");
    expect(first.told[0]).toBe(`Normal Pulling Pulling image ${nameOf("library/tiny:v1")}`);
    expect(first.told[1]).toMatch(
      /^Normal Pulled Successfully pulled image "[^"]+" in 0s \(0s including waiting\)\. Image size: [1-9]\d* bytes\.$/u,
    );
    const present = `already present on machine`;
    expect(await ensure("library/tiny:v1", undefined, "a")).toEqual({
      outcome: first.outcome,
      told: [`Normal Pulled Container image ${nameOf("library/tiny:v1")} ${present}`],
      isAsked: false,
    });
    // As with any runtime of kubelet's, the digest counts, whatever the tag beside it.
    const pinned = await ensure(`library/tiny:other@${digest}`, undefined, "a");
    expect(pinned).toMatchObject({ outcome: first.outcome, isAsked: false });
    const latest = await ensure("library/tiny", undefined, "a");
    expect(latest).toMatchObject({ outcome: first.outcome, isAsked: true });
    expect(await ensure("library/tiny", undefined, "a")).toMatchObject({ isAsked: true });
    expect(await ensure("library/tiny", "IfNotPresent", "a")).toMatchObject({ isAsked: false });
  });

  test("failures are told, and waited after", async () => {
    const puller = createImagePuller({ service, nowMs: () => nowMs });
    const reasons: string[] = [];
    const attempt = async (image: string, aheadMs: number): Promise<string | undefined> => {
      nowMs += aheadMs;
      const wanted = { podUid: "b", image, policy: "Always" } as const;
      const { reason } = await puller.ensureImage(wanted, (event) => void reasons.push(event.reason));
      return reason;
    };
    const missing = `${gate.host}/library/missing:v1`;
    expect(await attempt(missing, 0)).toBe("ErrImagePull");
    expect(await attempt(missing, 9_999)).toBe("ImagePullBackOff");
    expect(await attempt(missing, 1)).toBe("ErrImagePull");
    expect(await attempt(missing, 19_999)).toBe("ImagePullBackOff");
    const repair = gate.breakDown();
    expect(await attempt(missing, 1)).toBe("RegistryUnavailable");
    repair();
    expect(reasons).toEqual([
      "Pulling",
      "Failed",
      "BackOff",
      "Pulling",
      "Failed",
      "BackOff",
      "Pulling",
      "Failed",
    ]);
    expect(await attempt(`${gate.host}/Bad Name`, 0)).toBe("InvalidImageName");
  });

  test("an ACI is not for containerd", async () => {
    const puller = createImagePuller({ service, nowMs: () => nowMs });
    const wanted = {
      podUid: "c",
      image: "example.com/app:v1",
      spec: { aci: { name: "example.com/app", tag: "v1" } },
    };
    const outcome = await puller.ensureImage(wanted, () => undefined);
    expect(outcome.reason).toBe("ImageInspectError");
  });
});

/** @returns the digest of the manifest, under the tags v1 and latest */
async function pushWithSkopeo(
  paths: Readonly<Record<"umoci" | "skopeo", string>>,
  folder: string,
  host: string,
): Promise<string> {
  await mkdir(path.join(folder, "rootfs"));
  await writeFile(path.join(folder, "rootfs", "hello.txt"), "hello");
  const steps: readonly (readonly [string, readonly string[]])[] = [
    [paths.umoci, ["init", "--layout", "oci"]],
    [paths.umoci, ["new", "--image", "oci:tiny"]],
    [paths.umoci, ["insert", "--image", "oci:tiny", "--rootless", "rootfs", "/"]],
    ...["v1", "latest"].map((tag): [string, readonly string[]] => [
      paths.skopeo,
      ["copy", "--dest-tls-verify=false", "oci:oci:tiny", `docker://${host}/library/tiny:${tag}`],
    ]),
    [
      paths.skopeo,
      ["inspect", "--tls-verify=false", "--format={{.Digest}}", `docker://${host}/library/tiny:v1`],
    ],
  ];
  let last = "";
  for (const [program, args] of steps) {
    const { exitCode, stdout, stderr } = await run(program, args, { cwd: folder });
    if (exitCode !== 0) throw new Error(`${program} ${args[0]}: ${stderr}`);
    last = stdout.trim();
  }
  return last;
}
