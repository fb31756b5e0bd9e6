import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hash } from "bcryptjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FairleadError } from "../../src/core/error.ts";
import { createCriImageService } from "../../src/imagespec/service/cri/cri-image-service.ts";
import type { ImageService } from "../../src/imagespec/service/image-service.ts";
import { toImageSpec, type ImageSpec } from "../../src/reference/image-spec.ts";
import { parseReference } from "../../src/reference/reference.ts";
import type { Credentials } from "../../src/registry/registry-api.ts";
import { createSecretKeychain } from "../../src/registry/credentials/secret-keychain.ts";
import { type Containerd, startContainerd } from "../support/containerd.ts";
import { pushDockerImage } from "../support/docker-image.ts";
import { codeOf } from "../support/image-service-contract.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { type RegistryGate, startRegistryGate } from "../support/registry-gate.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const user = { name: "puller", password: "right-password" };
const right: Credentials = { kind: "basic", username: user.name, password: user.password };
const wrong: Credentials = { kind: "basic", username: user.name, password: "wrong-password" };
const token: Credentials = { kind: "registry-token", token: "wrong-token" };

const specOf = (text: string): ImageSpec => toImageSpec(parseReference(text));

await describeWithTools(["containerd", "docker-registry"], "containerd and registries that fail", (paths) => {
  let folder: TempDir;
  let containerd: Containerd;
  let registry: Registry;
  let gate: RegistryGate;
  let service: ImageService;

  beforeAll(async () => {
    folder = await createTempDir("cri");
    registry = await startRegistry(paths["docker-registry"]);
    gate = await startRegistryGate(registry.host);
    containerd = await startContainerd(paths.containerd);
    service = createCriImageService({ endpoint: containerd.endpoint });
  });
  afterAll(async () => {
    await service.close();
    await containerd.stop();
    await gate.stop();
    await registry.stop();
    await folder.remove();
  });

  const push = async (repository: string, tag: string, isArtifact = false): Promise<ImageSpec> => {
    const content = `${repository} ${tag} ${isArtifact}`;
    await pushDockerImage({ url: registry.url, repository, tag, content, isArtifact });
    return specOf(`${gate.host}/${repository}:${tag}`);
  };

  describe("credentials", () => {
    let closedRegistry: Registry;
    let host = "";
    let closedGate: RegistryGate;

    beforeAll(async () => {
      const htpasswdFile = path.join(folder.path, "htpasswd");
      await writeFile(htpasswdFile, `${user.name}:${await hash(user.password, 4)}\n`);
      closedRegistry = await startRegistry(paths["docker-registry"], { auth: { htpasswdFile } });
      closedGate = await startRegistryGate(closedRegistry.host);
      host = closedGate.host;
      for (const repository of ["team/app", "team/other", "team/both"]) {
        const image = { url: closedRegistry.url, repository, tag: "v1", content: repository };
        await pushDockerImage({ ...image, user });
      }
    });
    afterAll(async () => {
      await closedGate.stop();
      await closedRegistry.stop();
    });

    test.each([
      ["none", [], "registry-unauthorized"],
      ["wrong ones", [wrong, token], "registry-unauthorized"],
      ["the right ones", [right], undefined],
      ["wrong ones before the right ones", [wrong, token, right], undefined],
      ["the right ones before wrong ones", [right, wrong], undefined],
    ] as const)("%s", async (_name, credentials, code) => {
      const spec = specOf(`${host}/team/app:v1`);
      await service.removeImage(spec);
      expect(await codeOf(service.pullImage(spec, { credentials }))).toBe(code);
      expect(await service.isImagePresent(spec)).toBe(code === undefined);
    });

    test("the next ones are tried where the registry refuses the first, and nowhere else", async () => {
      const spec = specOf(`${host}/team/missing:v1`);
      const before = closedGate.passed.length;
      expect(await codeOf(service.pullImage(spec, { credentials: [right, right] }))).toBe("image-not-found");
      const once = closedGate.passed.length - before;
      expect(await codeOf(service.pullImage(spec, { credentials: [right] }))).toBe("image-not-found");
      expect(closedGate.passed.length - before).toBe(2 * once);
    });

    test("those of pull secrets are found as kubelet finds them", async () => {
      const entry = (password: string): object => ({ username: user.name, password });
      const auths = { [host]: entry("wrong-password"), [`${host}/team/other`]: entry(user.password) };
      const data = { ".dockerconfigjson": Buffer.from(JSON.stringify({ auths })) };
      const keychain = createSecretKeychain([
        { meta: { name: "pull" }, type: "kubernetes.io/dockerconfigjson", data },
      ]);
      const keyed = createCriImageService({
        endpoint: containerd.endpoint,
        findCredentials: (repository) => keychain.findAll(repository),
      });
      const spec = specOf(`${host}/team/other:v1`);
      await keyed.pullImage(spec);
      expect(await keyed.isImagePresent(spec)).toBe(true);
      expect(await codeOf(keyed.pullImage(specOf(`${host}/team/app:v1`)))).toBe("registry-unauthorized");
      await keyed.close();
    });

    test("who has other credentials does not share a pull", async () => {
      const spec = specOf(`${host}/team/both:v1`);
      const release = closedGate.hold();
      const pulls = [right, wrong, right].map(async (one) =>
        codeOf(service.pullImage(spec, { credentials: [one] })),
      );
      await sleep(200);
      release();
      expect(await Promise.all(pulls)).toEqual([undefined, "registry-unauthorized", undefined]);
    });

    test("no error tells them", async () => {
      const spec = specOf(`${host}/team/app:v2`);
      const error = await errorOf(service.pullImage(spec, { credentials: [wrong, token] }));
      expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/wrong-(?:password|token)/u);
    });
  });

  describe("what cannot be unpacked", () => {
    test("leaves nothing", async () => {
      const spec = await push("left/artifact", "v1", true);
      const before = await service.listImages();
      expect(await codeOf(service.pullImage(spec))).toBe("runtime-failed");
      await sleep(500);
      expect(await service.listImages()).toEqual(before);
    });

    test("leaves the image that had its tag", async () => {
      const spec = await push("left/moved", "v1");
      const oldId = await service.pullImage(spec);
      const [digest = ""] = (await service.imageStatus(spec))?.digests ?? [];
      await push("left/moved", "v1", true);
      expect(await codeOf(service.pullImage(spec))).toBe("runtime-failed");
      expect((await service.imageStatus(specOf(digest)))?.id).toBe(oldId);
      expect(await service.isImagePresent(spec)).toBe(false);
    });

    test("stays where it was there before", async () => {
      const first = await push("left/first", "v1", true);
      const second = await push("left/second", "v1", true);
      const { connectCri } = await import("../../src/imagespec/service/cri/cri-connection.ts");
      const runtime = connectCri(containerd.endpoint);
      const image = { image: { image: `${gate.host}/left/first:v1` } };
      await expect(runtime.call("PullImage", image)).rejects.toThrow("unpack");
      expect(await codeOf(service.pullImage(first))).toBe("runtime-failed");
      expect(await codeOf(service.pullImage(second))).toBe("runtime-failed");
      expect(await service.isImagePresent(first)).toBe(true);
      await service.removeImage(first, { allNames: true });
      expect(await service.isImagePresent(first)).toBe(false);
      runtime.close();
    });
  });

  test("a registry that is down is told as such, and what is there stays", async () => {
    const spec = await push("down/app", "v1");
    await service.pullImage(spec);
    const repair = gate.breakDown();
    const error = await errorOf(service.pullImage(spec));
    expect(error).toMatchObject({ code: "registry-unreachable", retryable: true });
    expect(await service.isImagePresent(spec)).toBe(true);
    repair();
    await service.pullImage(spec);
  });

  test("twenty who pull one image ask the registry for each part of it once", async () => {
    const spec = await push("many/app", "v1");
    const before = gate.passed.length;
    await Promise.all(Array.from({ length: 20 }, async () => service.pullImage(spec)));
    const asked = gate.passed.slice(before).map(({ method, path: at }) => `${method} ${at}`);
    expect(asked).toHaveLength(new Set(asked).size);
    expect(asked.filter((one) => one.includes("/blobs/"))).toHaveLength(2);
  });

  test("a runtime that never was is not waited for", async () => {
    const missing = createCriImageService({ endpoint: `unix://${folder.path}/missing.sock` });
    const startedMs = performance.now();
    const error = await errorOf(missing.listImages());
    expect(error).toMatchObject({ code: "runtime-unreachable", retryable: true });
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await missing.close();
  });

  test("a pull goes on after the runtime was killed and started again", async () => {
    const spec = await push("killed/app", "v1");
    const release = gate.hold();
    const pull = service.pullImage(spec);
    await sleep(300);
    await containerd.kill();
    release();
    await containerd.restart();
    expect(await pull).toMatch(/^sha256:/u);
    expect(await service.isImagePresent(spec)).toBe(true);
  });

  test("a runtime that stays away is told as such, and found once it is back", async () => {
    const listed = await service.listImages();
    await containerd.kill();
    const endsSoon = await errorOf(service.listImages({ timeoutMs: 500 }));
    expect(endsSoon.code).toBe("timeout");
    expect(await codeOf(service.listImages())).toBe("runtime-unreachable");
    await containerd.restart();
    expect(await service.listImages()).toEqual(listed);
  });
});

async function errorOf(call: Promise<unknown>): Promise<FairleadError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FairleadError) return error;
  throw new Error("it did not fail");
}
