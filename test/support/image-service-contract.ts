import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/core/error.ts";
import { FairleadError } from "../../src/core/error.ts";
import type { ImageFormat } from "../../src/imagespec/convert/node-formats.ts";
import type { ImageService, PullProgress } from "../../src/imagespec/service/image-service.ts";
import type { ImageSpec } from "../../src/reference/image-spec.ts";

/** A store of images with a source to pull from, for one run of the contract. */
export interface ImageServiceHarness {
  readonly format: ImageFormat;
  /** Whether two tags can name one image, as where the image does not hold its tag itself. */
  readonly imagesShareTags: boolean;
  /** A new service over the one store of this harness. */
  open(): Promise<ImageService>;
  /**
   * Puts an image at the source; a tag that is there moves.
   * @param name components of a path; the harness puts what it needs before it
   */
  publish(image: {
    readonly name: string;
    readonly tag: string;
    readonly content: string;
  }): Promise<PublishedImage>;
  /** Holds back what the source answers from now on, until the function that it gives is called. */
  hold(): () => void;
  /** How often the source was asked which image the published tag means. */
  timesAsked(image: PublishedImage): number;
  /** Everything that the source was asked. */
  requests(): number;
  stop(): Promise<void>;
}

/** The names of an image at the source. */
export interface PublishedImage {
  readonly tagged: ImageSpec;
  /** By digest or ID alone. */
  readonly pinned: ImageSpec;
  /** By tag and digest or ID. */
  readonly exact: ImageSpec;
  /** Neither tag nor digest or ID. */
  readonly bare: ImageSpec;
}

interface Row {
  readonly harness: ImageServiceHarness;
  readonly service: ImageService;
  /** A name that no other row has. */
  readonly name: string;
}

type Check = (row: Row) => Promise<void>;

/** What every image service does, whatever it stands on. */
const checks: Readonly<Record<string, Check>> = {
  "the format of its images is one it has": async ({ harness, service }) => {
    expect([...service.formats]).toEqual([harness.format]);
    await Promise.resolve();
  },
  "pulled by tag, it is present by tag, by digest and by both": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    for (const spec of namesOf(image)) expect(await service.isImagePresent(spec)).toBe(false);
    await service.pullImage(image.tagged);
    for (const spec of namesOf(image)) expect(await service.isImagePresent(spec)).toBe(true);
  },
  "a pull by digest, or by tag and digest, makes it present as it was named": async ({
    harness,
    service,
    name,
  }) => {
    const first = await harness.publish({ name: `${name}-a`, tag: "v1", content: `${name} a` });
    await service.pullImage(first.pinned);
    expect(await service.isImagePresent(first.pinned)).toBe(true);
    const second = await harness.publish({ name: `${name}-b`, tag: "v1", content: `${name} b` });
    await service.pullImage(second.exact);
    expect(await service.isImagePresent(second.exact)).toBe(true);
    expect(await service.isImagePresent(second.pinned)).toBe(true);
  },
  "the pull, the status and the list tell one ID": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    expect(await service.imageStatus(image.tagged)).toBeUndefined();
    const id = await service.pullImage(image.tagged);
    const status = await service.imageStatus(image.tagged);
    expect(status).toMatchObject({ id, format: harness.format, names: [image.tagged] });
    expect(status?.sizeBytes).toBeGreaterThan(0);
    expect(status?.digests).toHaveLength(1);
    const listed = await service.listImages();
    expect(listed.filter((stored) => stored.id === id)).toEqual([status]);
    expect(listed.map((stored) => stored.id)).toEqual(listed.map((stored) => stored.id).toSorted());
  },
  "a second pull gives the same ID": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const id = await service.pullImage(image.tagged);
    expect(await service.pullImage(image.tagged)).toBe(id);
    expect(await service.pullImage(image.pinned)).toBe(id);
  },
  "no tag and no digest means latest": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "latest", content: name });
    const other = await harness.publish({ name, tag: "v1", content: `${name} other` });
    await service.pullImage(other.tagged);
    expect(await service.isImagePresent(image.bare)).toBe(false);
    const id = await service.pullImage(image.bare);
    expect(await service.isImagePresent(image.bare)).toBe(true);
    expect((await service.imageStatus(image.bare))?.id).toBe(id);
  },
  "another tag and another digest are not present": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const other = await harness.publish({ name, tag: "v2", content: `${name} other` });
    await service.pullImage(image.tagged);
    expect(await service.isImagePresent(other.tagged)).toBe(false);
    expect(await service.isImagePresent(other.pinned)).toBe(false);
    expect(await service.isImagePresent(mix(image, other))).toBe(false);
    expect(await service.isImagePresent(mix(other, image))).toBe(false);
    await service.pullImage(other.tagged);
    expect(await service.isImagePresent(mix(image, other))).toBe(false);
    expect(await service.isImagePresent(mix(other, image))).toBe(false);
  },
  "a tag that moved is the old image until it is pulled": async ({ harness, service, name }) => {
    const before = await harness.publish({ name, tag: "v1", content: `${name} before` });
    const oldId = await service.pullImage(before.tagged);
    const after = await harness.publish({ name, tag: "v1", content: `${name} after` });
    expect((await service.imageStatus(after.tagged))?.id).toBe(oldId);
    expect(await service.isImagePresent(after.exact)).toBe(false);
    const newId = await service.pullImage(after.tagged);
    expect(newId).not.toBe(oldId);
    expect((await service.imageStatus(after.tagged))?.id).toBe(newId);
    expect(await service.isImagePresent(before.exact)).toBe(false);
  },
  "what the source does not have cannot be pulled, and leaves nothing": async ({
    harness,
    service,
    name,
  }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const before = await service.listImages();
    const code = harness.format === "aci" ? "aci-not-found" : "image-not-found";
    expect(await codeOf(service.pullImage(retagged(image.tagged, "v404")))).toBe(code);
    expect(await service.listImages()).toEqual(before);
  },
  "removed, an image is gone": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const id = await service.pullImage(image.tagged);
    await service.removeImage(image.tagged);
    for (const spec of namesOf(image)) expect(await service.isImagePresent(spec)).toBe(false);
    expect(await service.imageStatus(image.tagged)).toBeUndefined();
    expect((await service.listImages()).map((stored) => stored.id)).not.toContain(id);
    expect(await service.pullImage(image.tagged)).toBe(id);
  },
  "to remove what is absent is no error and removes nothing": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const other = await harness.publish({ name, tag: "v2", content: `${name} other` });
    await service.pullImage(image.tagged);
    const before = await service.listImages();
    await service.removeImage(other.tagged);
    await service.removeImage(other.pinned);
    await service.removeImage(mix(image, other));
    await service.removeImage(mix(other, image));
    await service.removeImage(image.bare);
    expect(await service.listImages()).toEqual(before);
  },
  "to remove one image leaves another of the same repository": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const other = await harness.publish({ name, tag: "v2", content: `${name} other` });
    await service.pullImage(image.tagged);
    await service.pullImage(other.tagged);
    await service.removeImage(image.tagged);
    expect(await service.isImagePresent(image.tagged)).toBe(false);
    expect(await service.isImagePresent(other.exact)).toBe(true);
  },
  "a digest does not take away a tag": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    await service.pullImage(image.tagged);
    expect(await codeOf(service.removeImage(image.pinned))).toBe("image-in-use");
    expect(await service.isImagePresent(image.exact)).toBe(true);
    await service.removeImage(image.pinned, { allNames: true });
    expect(await service.isImagePresent(image.tagged)).toBe(false);
    expect(await service.isImagePresent(image.pinned)).toBe(false);
    await service.pullImage(image.pinned);
    await service.removeImage(image.pinned);
    expect(await service.isImagePresent(image.pinned)).toBe(false);
  },
  "another format is refused before anything is asked": async ({ harness, service }) => {
    const before = harness.requests();
    const spec: ImageSpec =
      harness.format === "aci"
        ? { dockerImage: { registry: "127.0.0.1:1", name: "a", tag: "v1" } }
        : { aci: { name: "example.com/a", tag: "v1" } };
    for (const code of await codesOf(callsOn(service, spec))) expect(code).toBe("image-format-unsupported");
    expect(harness.requests()).toBe(before);
  },
  "a spec that is no image is refused before anything is asked": async ({ harness, service }) => {
    const before = harness.requests();
    const listed = await service.listImages();
    for (const spec of invalidSpecs(harness.format)) {
      for (const code of await codesOf(callsOn(service, spec))) {
        expect(["reference-invalid", "image-spec-invalid", "input-invalid"]).toContain(code);
      }
    }
    expect(harness.requests()).toBe(before);
    expect(await service.listImages()).toEqual(listed);
  },
  "many who want one image share one pull": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const before = harness.timesAsked(image);
    const release = harness.hold();
    const leaves = new AbortController();
    const leaving = codeOf(service.pullImage(image.tagged, { signal: leaves.signal }));
    const pulls = Array.from({ length: 20 }, async () => service.pullImage(image.tagged));
    await sleep(300);
    leaves.abort();
    expect(await leaving).toBe("aborted");
    release();
    expect(new Set(await Promise.all(pulls)).size).toBe(1);
    expect(harness.timesAsked(image) - before).toBe(1);
  },
  "different images are pulled side by side": async ({ harness, service, name }) => {
    const images = await Promise.all(
      ["a", "b", "c", "d"].map(async (part) =>
        harness.publish({ name: `${name}/${part}`, tag: "v1", content: `${name} ${part}` }),
      ),
    );
    const ids = await Promise.all(images.map(async (image) => service.pullImage(image.tagged)));
    expect(new Set(ids).size).toBe(images.length);
    for (const image of images) expect(await service.isImagePresent(image.exact)).toBe(true);
  },
  "who stops a pull does not wait for it, and may pull again": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    expect(await codeOf(service.pullImage(image.tagged, { signal: AbortSignal.abort() }))).toBe("aborted");
    const release = harness.hold();
    const controller = new AbortController();
    const stopped = codeOf(service.pullImage(image.tagged, { signal: controller.signal }));
    await sleep(200);
    controller.abort();
    expect(await stopped).toBe("aborted");
    release();
    expect(await service.pullImage(image.tagged)).not.toBe("");
    expect(await service.isImagePresent(image.exact)).toBe(true);
  },
  "a pull ends at its deadline": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const release = harness.hold();
    expect(await codeOf(service.pullImage(image.tagged, { timeoutMs: 300 }))).toBe("timeout");
    release();
    expect(await service.pullImage(image.tagged, { timeoutMs: 60_000 })).not.toBe("");
  },
  "progress goes forward and ends": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const seen: PullProgress[] = [];
    await service.pullImage(image.tagged, { onProgress: (progress) => void seen.push(progress) });
    const order = ["resolving", "fetching", "verifying", "unpacking", "done"];
    const steps = seen.map(({ step }) => order.indexOf(step));
    expect(steps).toEqual(steps.toSorted((left, right) => left - right));
    expect(seen.at(-1)?.step).toBe("done");
    expect(steps.filter((step) => step === 4)).toHaveLength(1);
  },
  "file systems are told": async ({ service }) => {
    const systems = await service.imageFsInfo();
    expect(systems.length).toBeGreaterThan(0);
    for (const { mountpoint, usedBytes, inodesUsed } of systems) {
      expect(mountpoint).toMatch(/^\//u);
      expect(usedBytes).toBeGreaterThanOrEqual(0);
      expect(inodesUsed).toBeGreaterThanOrEqual(0);
    }
  },
  "another service on the same store sees the same": async ({ harness, service, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const id = await service.pullImage(image.tagged);
    const second = await harness.open();
    try {
      expect((await second.imageStatus(image.exact))?.id).toBe(id);
      expect(await second.listImages()).toEqual(await service.listImages());
    } finally {
      await second.close();
    }
  },
  "closed, it stops what runs and takes nothing more": async ({ harness, name }) => {
    const image = await harness.publish({ name, tag: "v1", content: name });
    const service = await harness.open();
    const release = harness.hold();
    const running = codeOf(service.pullImage(image.tagged));
    await sleep(200);
    await service.close();
    expect(await running).toBe("aborted");
    release();
    const calls = [...callsOn(service, image.tagged), service.listImages(), service.imageFsInfo()];
    for (const code of await codesOf(calls)) expect(code).toBe("aborted");
    await service.close();
  },
};

/** What holds where two tags can name one image. */
const sharedTagChecks: Readonly<Record<string, Check>> = {
  "two tags of one image are two names of one ID": async ({ harness, service, name }) => {
    const [first, second] = await publishTwice(harness, name);
    const id = await service.pullImage(first.tagged);
    expect(await service.isImagePresent(second.tagged)).toBe(false);
    expect(await service.isImagePresent(second.exact)).toBe(false);
    expect(await service.pullImage(second.tagged)).toBe(id);
    const status = await service.imageStatus(first.tagged);
    expect(status?.names).toHaveLength(2);
    expect(status?.names).toEqual(expect.arrayContaining([first.tagged, second.tagged]));
  },
  "to remove one tag never takes another away": async ({ harness, service, name }) => {
    const [first, second] = await publishTwice(harness, name);
    await service.pullImage(first.tagged);
    await service.pullImage(second.tagged);
    const code = await codeOf(service.removeImage(first.tagged));
    expect([undefined, "image-in-use"]).toContain(code);
    expect(await service.isImagePresent(second.exact)).toBe(true);
    expect(await service.isImagePresent(first.tagged)).toBe(code !== undefined);
    await service.removeImage(second.tagged, { allNames: true });
    expect(await service.isImagePresent(first.tagged)).toBe(false);
    expect(await service.isImagePresent(second.tagged)).toBe(false);
  },
};

/**
 * Runs the contract of {@link ImageService} against one implementation, a test for each row.
 * @param start called once, before the first row
 */
export function describeImageService(title: string, start: () => Promise<ImageServiceHarness>): void {
  describe(title, () => {
    let harness: ImageServiceHarness | undefined;
    let service: ImageService | undefined;
    let count = 0;
    beforeAll(async () => {
      harness = await start();
      service = await harness.open();
    });
    afterAll(async () => {
      await service?.close();
      await harness?.stop();
    });
    const rowOf = (): Row => {
      if (harness === undefined || service === undefined) throw new Error("the harness did not start");
      count += 1;
      return { harness, service, name: `contract/row${count}` };
    };
    test.each(Object.entries(checks))("%s", async (_name, check) => check(rowOf()));
    test.each(Object.entries(sharedTagChecks))("%s", async (_name, check) => {
      const row = rowOf();
      if (row.harness.imagesShareTags) await check(row);
    });
  });
}

/** The code with which a call fails; undefined where it does not. */
export async function codeOf(call: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof FairleadError) return error.code;
    throw error;
  }
}

async function codesOf(calls: readonly Promise<unknown>[]): Promise<readonly (ErrorCode | undefined)[]> {
  return Promise.all(calls.map(codeOf));
}

function namesOf({ tagged, pinned, exact }: PublishedImage): readonly ImageSpec[] {
  return [tagged, pinned, exact];
}

function callsOn(service: ImageService, spec: ImageSpec): readonly Promise<unknown>[] {
  return [
    service.pullImage(spec),
    service.isImagePresent(spec),
    service.imageStatus(spec),
    service.removeImage(spec),
  ];
}

async function publishTwice(
  harness: ImageServiceHarness,
  name: string,
): Promise<readonly [PublishedImage, PublishedImage]> {
  const content = `${name} shared`;
  return [
    await harness.publish({ name, tag: "v1", content }),
    await harness.publish({ name, tag: "v2", content }),
  ];
}

function retagged(spec: ImageSpec, tag: string): ImageSpec {
  return spec.aci === undefined
    ? { dockerImage: { ...spec.dockerImage, tag } }
    : { aci: { ...spec.aci, tag } };
}

/** The tag of one image with the digest or ID of another. */
function mix(tag: PublishedImage, digest: PublishedImage): ImageSpec {
  const wanted = tag.tagged.dockerImage?.tag ?? tag.tagged.aci?.tag;
  return retagged(digest.exact, wanted ?? "");
}

function invalidSpecs(format: ImageFormat): readonly ImageSpec[] {
  if (format === "aci") {
    return [
      { aci: { name: "" } },
      { aci: { name: "Bad Name" } },
      { aci: { name: "a.example/b", id: "sha512-0" } },
    ];
  }
  const registry = "127.0.0.1:1";
  return [
    { dockerImage: { registry, name: "" } },
    { dockerImage: { registry, name: "Bad Name" } },
    { dockerImage: { registry: "", name: "" } },
    { dockerImage: { registry: "", name: "04" } },
    { dockerImage: { registry, name: "a:v1" } },
    { dockerImage: { registry, name: "a", tag: "" } },
    { dockerImage: { registry, name: "a", digest: "" } },
    { dockerImage: { registry, name: "a", digest: "sha256:04" } },
  ];
}
