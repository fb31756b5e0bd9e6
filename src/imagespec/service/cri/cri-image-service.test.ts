import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FairleadError } from "../../../core/error.ts";
import { toImageSpec } from "../../../reference/image-spec.ts";
import { parseReference } from "../../../reference/reference.ts";
import { type CriAnswer, type CriServer, startCriServer } from "../../../../test/support/cri-server.ts";
import { createTempDir, type TempDir } from "../../../../test/support/temp-dir.ts";
import type { ImageService } from "../image-service.ts";
import { createCriImageService } from "./cri-image-service.ts";

const id = `sha256:${"1".repeat(64)}`;
const spec = toImageSpec(parseReference("quay.io/a/b:v1"));
const image = { id, repoTags: ["quay.io/a/b:v1"], repoDigests: [`quay.io/a/b@${id}`], size: "10" };

let folder: TempDir;
let server: CriServer | undefined;
let service: ImageService | undefined;

beforeEach(async () => {
  folder = await createTempDir("cri");
});
afterEach(async () => {
  await service?.close();
  server?.stop();
  await folder.remove();
});

async function serve(answers: Parameters<typeof startCriServer>[1]): Promise<ImageService> {
  server = await startCriServer(`${folder.path}/cri.sock`, answers);
  service = createCriImageService({ endpoint: server.endpoint });
  return service;
}

async function errorOf(call: Promise<unknown>): Promise<FairleadError> {
  const thrown: unknown = await call.catch((error: unknown) => error);
  if (thrown instanceof FairleadError) return thrown;
  throw new Error("it did not fail as expected", { cause: thrown });
}

describe("what a runtime says and what it means", () => {
  test.each([
    [1, "context canceled", "aborted", false],
    [2, "no room", "runtime-failed", false],
    [2, "RegistryUnavailable: refused", "registry-unreachable", true],
    [2, "SignatureValidationFailed: no key", "signature-invalid", false],
    [2, 'failed to do request: Head "https://quay.io": EOF', "registry-unreachable", true],
    [2, "unexpected status code https://quay.io/v2/: 503 Service Unavailable", "registry-failed", true],
    [2, "unexpected status code https://quay.io/v2/: 429 Too Many Requests", "registry-failed", true],
    [2, "failed with status code [manifests v1]: 401 Unauthorized", "registry-unauthorized", false],
    [2, "failed to fetch anonymous token: 403 Forbidden", "registry-unauthorized", false],
    [2, "pull access denied: insufficient_scope: authorization failed", "registry-unauthorized", false],
    [4, "context deadline exceeded", "timeout", true],
    [5, "not found", "image-not-found", false],
    [7, "denied", "registry-unauthorized", false],
    [8, "too large", "limit-exceeded", false],
    [12, "unknown service runtime.v1.ImageService", "runtime-failed", false],
    [13, "internal", "runtime-failed", false],
    [16, "who are you", "registry-unauthorized", false],
  ])("%d %s: %s", async (code, details, expected, retryable) => {
    const served = await serve({ PullImage: () => ({ code, details }), ImageStatus: () => ({}) });
    const error = await errorOf(served.pullImage(spec));
    expect(error).toMatchObject({ code: expected, retryable });
    expect(error.message).toContain(details);
  });

  test("a text of any length is cut, and control characters are shown", async () => {
    const details = `\u001b[31m${"x".repeat(5_000)}`;
    const served = await serve({ ListImages: () => ({ code: 2, details }) });
    const error = await errorOf(served.listImages());
    expect(error.message.length).toBeLessThan(1_200);
    expect(error.message).toContain(String.raw`\x1b[31m`);
  });
});

test("a runtime that tells secrets is not repeated", async () => {
  const credentials = [{ kind: "basic", username: "me", password: "my-password" }] as const;
  const answer = { code: 2, details: `${"x".repeat(900)} my-password with me:my-password` };
  const served = await serve({ PullImage: () => answer, ImageStatus: () => ({}) });
  const error = await errorOf(served.pullImage(spec, { credentials }));
  expect(error.message).toContain("[redacted]");
  expect(inspect(error, { depth: 5 })).not.toContain("my-password");
});

describe("what is not asked for is not believed", () => {
  test("an image with another name is not present, and nothing is removed", async () => {
    const other = { ...image, repoTags: ["quay.io/a/b:v2"], repoDigests: [] };
    const served = await serve({ ImageStatus: () => ({ image: other }), RemoveImage: () => ({}) });
    expect(await served.isImagePresent(spec)).toBe(false);
    expect(await served.imageStatus(spec)).toBeUndefined();
    await served.removeImage(spec);
    expect(server?.calls.map(({ method }) => method)).not.toContain("RemoveImage");
  });

  test("a pinned image stays, even with all of its names", async () => {
    const served = await serve({
      ImageStatus: () => ({ image: { ...image, pinned: true } }),
      RemoveImage: () => ({}),
    });
    expect((await served.imageStatus(spec))?.pinned).toBe(true);
    expect((await errorOf(served.removeImage(spec, { allNames: true }))).code).toBe("image-in-use");
    expect(server?.calls.map(({ method }) => method)).not.toContain("RemoveImage");
  });

  test("the names that would be lost are told", async () => {
    const repoTags = ["quay.io/a/b:v1", "quay.io/a/b:v2", "quay.io/c:v1"];
    const served = await serve({ ImageStatus: () => ({ image: { ...image, repoTags } }) });
    const error = await errorOf(served.removeImage(spec));
    expect(error.message).toContain("quay.io/a/b:v2, quay.io/c:v1");
  });
});

test("an ACI is refused before a socket is looked for", async () => {
  service = createCriImageService({ endpoint: "/nowhere/at/all.sock" });
  const aci = { aci: { name: "example.com/a" } };
  for (const call of [service.pullImage(aci), service.isImagePresent(aci), service.removeImage(aci)]) {
    const [settled] = await Promise.allSettled([call]);
    expect(settled).toMatchObject({ reason: { code: "image-format-unsupported" } });
  }
});

test.each([
  "",
  "containerd.sock",
  "tcp://127.0.0.1:1",
  "http://127.0.0.1",
  "npipe:////./pipe/x",
  "unix://a.sock",
])("'%s' is no endpoint", (endpoint) => {
  expect(() => createCriImageService({ endpoint })).toThrow(
    expect.objectContaining({ code: "config-invalid" }),
  );
});

test("many images are listed in the order of their IDs", async () => {
  const images = Array.from({ length: 30_000 }, (_, index) => ({
    ...image,
    id: `sha256:${String((index * 7_919) % 30_000).padStart(64, "0")}`,
  }));
  const served = await serve({ ListImages: () => ({ images }) });
  const listed = await served.listImages();
  expect(listed).toHaveLength(30_000);
  expect(listed.map((stored) => stored.id)).toEqual(images.map((stored) => stored.id).toSorted());
});

test("a list that is larger than any runtime sends is refused", async () => {
  const images = Array.from({ length: 20 }, () => ({ ...image, username: "x".repeat(1024 * 1024) }));
  const served = await serve({ ListImages: (): CriAnswer => ({ images }) });
  expect((await errorOf(served.listImages())).code).toBe("limit-exceeded");
});

test("file systems of images are told with their sizes", async () => {
  const usage = { timestamp: "1795353843946372252", fsId: { mountpoint: "/images" } };
  const served = await serve({
    ImageFsInfo: () => ({
      imageFilesystems: [
        { ...usage, usedBytes: { value: "4503599627370496" }, inodesUsed: { value: "7" } },
        { ...usage, fsId: { mountpoint: "/more" } },
      ],
      containerFilesystems: [{ ...usage, fsId: { mountpoint: "/containers" } }],
    }),
  });
  expect(await served.imageFsInfo()).toEqual([
    { mountpoint: "/images", usedBytes: 2 ** 52, inodesUsed: 7 },
    { mountpoint: "/more", usedBytes: 0, inodesUsed: 0 },
  ]);
});
