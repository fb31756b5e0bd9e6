import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FairleadError } from "../core/error.ts";
import type { RegistryClient } from "../registry/registry-api.ts";
import type { ImageRepository } from "./objects/image-repository.ts";
import { reconcileRepository, type ScanPorts } from "./scan.ts";
import { type AutomationState, openState } from "./state/automation-state.ts";

const minuteMs = 60_000;
let state: AutomationState;
let listed: readonly string[];
let failure: FairleadError | undefined;
let scans = 0;
let nowMs = 0;

beforeEach(async () => {
  state = await openState(undefined);
  listed = ["v1.0.0", "v1.1.0", "sha256-1.sig", "latest"];
  failure = undefined;
  scans = 0;
  nowMs = 1_000_000;
});

afterEach(() => state.close());

const unused = (): Promise<never> => Promise.reject(new Error("not asked for"));
const client: RegistryClient = {
  listTags: () => {
    scans += 1;
    return failure === undefined ? Promise.resolve(listed) : Promise.reject(failure);
  },
  headManifest: unused,
  getManifest: unused,
  getBlob: unused,
};

const ports = (): ScanPorts => ({ state, connect: () => client, nowMs: () => nowMs });

function repository(
  spec: Partial<ImageRepository["spec"]> = {},
  annotations: Readonly<Record<string, string>> = {},
): ImageRepository {
  return {
    kind: "ImageRepository",
    meta: { namespace: "ns", name: "app", labels: {}, annotations, generation: 1, where: {} },
    spec: {
      image: "ghcr.io/org/app",
      intervalMs: 5 * minuteMs,
      timeoutMs: minuteMs,
      suspend: false,
      insecure: false,
      exclusionList: [String.raw`^.*\.sig$`],
      provider: "generic",
      ...spec,
    },
  };
}

test("a scan keeps tags from the end of the alphabet, without the excluded", async () => {
  const outcome = await reconcileRepository(repository(), ports());
  expect(outcome).toMatchObject({
    result: "ready",
    requeueAfterMs: 5 * minuteMs,
    status: {
      canonicalImageName: "ghcr.io/org/app",
      lastScan: { tagCount: 3, timeMs: 1_000_000, latestTags: ["v1.1.0", "v1.0.0", "latest"] },
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Succeeded",
          message: "successful scan: found 3 tags with checksum 1594165041",
        },
      ],
    },
  });
  expect(state.tags(repository().meta)).toEqual(["v1.1.0", "v1.0.0", "latest"]);
  expect(state.status("ImageRepository", repository().meta)).toEqual(outcome.status);
});

test.each<[image: string, canonical: string]>([
  ["nginx", "index.docker.io/library/nginx"],
  ["docker.io/org/app", "index.docker.io/org/app"],
  ["localhost:5000/app", "localhost:5000/app"],
])("the canonical name of %s", async (image, canonical) => {
  const { status } = await reconcileRepository(repository({ image }), ports());
  expect(status.canonicalImageName).toBe(canonical);
});

describe("after a scan", () => {
  test.each<[name: string, waitMs: number, again: ImageRepository, isScanned: boolean]>([
    ["the interval is waited for", minuteMs, repository(), false],
    ["the last second is not", 5 * minuteMs - 999, repository(), true],
    ["the interval over", 5 * minuteMs, repository(), true],
    ["a clock that went back", -1, repository(), true],
    ["a request", minuteMs, repository({}, { "reconcile.fluxcd.io/requestedAt": "x" }), true],
    ["another image", minuteMs, repository({ image: "ghcr.io/org/other" }), true],
    ["another exclusion list", minuteMs, repository({ exclusionList: ["^v"] }), true],
    ["another interval alone", minuteMs, repository({ intervalMs: 10 * minuteMs }), false],
  ])("%s", async (_name, waitMs, again, isScanned) => {
    await reconcileRepository(repository(), ports());
    nowMs += waitMs;
    const outcome = await reconcileRepository(again, ports());
    expect(scans).toBe(isScanned ? 2 : 1);
    expect(outcome.result).toBe("ready");
  });

  test("a request is answered once", async () => {
    const asked = repository({}, { "reconcile.fluxcd.io/requestedAt": "x" });
    await reconcileRepository(asked, ports());
    await reconcileRepository(asked, ports());
    expect(scans).toBe(1);
  });

  test("no tags are scanned for again", async () => {
    listed = [];
    await reconcileRepository(repository(), ports());
    await reconcileRepository(repository(), ports());
    expect(scans).toBe(2);
  });

  test("an attempt that failed is made again before the interval is over, also where nobody asks any more", async () => {
    await reconcileRepository(repository(), ports());
    const asked = repository({}, { "reconcile.fluxcd.io/requestedAt": "x" });
    failure = new FairleadError("registry-failed", "not today", { retryable: true });
    expect((await reconcileRepository(asked, ports())).result).toBe("retry");
    failure = undefined;
    listed = ["v2.0.0"];
    expect((await reconcileRepository(asked, ports())).result).toBe("ready");
    expect(scans).toBe(3);
    expect(state.tags(asked.meta)).toEqual(["v2.0.0"]);
  });

  test("a failure leaves what is known, and the tags", async () => {
    await reconcileRepository(repository(), ports());
    nowMs += 5 * minuteMs;
    failure = new FairleadError("registry-failed", "out of order");
    const { result, status } = await reconcileRepository(repository(), ports());
    expect(result).toBe("retry");
    expect(status.lastScan?.timeMs).toBe(1_000_000);
    expect(status.conditions).toContainEqual({
      type: "Ready",
      status: "False",
      reason: "ReadOperationFailed",
      message: "scan failed: out of order",
    });
    expect(state.tags(repository().meta)).toHaveLength(3);
  });
});

test.each<[name: string, spec: Partial<ImageRepository["spec"]>, reason: string, message: RegExp]>([
  ["a scheme", { image: "https://ghcr.io/a" }, "ImageURLInvalid", /remove 'https:\/\/'/u],
  ["a tag", { image: "ghcr.io/a:1" }, "ImageURLInvalid", /remove ':1'/u],
  ["no image", { image: "A B" }, "ImageURLInvalid", /is no image/u],
  ["a broken exclusion", { exclusionList: ["("] }, "ReadOperationFailed", /failed to compile regex \(/u],
])("is told: %s", async (_name, spec, reason, message) => {
  const { status, error } = await reconcileRepository(repository(spec), ports());
  const ready = status.conditions.find(({ type }) => type === "Ready");
  expect(ready?.reason).toBe(reason);
  expect(ready?.message).toMatch(message);
  expect(error?.message).toBe(ready?.message);
});

test("a suspended repository is left alone", async () => {
  const outcome = await reconcileRepository(repository({ suspend: true }), ports());
  expect(outcome.result).toBe("suspended");
  expect(scans).toBe(0);
});

test("an interruption ends the run", async () => {
  failure = new FairleadError("aborted", "stopped");
  await expect(reconcileRepository(repository(), ports())).rejects.toThrow("stopped");
});
