import { describe, expect, test } from "vitest";
import type { Clock } from "../../core/clock.ts";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { WorkQueue, type WorkQueueObservers, type WorkQueueOptions } from "./work-queue.ts";

/** A queue whose work ends when the test says so. */
class Bench {
  readonly clock = new FakeClock();
  readonly queue: WorkQueue;
  /** Keys in the order in which work on them began. */
  readonly started: string[] = [];
  readonly #running = new Map<string, PromiseWithResolvers<void>>();

  constructor(options: Partial<WorkQueueOptions> = {}) {
    this.queue = new WorkQueue({ concurrency: 1, clock: this.clock, ...options });
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  start(): void {
    this.queue.start(async (key) => {
      this.started.push(key);
      const ended = Promise.withResolvers<void>();
      this.#running.set(key, ended);
      await ended.promise;
    });
  }

  async end(key: string, error?: Error): Promise<void> {
    const ended = this.#running.get(key);
    if (ended === undefined) throw new Error(`nothing works on ${key}`);
    this.#running.delete(key);
    if (error === undefined) ended.resolve();
    else ended.reject(error);
    await this.clock.advance(0);
  }

  /** Ends whatever is worked on until nothing is. */
  async drain(): Promise<void> {
    for (let [key] = this.running; key !== undefined; [key] = this.running) await this.end(key);
  }
}

function started(options: Partial<WorkQueueOptions> = {}): Bench {
  const bench = new Bench(options);
  bench.start();
  return bench;
}

describe("one at a time", () => {
  test("a key waits once, however often it is added", async () => {
    const bench = new Bench();
    for (const key of ["a", "b", "a", "b", "a"]) bench.queue.add(key);
    expect(bench.queue.depth).toBe(2);
    bench.start();
    await bench.drain();
    expect(bench.started).toEqual(["a", "b"]);
  });

  test("a key that is added while it is worked on is worked on once more, afterwards", async () => {
    const bench = started({ concurrency: 2 });
    bench.queue.add("a");
    for (let times = 0; times < 3; times++) bench.queue.add("a");
    expect(bench.running).toEqual(["a"]);
    expect(bench.queue.depth).toBe(1);
    await bench.end("a");
    expect(bench.started).toEqual(["a", "a"]);
    await bench.drain();
    expect(bench.started).toEqual(["a", "a"]);
  });

  test("so many keys are worked on at a time", async () => {
    const bench = started({ concurrency: 3 });
    for (const key of ["a", "b", "c", "d", "e"]) bench.queue.add(key);
    expect(bench.running).toEqual(["a", "b", "c"]);
    await bench.end("b");
    expect(bench.running).toEqual(["a", "c", "d"]);
    await bench.drain();
    expect(bench.started).toEqual(["a", "b", "c", "d", "e"]);
  });
});

describe("rests", () => {
  const rows: readonly { name: string; delaysMs: readonly number[]; atMs: number }[] = [
    { name: "one", delaysMs: [500], atMs: 500 },
    { name: "the earlier one comes first", delaysMs: [200, 500], atMs: 200 },
    { name: "the earlier one comes last", delaysMs: [500, 200], atMs: 200 },
    { name: "none, after one", delaysMs: [500, 0], atMs: 0 },
  ];
  test.each(rows)("$name", async ({ delaysMs, atMs }) => {
    const bench = started();
    for (const delayMs of delaysMs) bench.queue.add("a", { delayMs });
    if (atMs > 0) await bench.clock.advance(atMs - 1);
    expect(bench.started).toEqual(atMs > 0 ? [] : ["a"]);
    await bench.clock.advance(1);
    await bench.drain();
    await bench.clock.advance(2 ** 32);
    expect(bench.started).toEqual(["a"]);
  });

  test("one, after none", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    bench.queue.add("a", { delayMs: 500 });
    bench.start();
    await bench.drain();
    await bench.clock.advance(1000);
    expect(bench.started).toEqual(["a"]);
  });

  test("one that is longer than a timer counts", async () => {
    const clock = new FakeClock();
    const after: Clock["after"] = (delayMs, callback) => clock.after(Math.min(delayMs, 1000), callback);
    const bench = started({ clock: { nowMs: () => clock.nowMs(), after } });
    bench.queue.add("a", { delayMs: 5500 });
    await clock.advance(5499);
    expect(bench.started).toEqual([]);
    await clock.advance(1);
    expect(bench.started).toEqual(["a"]);
  });

  test("a rest that ends while the key is worked on counts", async () => {
    const bench = started();
    bench.queue.add("a");
    bench.queue.add("a", { delayMs: 100 });
    await bench.clock.advance(100);
    expect(bench.started).toEqual(["a"]);
    await bench.end("a");
    expect(bench.started).toEqual(["a", "a"]);
  });
});

describe("failures", () => {
  test("a key rests twice as long after each, fifteen minutes at most, until it is forgotten", async () => {
    const bench = started();
    const restsMs: number[] = [];
    const fail = async (): Promise<void> => {
      const sinceMs = bench.clock.nowMs();
      await bench.end("a", new Error("not today"));
      while (bench.running.length === 0) await bench.clock.advance(250);
      restsMs.push(bench.clock.nowMs() - sinceMs);
    };
    bench.queue.add("a");
    for (let times = 0; times < 13; times++) await fail();
    bench.queue.forget("a");
    await fail();
    const doubled = Array.from({ length: 11 }, (_, index) => 750 * 2 ** index);
    expect(restsMs).toEqual([...doubled, 900_000, 900_000, 750]);
  });

  test("a key rests as long as a remote asks for", async () => {
    const bench = started();
    bench.queue.retry("a", 60_000);
    await bench.clock.advance(59_999);
    expect(bench.started).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.started).toEqual(["a"]);
  });

  test("a key that changed while it was worked on does not rest", async () => {
    const bench = started();
    bench.queue.add("a");
    bench.queue.add("a");
    await bench.end("a", new Error("not today"));
    expect(bench.started).toEqual(["a", "a"]);
  });

  test("the rests of one key are no other's", async () => {
    const bench = started();
    for (let times = 0; times < 10; times++) bench.queue.retry("a");
    bench.queue.retry("b");
    await bench.clock.advance(750);
    expect(bench.started).toEqual(["a"]);
    await bench.drain();
    expect(bench.started).toEqual(["a", "b"]);
  });
});

describe("turns", () => {
  test("what somebody asked for goes first, first come, first served", async () => {
    const bench = new Bench();
    bench.queue.add("a");
    bench.queue.add("b");
    bench.queue.add("c", { isRequested: true });
    bench.queue.add("b", { isRequested: true });
    bench.queue.add("b");
    bench.start();
    await bench.drain();
    expect(bench.started).toEqual(["c", "b", "a"]);
  });

  test("a request during work counts afterwards", async () => {
    const bench = started();
    bench.queue.add("a");
    bench.queue.add("b");
    bench.queue.add("a", { isRequested: true });
    bench.queue.add("a");
    await bench.drain();
    expect(bench.started).toEqual(["a", "a", "b"]);
  });

  test("a request outlives a rest", async () => {
    const bench = new Bench();
    bench.queue.add("b");
    bench.queue.add("a", { delayMs: 100, isRequested: true });
    bench.queue.add("a");
    bench.start();
    await bench.drain();
    expect(bench.started).toEqual(["a", "b"]);
  });

  test("requests without end starve nothing", async () => {
    const bench = new Bench();
    bench.queue.add("waiting");
    for (let index = 0; index < 20; index++) bench.queue.add(`asked-${index}`, { isRequested: true });
    bench.start();
    await bench.drain();
    expect(bench.started.indexOf("waiting")).toBe(8);
  });
});

describe("the end", () => {
  test("what is worked on ends, the rest is dropped", async () => {
    const bench = started({ concurrency: 2 });
    for (const key of ["a", "b", "c", "b"]) bench.queue.add(key);
    bench.queue.add("d", { delayMs: 10 });
    let isStopped = false;
    const stopping = bench.queue.stop().then(() => (isStopped = true));
    bench.queue.add("e");
    await bench.end("a", new Error("not today"));
    await bench.clock.advance(1000);
    expect(isStopped).toBe(false);
    await bench.end("b");
    await stopping;
    await bench.clock.advance(1_000_000);
    expect(bench.started).toEqual(["a", "b"]);
    expect(bench.queue.depth).toBe(0);
  });

  test("an idle queue, and one that never began, stop at once", async () => {
    await started().queue.stop();
    const bench = new Bench();
    bench.queue.add("a");
    await bench.queue.stop();
    bench.start();
    expect(bench.started).toEqual([]);
  });
});

test("an observer is told what happens", async () => {
  const told: string[] = [];
  const observers: WorkQueueObservers = {
    observe: () => ({
      added: () => told.push("added"),
      retried: () => told.push("retried"),
      started: (ms) => told.push(`started after ${ms}`),
      ended: (ms) => told.push(`ended after ${ms}`),
    }),
  };
  const bench = new Bench({ observers });
  bench.queue.add("a");
  bench.queue.add("a");
  await bench.clock.advance(5);
  bench.start();
  await bench.clock.advance(3);
  bench.queue.add("a");
  bench.queue.add("a");
  await bench.clock.advance(4);
  expect(bench.queue.runningMs()).toEqual([7]);
  await bench.end("a");
  await bench.end("a", new Error("not today"));
  await bench.clock.advance(750);
  expect(told).toEqual([
    "added",
    "started after 5",
    "added",
    "ended after 7",
    "started after 4",
    "retried",
    "ended after 0",
    "added",
    "started after 0",
  ]);
});
