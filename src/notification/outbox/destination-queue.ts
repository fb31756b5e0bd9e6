import { FairleadError, messageOf } from "../../core/error.ts";
import type { DispatcherOptions } from "./attempt.ts";
import { maxRetryAfterMs, nextDelayMs } from "./back-off.ts";
import type { DueDelivery } from "./entry.ts";
import type { DeliveryResult } from "./outbox.ts";
import type { Pace } from "./pace.ts";

/** So many results wait to be written before nothing more is sent. */
const maxWriting = 1000;
/** How long to rest where the outbox cannot be read or written. */
const storageRestMs = 1000;

/** The deliveries to one destination: so many at a time, the longest due first. */
export class DestinationQueue {
  readonly #destination: string;
  readonly #options: DispatcherOptions;
  readonly #pace: Pace;
  readonly #signal: AbortSignal;
  readonly #sending = new Map<number, Promise<void>>();
  /** Sent, and not yet written down. */
  readonly #writing = new Map<number, Promise<void>>();
  #cancelTimer: (() => void) | undefined;
  #isPumpDue = false;
  /** The destination asked to be left alone until then. */
  #pausedUntilMs = 0;
  #isStopped = false;

  constructor(destination: string, options: DispatcherOptions, pace: Pace, signal: AbortSignal) {
    this.#destination = destination;
    this.#pace = pace;
    this.#options = options;
    this.#signal = signal;
  }

  /** Deliveries that are being sent. */
  get active(): number {
    return this.#sending.size;
  }

  /** Begins what is due and has room, and comes back when more is. */
  pump(): void {
    if (this.#isStopped) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { outbox, clock, perDestination, log } = this.#options;
    // One time for all: what became due between two looks would be seen by neither.
    const nowMs = clock.nowMs();
    const restMs = this.#pausedUntilMs - nowMs;
    if (restMs > 0) {
      this.#comeBack(restMs);
      return;
    }
    const known = this.#sending.size + this.#writing.size;
    if (this.#sending.size >= perDestination || known >= maxWriting) return;
    try {
      // Those that are known here are due as well, and come first.
      for (const id of outbox.dueIds(this.#destination, perDestination + known, nowMs)) {
        if (this.#sending.size >= perDestination) return;
        if (this.#sending.has(id) || this.#writing.has(id)) continue;
        if (!this.#pace.tryTake()) {
          this.#pumpSoon();
          return;
        }
        this.#begin(id);
      }
      const nextMs = outbox.nextDueMs(this.#destination, nowMs);
      if (nextMs !== undefined) this.#comeBack(nextMs - clock.nowMs());
    } catch (error) {
      log.error("the outbox cannot be read", { error: messageOf(error) });
      this.#comeBack(storageRestMs);
    }
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending.values());
    await Promise.all(this.#writing.values());
  }

  /** Once for all that ends at a time. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    setImmediate(() => {
      this.#isPumpDue = false;
      this.pump();
    });
  }

  #comeBack(delayMs: number): void {
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.pump());
  }

  #begin(id: number): void {
    const delivery = this.#options.outbox.tryLoad(id);
    if (delivery === undefined) return;
    this.#sending.set(id, this.#sendAndWrite(delivery));
  }

  async #sendAndWrite(delivery: DueDelivery): Promise<void> {
    const { id } = delivery;
    const result = await this.#send(delivery);
    this.#sending.delete(id);
    if (result !== undefined) this.#writing.set(id, this.#write(id, result));
    this.#pumpSoon();
  }

  /** How it went; undefined where it was broken off at the end, and is sent again by the next process. */
  async #send(delivery: DueDelivery): Promise<DeliveryResult | undefined> {
    const { deliver, clock, onAttempt } = this.#options;
    const startMs = clock.nowMs();
    let failure: FairleadError | undefined;
    try {
      await deliver(delivery, this.#signal);
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      failure = error instanceof FairleadError ? error : toInternal(error);
    }
    const result = this.#resultOf(delivery, failure);
    onAttempt?.({
      delivery,
      result: result.kind,
      durationMs: clock.nowMs() - startMs,
      ...(failure === undefined ? {} : { error: failure }),
    });
    return result;
  }

  #resultOf(delivery: DueDelivery, failure: FairleadError | undefined): DeliveryResult {
    if (failure === undefined) return { kind: "delivered" };
    const { clock, retry, random = Math.random, onDead } = this.#options;
    const { message: error, retryAfterMs } = failure;
    const nowMs = clock.nowMs();
    if (failure.retryable && retryAfterMs !== undefined) {
      const pausedUntilMs = nowMs + Math.min(retryAfterMs, maxRetryAfterMs);
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, pausedUntilMs);
    }
    const delayMs = nextDelayMs(failure, delivery.attempts + 1, retry, random());
    if (delayMs !== undefined) return { kind: "retry", error, dueMs: nowMs + delayMs };
    const kubernetesEvent = onDead?.(delivery, error);
    return { kind: "dead", error, ...(kubernetesEvent === undefined ? {} : { kubernetesEvent }) };
  }

  async #write(id: number, result: DeliveryResult): Promise<void> {
    await this.#writeUntilKept(id, result);
    this.#writing.delete(id);
    // The next of the lane is ready.
    this.#pumpSoon();
  }

  /** What is not written would be sent again: it is held until the disk takes it. */
  async #writeUntilKept(id: number, result: DeliveryResult): Promise<void> {
    const { outbox, clock, log } = this.#options;
    for (;;) {
      try {
        await outbox.finish(id, result);
        return;
      } catch (error) {
        if (this.#isStopped) return;
        log.error("the result of a delivery cannot be written", { delivery: id, error: messageOf(error) });
        await new Promise<void>((resolve) => void clock.after(storageRestMs, resolve));
      }
    }
  }
}

function toInternal(error: unknown): FairleadError {
  return new FairleadError("internal", messageOf(error), { retryable: true, cause: error });
}
