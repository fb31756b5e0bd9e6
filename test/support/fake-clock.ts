import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/core/clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that a test moves. */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(nowMs: number = Date.parse("2026-08-01T00:00:00Z")) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Lets time pass; after each timer, what it began is done as far as it needs no I/O. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs);
      const [first] = due.toSorted((left, right) => left.dueMs - right.dueMs);
      if (first === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, first.dueMs);
      this.#timers.delete(first);
      first.callback();
      await settle();
    }
    this.#nowMs = endMs;
  }
}

/** Rounds of the event loop, enough for what needs no I/O. */
async function settle(): Promise<void> {
  for (let round = 0; round < 6; round++) await setImmediate();
}
