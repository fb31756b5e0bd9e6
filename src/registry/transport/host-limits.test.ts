import { expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { withCall } from "./call.ts";
import { createHostLimits } from "./host-limits.ts";

/** Runs work whose end the test decides, and counts how much of it runs. */
function createWork(): {
  readonly begin: () => Promise<void>;
  readonly running: () => number;
  readonly end: () => void;
} {
  const ends: (() => void)[] = [];
  return {
    begin: async () => new Promise((resolve) => ends.push(resolve)),
    running: () => ends.length,
    end: () => ends.shift()?.(),
  };
}

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("lets so many requests to a host run at a time, and others go on", async () => {
  const limits = createHostLimits({ maxConcurrent: 2 });
  const work = createWork();
  await withCall("test", {}, async (call) => {
    const all = ["a", "a", "a", "b"].map((host) => limits.run(host, call, work.begin));
    await settled();
    expect(work.running()).toBe(3);
    for (let left = 3; left >= 0; left -= 1) {
      work.end();
      await settled();
    }
    await Promise.all(all);
  });
});

test("a failure makes room", async () => {
  const limits = createHostLimits({ maxConcurrent: 1 });
  await withCall("test", {}, async (call) => {
    const failed = limits.run("a", call, () => Promise.reject(new Error("no")));
    const next = limits.run("a", call, () => Promise.resolve("yes"));
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});

test("who waits may give up, and leaves the room to the next", async () => {
  const limits = createHostLimits({ maxConcurrent: 1 });
  const work = createWork();
  const controller = new AbortController();
  const first = withCall("test", {}, (call) => limits.run("a", call, work.begin));
  const second = withCall("test", { signal: controller.signal }, (call) => limits.run("a", call, work.begin));
  const third = withCall("test", {}, (call) => limits.run("a", call, () => Promise.resolve("third")));
  await settled();
  controller.abort();
  await expect(second).rejects.toBeInstanceOf(FairleadError);
  work.end();
  await first;
  expect(await third).toBe("third");
});

test("who asks too often waits until it may", async () => {
  const limits = createHostLimits({ burst: 1, requestsPerSecond: 0.001 });
  const run = async (timeoutMs: number): Promise<string> =>
    withCall("test", { timeoutMs }, (call) => limits.run("a", call, () => Promise.resolve("yes")));
  expect(await run(10_000)).toBe("yes");
  await expect(run(5)).rejects.toMatchObject({ code: "timeout" });
});

test("nobody goes on to a host that wants a pause", async () => {
  const limits = createHostLimits();
  limits.pause("a", 60_000);
  const run = async (host: string): Promise<string> =>
    withCall("test", { timeoutMs: 5 }, (call) => limits.run(host, call, () => Promise.resolve("yes")));
  await expect(run("a")).rejects.toMatchObject({ code: "timeout" });
  expect(await run("b")).toBe("yes");
});
