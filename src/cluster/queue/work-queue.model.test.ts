import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { WorkQueue } from "./work-queue.ts";

const concurrency = 2;
const keys = ["a", "b", "c", "d"] as const;

interface Waiting {
  readonly key: string;
  isRequested: boolean;
}

interface Resting {
  readonly key: string;
  readonly dueMs: number;
  readonly isRequested: boolean;
}

/** What a queue has to do, told as simply as can be. */
class Model {
  nowMs = 0;
  /** In the order in which they came, those that are worked on among them. */
  waiting: Waiting[] = [];
  resting: Resting[] = [];
  running: string[] = [];
  failures = new Map<string, number>();
  requestedInARow = 0;
  isStopped = false;

  add(key: string, delayMs: number, isRequested: boolean): void {
    if (this.isStopped) return;
    const waiting = this.waiting.find((other) => other.key === key);
    if (delayMs > 0 && waiting !== undefined) return;
    const resting = this.resting.find((other) => other.key === key);
    this.resting = this.resting.filter((other) => other !== resting);
    const requested = isRequested || resting?.isRequested === true;
    if (delayMs > 0) {
      const dueMs = Math.min(this.nowMs + delayMs, resting?.dueMs ?? Infinity);
      this.resting.push({ key, dueMs, isRequested: requested });
      return;
    }
    if (waiting === undefined) this.waiting.push({ key, isRequested: requested });
    else if (requested && !waiting.isRequested) {
      waiting.isRequested = true;
      // It stands behind those that were requested before; one that is worked on comes back when that ends.
      this.waiting = [...this.waiting.filter((other) => other !== waiting), waiting];
    }
    this.pump();
  }

  fail(key: string): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.add(key, Math.min(900_000, 750 * 2 ** failures), false);
  }

  end(key: string): void {
    this.running = this.running.filter((other) => other !== key);
    const again = this.waiting.find((other) => other.key === key);
    if (again !== undefined) this.waiting = [...this.waiting.filter((other) => other !== again), again];
    this.pump();
  }

  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      const [first] = this.resting.toSorted((left, right) => left.dueMs - right.dueMs);
      if (first === undefined || first.dueMs > endMs) break;
      this.nowMs = first.dueMs;
      this.add(first.key, 0, first.isRequested);
    }
    this.nowMs = endMs;
  }

  stop(): void {
    this.isStopped = true;
    this.waiting = [];
    this.resting = [];
  }

  pump(): void {
    while (this.running.length < concurrency) {
      const ready = this.waiting.filter(({ key }) => !this.running.includes(key));
      const requested = ready.find(({ isRequested }) => isRequested);
      const others = ready.filter(({ isRequested }) => !isRequested);
      const isOthersTurn = this.requestedInARow >= 8 && others.length > 0;
      const next = isOthersTurn ? others[0] : (requested ?? others[0]);
      if (next === undefined) return;
      this.requestedInARow = next.isRequested && others.length > 0 ? this.requestedInARow + 1 : 0;
      this.waiting = this.waiting.filter((other) => other !== next);
      this.running.push(next.key);
    }
  }
}

class Real {
  readonly clock = new FakeClock(0);
  readonly queue: WorkQueue = new WorkQueue({ concurrency, clock: this.clock });
  readonly running = new Map<string, PromiseWithResolvers<void>>();
  stopped: Promise<void> | undefined;

  constructor() {
    this.queue.start(async (key) => {
      expect(this.running.has(key)).toBe(false);
      const ended = Promise.withResolvers<void>();
      this.running.set(key, ended);
      await ended.promise;
    });
  }

  async end(key: string, error?: Error): Promise<void> {
    const ended = this.running.get(key);
    this.running.delete(key);
    if (error === undefined) ended?.resolve();
    else ended?.reject(error);
    await this.clock.advance(0);
  }
}

type Command = fc.AsyncCommand<Model, Real>;

function command(
  name: string,
  onModel: (model: Model) => void,
  onReal: (real: Real) => void | Promise<void>,
  check: (model: Model) => boolean = () => true,
): Command {
  return {
    check,
    toString: () => name,
    run: async (model, real) => {
      onModel(model);
      await onReal(real);
      expect([...real.running.keys()]).toEqual(model.running);
      expect(real.queue.depth).toBe(model.waiting.length);
    },
  };
}

const key = fc.constantFrom(...keys);
const commands: readonly fc.Arbitrary<Command>[] = [
  fc
    .tuple(key, fc.constantFrom(0, 0, 100, 100, 1000, 5000), fc.boolean())
    .map(([key, delayMs, isRequested]) =>
      command(
        `add ${key} after ${delayMs}${isRequested ? ", requested" : ""}`,
        (model) => model.add(key, delayMs, isRequested),
        ({ queue }) => queue.add(key, { delayMs, isRequested }),
      ),
    ),
  key.map((key) =>
    command(
      `end ${key}`,
      (model) => model.end(key),
      async (real) => real.end(key),
      ({ running }) => running.includes(key),
    ),
  ),
  key.map((key) =>
    command(
      `fail ${key}`,
      (model) => {
        if (!model.isStopped) model.fail(key);
        model.end(key);
      },
      async (real) => real.end(key, new Error("not today")),
      ({ running }) => running.includes(key),
    ),
  ),
  key.map((key) =>
    command(
      `forget ${key}`,
      ({ failures }) => failures.delete(key),
      ({ queue }) => queue.forget(key),
    ),
  ),
  fc.constantFrom(1, 99, 100, 750, 1500, 10_000).map((ms) =>
    command(
      `advance ${ms}`,
      (model) => model.advance(ms),
      async ({ clock }) => clock.advance(ms),
    ),
  ),
];

test("a queue does what the model says, and loses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.commands([...commands], { maxCommands: 60, size: "max" }),
      fc.boolean(),
      async (steps, isStopped) => {
        const model = new Model();
        const real = new Real();
        await fc.asyncModelRun(() => ({ model, real }), steps);
        if (isStopped) {
          model.stop();
          real.stopped = real.queue.stop();
        }
        // Whatever waits is worked on in the end.
        await real.clock.advance(3_600_000);
        model.advance(3_600_000);
        for (let [next] = model.running; next !== undefined; [next] = model.running) {
          expect([...real.running.keys()]).toEqual(model.running);
          model.end(next);
          await real.end(next);
        }
        expect(real.running.size).toBe(0);
        expect(real.queue.depth).toBe(0);
        await real.queue.stop();
      },
    ),
    { seed: 20261122, numRuns: 400 },
  );
});
