import { type Clock, steadyClock } from "../../core/clock.ts";
import { type BackOff, fluxBackOff } from "./back-off.ts";
import { Ready, type Turn } from "./ready.ts";

/** What a queue tells of itself as it goes. */
export interface WorkQueueObserver {
  /** A key came to wait for its turn; one that waits already is not told again. */
  added(): void;
  /** A key is tried again after a failure. */
  retried(): void;
  started(waitedMs: number): void;
  ended(workedMs: number): void;
}

/** What a queue can be asked at any time. */
export interface WorkQueueState {
  /** How many keys wait for their turn; those whose time has not come are not counted. */
  readonly depth: number;
  /** How long each of the keys has been worked on. */
  runningMs(): readonly number[];
}

/** Who looks after queues, for metrics. */
export interface WorkQueueObservers {
  observe(state: WorkQueueState): WorkQueueObserver;
}

export interface WorkQueueOptions {
  /** How many keys are worked on at a time. */
  readonly concurrency: number;
  /** Default: Flux's. */
  readonly backOff?: BackOff;
  readonly clock?: Clock;
  readonly observers?: WorkQueueObservers;
}

export interface AddOptions {
  /** How long the key rests first; default: 0. Of several times that a key is added, the earliest counts. */
  readonly delayMs?: number;
  /** Whether somebody waits for it: it goes before what nobody asked for; default: false. */
  readonly isRequested?: boolean;
}

interface Resting {
  readonly dueMs: number;
  readonly isRequested: boolean;
  readonly cancel: () => void;
}

/**
 * Keys that work waits for, as controllers of Kubernetes queue them: a key waits once however often it is added, is
 * worked on by one at a time, and once more if it is added in the meantime.
 */
export class WorkQueue implements WorkQueueState {
  readonly #concurrency: number;
  readonly #backOff: BackOff;
  readonly #clock: Clock;
  readonly #observer: WorkQueueObserver | undefined;
  readonly #ready = new Ready();
  /** Added while they are worked on. */
  readonly #again = new Map<string, Turn>();
  readonly #resting = new Map<string, Resting>();
  readonly #running = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #idle = Promise.withResolvers<void>();
  #work: ((key: string) => Promise<void>) | undefined;
  #isStopped = false;

  constructor({ concurrency, backOff = fluxBackOff, clock = steadyClock, observers }: WorkQueueOptions) {
    this.#concurrency = concurrency;
    this.#backOff = backOff;
    this.#clock = clock;
    this.#observer = observers?.observe(this);
  }

  get depth(): number {
    return this.#ready.size + this.#again.size;
  }

  runningMs(): readonly number[] {
    const nowMs = this.#clock.nowMs();
    return Array.from(this.#running.values(), (startMs) => nowMs - startMs);
  }

  /**
   * Begins to work on keys; what was added before has waited.
   * @param work a key whose work rejects is tried again, as by {@link retry}
   */
  start(work: (key: string) => Promise<void>): void {
    this.#work = work;
    this.#pump();
  }

  /** Lets a key wait for its turn, at once or after a rest. */
  add(key: string, { delayMs = 0, isRequested = false }: AddOptions = {}): void {
    if (this.#isStopped) return;
    if (delayMs > 0) {
      this.#rest(key, this.#clock.nowMs() + delayMs, isRequested);
      return;
    }
    const resting = this.#wake(key);
    this.#enqueue(key, isRequested || resting?.isRequested === true);
    this.#pump();
  }

  /**
   * Adds a key that failed after a rest that grows with each failure since it was last forgotten.
   * @param atLeastMs how long it rests in any case
   */
  retry(key: string, atLeastMs: number = 0): void {
    if (this.#isStopped) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#observer?.retried();
    const { firstDelayMs, maxDelayMs } = this.#backOff;
    this.add(key, { delayMs: Math.max(atLeastMs, Math.min(maxDelayMs, firstDelayMs * 2 ** failures)) });
  }

  /** Lets a key's failures be over; it goes on waiting if it does. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Drops whatever waits, and resolves when nothing is worked on any more. What is added then is dropped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { cancel } of this.#resting.values()) cancel();
    this.#resting.clear();
    this.#again.clear();
    this.#ready.clear();
    if (this.#running.size === 0) this.#idle.resolve();
    await this.#idle.promise;
  }

  #rest(key: string, dueMs: number, isRequested: boolean): void {
    // What waits for its turn comes earlier than that.
    if (this.#ready.has(key) || this.#again.has(key)) return;
    const known = this.#wake(key);
    const earliestMs = Math.min(dueMs, known?.dueMs ?? dueMs);
    const cancel = this.#clock.after(earliestMs - this.#clock.nowMs(), () => this.#endRest(key));
    this.#resting.set(key, {
      dueMs: earliestMs,
      isRequested: isRequested || known?.isRequested === true,
      cancel,
    });
  }

  #endRest(key: string): void {
    const resting = this.#wake(key);
    if (resting === undefined) return;
    // A timer counts some 24 days at most.
    const delayMs = resting.dueMs - this.#clock.nowMs();
    this.add(key, { delayMs, isRequested: resting.isRequested });
  }

  #wake(key: string): Resting | undefined {
    const resting = this.#resting.get(key);
    resting?.cancel();
    this.#resting.delete(key);
    return resting;
  }

  #enqueue(key: string, isRequested: boolean): void {
    const nowMs = this.#clock.nowMs();
    const again = this.#again.get(key);
    const isKnown = again !== undefined || this.#ready.has(key);
    if (!isKnown) this.#observer?.added();
    if (this.#running.has(key)) {
      const { addedMs } = again ?? { addedMs: nowMs };
      this.#again.set(key, { addedMs, isRequested: isRequested || again?.isRequested === true });
    } else {
      this.#ready.add(key, { addedMs: nowMs, isRequested });
    }
  }

  #pump(): void {
    while (this.#work !== undefined && this.#running.size < this.#concurrency) {
      const next = this.#ready.take();
      if (next === undefined) return;
      const nowMs = this.#clock.nowMs();
      this.#running.set(next.key, nowMs);
      this.#observer?.started(nowMs - next.addedMs);
      void this.#run(next.key, nowMs, this.#work);
    }
  }

  async #run(key: string, startMs: number, work: (key: string) => Promise<void>): Promise<void> {
    try {
      await work(key);
    } catch {
      this.retry(key);
    }
    this.#running.delete(key);
    this.#observer?.ended(this.#clock.nowMs() - startMs);
    const again = this.#again.get(key);
    if (again !== undefined) {
      this.#again.delete(key);
      this.#ready.add(key, again);
    }
    if (this.#isStopped && this.#running.size === 0) this.#idle.resolve();
    this.#pump();
  }
}
