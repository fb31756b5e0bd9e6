import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { FairleadError } from "../../core/error.ts";
import { createLogger } from "../../core/log.ts";
import { Controller, type ControllerPorts, type ReconcileOutcome } from "./controller.ts";
import type { WatchedObject } from "./watched-object.ts";

interface Thing extends WatchedObject {
  readonly refersTo?: readonly string[];
}

const fail = async (): Promise<never> => Promise.reject(new Error("the disk\nis full"));

type Ports = ControllerPorts<Thing, ReconcileOutcome>;

const failure = new FairleadError("registry-failed", "not today", { retryable: true });

/** A controller over objects that a test changes. */
class Bench {
  readonly clock = new FakeClock();
  readonly objects = new Map<string, Thing>();
  readonly controller: Controller<Thing, ReconcileOutcome>;
  /** What was reconciled, with its generation. */
  readonly reconciled: string[] = [];
  readonly written: string[] = [];
  readonly gone: string[] = [];
  readonly results: string[] = [];
  readonly logged: string[] = [];
  outcome: (object: Thing, signal: AbortSignal) => Promise<ReconcileOutcome | undefined> = async () =>
    Promise.resolve({ result: "ready" });
  write: Ports["writeStatus"] = async () => Promise.resolve();

  constructor(options: { readonly jitter?: number; readonly concurrency?: number } = {}) {
    this.controller = new Controller<Thing, ReconcileOutcome>({
      kind: "Thing",
      concurrency: 1,
      clock: this.clock,
      random: () => 1,
      log: createLogger({ level: "warn", format: "text", write: (line) => this.logged.push(line) }),
      ...options,
      ports: {
        find: (key) => this.objects.get(key),
        reconcile: async (object, signal) => {
          this.reconciled.push(`${object.metadata.name}@${object.metadata.generation}`);
          return this.outcome(object, signal);
        },
        writeStatus: async (object, outcome, signal) => {
          await this.write(object, outcome, signal);
          this.written.push(`${object.metadata.name} ${outcome.result}`);
        },
        referencesOf: ({ refersTo = [] }) => refersTo,
        gone: (key) => this.gone.push(key),
        reconciled: ({ result }) => this.results.push(result),
      },
    });
  }

  /** As an informer tells of it. */
  put(name: string, changes: Partial<Thing["metadata"]> = {}, refersTo: readonly string[] = []): void {
    const old = this.objects.get(`apps/${name}`);
    const metadata = { name, namespace: "apps", uid: "1", generation: 1, ...changes };
    const object: Thing = { metadata, refersTo };
    this.objects.set(`apps/${name}`, object);
    if (old === undefined) this.controller.added(object);
    else this.controller.updated(object, old);
  }

  remove(name: string): void {
    const old = this.objects.get(`apps/${name}`);
    this.objects.delete(`apps/${name}`);
    if (old !== undefined) this.controller.deleted(old);
  }
}

describe("what leads to a look", () => {
  test("what was told before the start, and what changes then", async () => {
    const bench = new Bench();
    bench.put("a");
    await bench.clock.advance(1000);
    expect(bench.reconciled).toEqual([]);
    bench.controller.start();
    await bench.clock.advance(0);
    bench.put("a");
    bench.put("a", { generation: 2 });
    await bench.clock.advance(1_000_000);
    expect(bench.reconciled).toEqual(["a@1", "a@2"]);
    expect(bench.written).toEqual(["a ready", "a ready"]);
  });

  test("a request, before what nobody asked for", async () => {
    const bench = new Bench();
    for (const name of ["a", "b", "c"]) bench.put(name);
    bench.put("c", { annotations: { "reconcile.fluxcd.io/requestedAt": "now" } });
    bench.controller.start();
    await bench.clock.advance(0);
    expect(bench.reconciled).toEqual(["c@1", "a@1", "b@1"]);
  });

  test("a change of what it refers to, until it refers to it no more", async () => {
    const bench = new Bench();
    bench.put("a", {}, ["Secret/apps/key", "Repository/apps/one"]);
    bench.put("b", {}, ["Repository/apps/one"]);
    bench.controller.start();
    await bench.clock.advance(0);
    const looksAfter = async (reference: string): Promise<readonly string[]> => {
      const before = bench.reconciled.length;
      bench.controller.referenceChanged(reference);
      await bench.clock.advance(0);
      return bench.reconciled.slice(before);
    };
    expect(await looksAfter("Repository/apps/one")).toEqual(["a@1", "b@1"]);
    expect(await looksAfter("Secret/apps/key")).toEqual(["a@1"]);
    expect(await looksAfter("Secret/apps/other")).toEqual([]);
    bench.put("a", { generation: 2 }, ["Secret/apps/other"]);
    bench.remove("b");
    await bench.clock.advance(0);
    expect(await looksAfter("Repository/apps/one")).toEqual([]);
    expect(await looksAfter("Secret/apps/key")).toEqual([]);
    expect(await looksAfter("Secret/apps/other")).toEqual(["a@2"]);
    expect(bench.gone).toEqual(["apps/b"]);
  });

  test("that it is gone, which is told once nothing works on it", async () => {
    const bench = new Bench();
    const ended = Promise.withResolvers<ReconcileOutcome>();
    bench.outcome = async () => ended.promise;
    bench.controller.start();
    bench.put("a");
    bench.remove("a");
    await bench.clock.advance(0);
    expect(bench.gone).toEqual([]);
    ended.resolve({ result: "ready", requeueAfterMs: 1000 });
    await bench.clock.advance(10_000);
    expect(bench.gone).toEqual(["apps/a"]);
    expect(bench.reconciled).toEqual(["a@1"]);
  });
});

describe("what comes of an outcome", () => {
  const rows: readonly {
    name: string;
    outcome: ReconcileOutcome | undefined;
    looksMs: readonly number[];
    isWritten?: boolean;
  }[] = [
    { name: "ready", outcome: { result: "ready" }, looksMs: [0] },
    {
      name: "ready, for an interval and its jitter",
      outcome: { result: "ready", requeueAfterMs: 100_000 },
      looksMs: [0, 105_000, 210_000],
    },
    { name: "ready, for no interval", outcome: { result: "ready", requeueAfterMs: 0 }, looksMs: [0] },
    {
      name: "ready, for an interval that is too short",
      outcome: { result: "ready", requeueAfterMs: 1 },
      looksMs: Array.from({ length: 229 }, (_, index) => index * 1050),
    },
    { name: "stalled", outcome: { result: "stalled", error: failure }, looksMs: [0] },
    { name: "suspended", outcome: { result: "suspended" }, looksMs: [0], isWritten: false },
    { name: "done with", outcome: undefined, looksMs: [0], isWritten: false },
    {
      name: "tried again, after rests that grow",
      outcome: { result: "retry", error: failure },
      looksMs: [0, 750, 2250, 5250, 11_250, 23_250, 47_250, 95_250, 191_250],
    },
    {
      name: "tried again when something else may be there",
      outcome: { result: "retry", requeueAfterMs: 100_000, error: failure },
      looksMs: [0, 105_000, 210_000],
    },
    {
      name: "tried again when a remote allows it",
      outcome: {
        result: "retry",
        error: new FairleadError("registry-failed", "too many", { retryable: true, retryAfterMs: 90_000 }),
      },
      looksMs: [0, 90_000, 180_000],
    },
  ];
  test.each(rows)("$name", async ({ outcome, looksMs, isWritten = true }) => {
    const bench = new Bench();
    const startMs = bench.clock.nowMs();
    const looks: number[] = [];
    bench.outcome = async () => {
      looks.push(bench.clock.nowMs() - startMs);
      return Promise.resolve(outcome);
    };
    bench.controller.start();
    bench.put("a");
    await bench.clock.advance(240_000);
    expect(looks).toEqual(looksMs);
    expect(bench.written).toHaveLength(isWritten ? looksMs.length : 0);
    expect(bench.results).toEqual(looksMs.map(() => outcome?.result ?? "gone"));
  });

  test("a success ends the growth of rests", async () => {
    const bench = new Bench();
    bench.controller.start();
    bench.outcome = async () => Promise.resolve({ result: "retry" });
    bench.put("a");
    await bench.clock.advance(750 + 1500 + 3000);
    bench.outcome = async () => Promise.resolve({ result: "ready" });
    await bench.clock.advance(6000);
    bench.outcome = async () => Promise.resolve({ result: "retry" });
    const before = bench.reconciled.length;
    bench.put("a", { generation: 2 });
    await bench.clock.advance(750);
    expect(bench.reconciled.slice(before)).toEqual(["a@2", "a@2"]);
  });

  test.each(["reconcile", "write"])("what %s throws is logged and tried again", async (what) => {
    const bench = new Bench();
    if (what === "reconcile") bench.outcome = fail;
    else bench.write = fail;
    bench.controller.start();
    bench.put("a");
    await bench.clock.advance(750);
    expect(bench.reconciled).toEqual(["a@1", "a@1"]);
    expect(bench.results).toEqual(["failed", "failed"]);
    expect(bench.logged[0]).toMatch(/^error: an object could not be reconciled kind=Thing object=apps\/a /u);
  });
});

describe("the end", () => {
  test("what is under way ends, and is written", async () => {
    const bench = new Bench();
    const ended = Promise.withResolvers<ReconcileOutcome>();
    bench.outcome = async () => ended.promise;
    bench.controller.start();
    bench.put("a");
    bench.put("b");
    const stopped = bench.controller.stop(10_000);
    await bench.clock.advance(9000);
    ended.resolve({ result: "ready" });
    await stopped;
    expect(bench.written).toEqual(["a ready"]);
    expect(bench.reconciled).toEqual(["a@1"]);
  });

  test("what takes too long is broken off, and writes nothing whatever comes of it", async () => {
    const bench = new Bench({ concurrency: 2 });
    bench.outcome = async ({ metadata }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => {
          if (metadata.name === "a") reject(new Error("aborted"));
          else resolve({ result: "ready" });
        });
      });
    bench.controller.start();
    bench.put("a");
    bench.put("b");
    const stopped = bench.controller.stop(5000);
    await bench.clock.advance(5000);
    await stopped;
    expect(bench.reconciled).toEqual(["a@1", "b@1"]);
    expect(bench.written).toEqual([]);
    expect(bench.logged).toEqual([]);
  });

  test("a write that is under way is broken off as well, with no grace at once", async () => {
    const bench = new Bench();
    bench.write = async (_object, _outcome, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    bench.controller.start();
    bench.put("a");
    await bench.clock.advance(0);
    const stopped = bench.controller.stop(0);
    await stopped;
    expect(bench.reconciled).toEqual(["a@1"]);
    expect(bench.written).toEqual([]);
  });
});

test("whatever happens in the meantime, what was written last is of the last state", async () => {
  const step = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    what: fc.constantFrom("change", "change", "remove", "reference"),
    restMs: fc.constantFrom(0, 0, 5, 20, 800),
  });
  const fate = fc.record({
    tookMs: fc.constantFrom(0, 10, 30),
    what: fc.constantFrom("ready", "retry", "throw", "unwritten"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25, size: "max" }),
      fc.array(fate, { minLength: 5 }),
      async (steps, fates) => {
        const bench = new Bench({ concurrency: 2 });
        let isTroubled = true;
        const unwritten = new Set<string>();
        const active = new Set<string>();
        const written = new Map<string, number | undefined>();
        bench.outcome = async ({ metadata: { name } }) => {
          expect(active.has(name)).toBe(false);
          active.add(name);
          const { tookMs = 0, what } = { ...fates[bench.reconciled.length % fates.length] };
          await new Promise<void>((resolve) => void bench.clock.after(tookMs, resolve));
          active.delete(name);
          if (isTroubled && what === "throw") throw new Error("not today");
          if (isTroubled && what === "unwritten") unwritten.add(name);
          return { result: isTroubled && what === "retry" ? "retry" : "ready" };
        };
        bench.write = async ({ metadata }) => {
          if (unwritten.delete(metadata.name)) throw new Error("not today");
          await Promise.resolve();
          written.set(metadata.name, metadata.generation);
        };
        bench.controller.start();
        let generation = 0;
        for (const { name, what, restMs } of steps) {
          if (what === "change") bench.put(name, { generation: ++generation }, ["x"]);
          else if (what === "remove") bench.remove(name);
          else bench.controller.referenceChanged("x");
          await bench.clock.advance(restMs);
        }
        isTroubled = false;
        await bench.clock.advance(15 * 60_000);
        for (const { metadata } of bench.objects.values()) {
          expect(written.get(metadata.name)).toBe(metadata.generation);
        }
        const before = bench.reconciled.length;
        await bench.clock.advance(60 * 60_000);
        expect(bench.reconciled).toHaveLength(before);
      },
    ),
    { seed: 20261122, numRuns: 150 },
  );
});
