import { type Clock, steadyClock } from "../../core/clock.ts";
import { type FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { Logger } from "../../core/log.ts";
import { ReferenceIndex } from "./reference-index.ts";
import { type Cause, causeOfAdded, causeOfUpdate, watchedKey, type WatchedObject } from "./watched-object.ts";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

/** What came of reconciling an object, as far as a controller goes by it. */
export interface ReconcileOutcome {
  /** `stalled`: only a change helps; `suspended`: nothing was looked at, and nothing is written. */
  readonly result: "ready" | "retry" | "stalled" | "suspended";
  /** When to look again; undefined or 0: when something changes, or, for `retry`, after a rest that grows. */
  readonly requeueAfterMs?: number;
  /** Why the result is no better. */
  readonly error?: FairleadError;
}

/** How a reconciliation went. */
export interface ReconcileReport {
  readonly key: string;
  /** `failed`: there is no outcome, or it could not be written. */
  readonly result: ReconcileOutcome["result"] | "gone" | "failed";
  readonly requeueAfterMs: number | undefined;
  readonly durationMs: number;
}

/** What a controller needs of the world. */
export interface ControllerPorts<Item extends WatchedObject, Outcome extends ReconcileOutcome> {
  /** An object as it is known now; undefined where it is gone. */
  find(key: string): Item | undefined;
  /** Undefined: nothing is left to be done, as for an object that was cleaned up after. */
  reconcile(object: Item, signal: AbortSignal): Promise<Outcome | undefined>;
  /** Writes what is known of an object from now on, through conflicts; that it is gone is no failure. */
  writeStatus(object: Item, outcome: Outcome, signal: AbortSignal): Promise<void>;
  /** Keys of what an object refers to, of any kind and form; by default it refers to nothing. */
  referencesOf?(object: Item): Iterable<string>;
  /** Told of an object that is gone. */
  gone?(key: string): void;
  reconciled?(report: ReconcileReport): void;
}

export interface ControllerOptions<Item extends WatchedObject, Outcome extends ReconcileOutcome> extends Omit<
  WorkQueueOptions,
  "clock"
> {
  readonly kind: string;
  readonly ports: ControllerPorts<Item, Outcome>;
  readonly log: Logger;
  readonly clock?: Clock;
  /** An interval is longer by up to this part of it, lest objects made together stay together; default: 0.05. */
  readonly jitter?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** Whoever asks for a longer rest is asked again after this. */
const maxRetryAfterMs = 60 * 60_000;
/** However short an interval is, what is in order is not looked at more often. */
const minIntervalMs = 1000;

/**
 * Looks at each object of a kind when it changes, when somebody asks for it, when something changes that it refers to,
 * and from time to time. It takes what an informer tells.
 */
export class Controller<Item extends WatchedObject, Outcome extends ReconcileOutcome> {
  readonly #options: ControllerOptions<Item, Outcome>;
  readonly #clock: Clock;
  readonly #queue: WorkQueue;
  readonly #references = new ReferenceIndex();
  readonly #breakOff = new AbortController();

  constructor(options: ControllerOptions<Item, Outcome>) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
    this.#queue = new WorkQueue({ ...options, clock: this.#clock });
  }

  /** Takes an object that was not known before. */
  added(object: Item): void {
    this.#refer(object);
    this.#add(watchedKey(object), causeOfAdded(object));
  }

  /** Takes a change of an object. */
  updated(object: Item, old: Item): void {
    this.#refer(object);
    const cause = causeOfUpdate(object, old);
    if (cause !== undefined) this.#add(watchedKey(object), cause);
  }

  /** Takes that an object is gone. */
  deleted(object: Item): void {
    const key = watchedKey(object);
    this.#references.set(key, []);
    this.#add(key, "changed");
  }

  /** Takes that something has changed that objects may refer to, by its key as `referencesOf` gives it. */
  referenceChanged(reference: string): void {
    for (const key of this.#references.referrersOf(reference)) this.#add(key, "changed");
  }

  /** Begins with what it was told until now. */
  start(): void {
    this.#queue.start(async (key) => this.#look(key));
  }

  /**
   * Begins nothing more, and waits for what is under way; what takes longer is broken off.
   * @param graceMs how long to wait
   */
  async stop(graceMs: number): Promise<void> {
    const stopped = this.#queue.stop();
    // Whoever may not write any more writes nothing more, not even in this turn.
    if (graceMs <= 0) this.#breakOff.abort();
    const cancel = this.#clock.after(graceMs, () => this.#breakOff.abort());
    await stopped;
    cancel();
  }

  #refer(object: Item): void {
    const references = this.#options.ports.referencesOf?.(object);
    if (references !== undefined) this.#references.set(watchedKey(object), references);
  }

  #add(key: string, cause: Cause): void {
    this.#queue.add(key, { isRequested: cause === "requested" });
  }

  async #look(key: string): Promise<void> {
    const { ports, kind, log } = this.#options;
    const startMs = this.#clock.nowMs();
    let result: ReconcileReport["result"] = "failed";
    let requeueAfterMs: number | undefined;
    try {
      const outcome = await this.#reconcile(key);
      result = outcome?.result ?? "gone";
      requeueAfterMs = outcome?.requeueAfterMs;
      this.#requeue(key, outcome);
    } catch (error) {
      if (this.#breakOff.signal.aborted) return;
      log.error("an object could not be reconciled", { kind, object: key, error: excerpt(messageOf(error)) });
      this.#queue.retry(key);
    }
    ports.reconciled?.({ key, result, requeueAfterMs, durationMs: this.#clock.nowMs() - startMs });
  }

  async #reconcile(key: string): Promise<Outcome | undefined> {
    const { ports, kind, log } = this.#options;
    const { signal } = this.#breakOff;
    const object = ports.find(key);
    if (object === undefined) {
      ports.gone?.(key);
      return undefined;
    }
    const outcome = await ports.reconcile(object, signal);
    if (outcome === undefined || outcome.result === "suspended") return outcome;
    if (outcome.error !== undefined) {
      const error = excerpt(outcome.error.message);
      log.warn("an object is not ready", { kind, object: key, result: outcome.result, error });
    }
    // Whoever broke it off may not be the one any more to write.
    signal.throwIfAborted();
    await ports.writeStatus(object, outcome, signal);
    return outcome;
  }

  #requeue(key: string, outcome: Outcome | undefined): void {
    const { result, requeueAfterMs = 0, error } = { ...outcome };
    if (result === "retry" && requeueAfterMs === 0) {
      this.#queue.retry(key, Math.min(maxRetryAfterMs, error?.retryAfterMs ?? 0));
      return;
    }
    this.#queue.forget(key);
    if (requeueAfterMs === 0) return;
    const { jitter = 0.05, random = Math.random } = this.#options;
    const restMs = result === "ready" ? Math.max(minIntervalMs, requeueAfterMs) : requeueAfterMs;
    // Never before its time: it would find that it is too early.
    this.#queue.add(key, { delayMs: restMs * (1 + jitter * random()) });
  }
}
