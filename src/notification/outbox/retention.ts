import type { Clock } from "../../core/clock.ts";
import type { OutboxFile } from "./outbox-file.ts";

export interface RetentionPolicy {
  /** How long ended deliveries, dead letters and their events are kept. */
  readonly maxAgeMs: number;
  /** The size that the outbox may have; what is queued is never removed for it. */
  readonly maxBytes: number;
}

export const defaultRetentionPolicy: RetentionPolicy = {
  maxAgeMs: 7 * 24 * 60 * 60_000,
  maxBytes: 2 * 1024 * 1024 * 1024,
};

/** So few at a time that nobody waits long for it. */
const batchSize = 200;
const pagesGivenBack = 2000;
/** The windows of a key that was not seen for so long begin anew. */
const idleWindowMs = 12 * 60 * 60_000;

const measureEveryMs = 200;
/** Room is made before there is none. */
const roomBegins = 0.9;

const isEnded =
  "NOT EXISTS (SELECT 1 FROM delivery WHERE event = event.id AND state IN ('ready', 'waiting'))";

/** Keeps an outbox within its bounds, a little at a time. */
export class Retention {
  readonly #file: OutboxFile;
  readonly #clock: Clock;
  readonly #policy: RetentionPolicy;
  #usedBytes = 0;
  #measuredMs = Number.NEGATIVE_INFINITY;

  constructor(file: OutboxFile, clock: Clock, policy: RetentionPolicy) {
    this.#file = file;
    this.#clock = clock;
    this.#policy = policy;
  }

  /**
   * Removes some of what is too old, or too much.
   * @returns whether there may be more to remove
   * @throws FairleadError `state-invalid`
   */
  prune(): boolean {
    const nowMs = this.#clock.nowMs();
    const oldestMs = nowMs - this.#policy.maxAgeMs;
    const needsRoom = this.#file.usedBytes() >= this.#policy.maxBytes * roomBegins;
    const removed = this.#file.transaction(() => {
      const byAge = `DELETE FROM event WHERE id IN (SELECT id FROM event WHERE received_ms < ? AND ${isEnded} LIMIT ?)`;
      const byTime =
        "DELETE FROM kubernetes_event WHERE id IN (SELECT id FROM kubernetes_event WHERE time_ms < ? LIMIT ?)";
      const byWindow = "DELETE FROM dedupe WHERE key IN (SELECT key FROM dedupe WHERE reset_ms < ? LIMIT ?)";
      return [
        this.#run(byAge, oldestMs, batchSize),
        this.#run(byTime, oldestMs, batchSize),
        this.#run(byWindow, nowMs - idleWindowMs, batchSize),
        needsRoom ? this.#removeOldest() : 0,
      ];
    });
    if (removed.some((count) => count > 0)) this.#file.giveBack(pagesGivenBack);
    return removed.some((count) => count >= batchSize) || (needsRoom && (removed.at(-1) ?? 0) > 0);
  }

  /** Whether the outbox has reached its size, or had a moment ago. @throws FairleadError `state-invalid` */
  isFull(): boolean {
    const nowMs = this.#clock.nowMs();
    if (Math.abs(nowMs - this.#measuredMs) >= measureEveryMs) {
      this.#usedBytes = this.#file.usedBytes();
      this.#measuredMs = nowMs;
    }
    return this.#usedBytes >= this.#policy.maxBytes;
  }

  /** The oldest that have ended, whatever their age, and as many Kubernetes Events. */
  #removeOldest(): number {
    const events = `DELETE FROM event WHERE id IN (SELECT id FROM event WHERE ${isEnded} ORDER BY id LIMIT ?)`;
    const told =
      "DELETE FROM kubernetes_event WHERE id IN (SELECT id FROM kubernetes_event ORDER BY id LIMIT ?)";
    return this.#run(events, batchSize) + this.#run(told, batchSize);
  }

  #run(sql: string, ...values: number[]): number {
    return Number(this.#file.prepare(sql).run(...values).changes);
  }
}
