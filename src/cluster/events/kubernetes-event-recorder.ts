import { type Clock, rest, systemClock } from "../../core/clock.ts";
import { type ErrorCode, FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { Logger } from "../../core/log.ts";
import type { KubernetesEvent, KubernetesEvents } from "../../notification/recorder/kubernetes-event.ts";
import type { Reporter } from "../../notification/recorder/recorded-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { type CorrelatedEvent, EventCorrelator, type EventSeries } from "./event-correlator.ts";
import { eventChange, eventName, eventNamespace, eventObject } from "./event-object.ts";

export interface KubernetesEventRecorderOptions {
  readonly api: Pick<ObjectApi, "create" | "patch">;
  /** The controller, and its pod. */
  readonly reporter: Reporter;
  readonly log: Logger;
  readonly clock?: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
}

// These three are client-go's.
const maxQueued = 1000;
const maxAttempts = 12;
const retryMs = 10_000;
const requestTimeoutMs = 10_000;

/**
 * Writes events into a cluster, one after another, without that anybody waits for it. What happens again while it waits
 * is sent once, with its count. It takes the verbs `create` and `patch` on `events`.
 */
export class KubernetesEventRecorder implements KubernetesEvents {
  readonly #options: KubernetesEventRecorderOptions;
  readonly #clock: Clock;
  readonly #correlator = new EventCorrelator();
  /** What waits, in order, with the latest event of each. */
  readonly #queue = new Map<EventSeries, KubernetesEvent>();
  readonly #closing = new AbortController();
  #sending: Promise<void> | undefined;
  #lastNs = 0n;
  #dropped = 0;
  /** It is told once. */
  #isOverflowing = false;

  constructor(options: KubernetesEventRecorderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** How many events were given up, those apart that are too many of one object. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes an event. It returns at once and throws nothing. */
  record(event: KubernetesEvent): void {
    if (this.#closing.signal.aborted) return;
    try {
      this.#enqueue(event);
      this.#sending ??= this.#send().finally(() => {
        this.#sending = undefined;
      });
    } catch (error) {
      this.#drop("error", event, messageOf(error));
    }
  }

  /**
   * Waits until all is sent, for so long at most.
   * @returns whether it is
   */
  async flush(timeoutMs: number): Promise<boolean> {
    const expired = Promise.withResolvers<void>();
    const cancel = this.#clock.after(timeoutMs, () => expired.resolve());
    // Timers of the clock do not keep the process alive; whoever waits here does.
    const keepAlive = setInterval(() => undefined, timeoutMs);
    await Promise.race([this.#sending, expired.promise]);
    clearInterval(keepAlive);
    cancel();
    return this.#sending === undefined;
  }

  /** Gives up what still waits. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sending;
  }

  #enqueue(event: KubernetesEvent): void {
    const correlated = this.#correlator.correlate(event, this.#clock.nowMs());
    if (correlated === undefined) {
      this.#options.log.debug("an object has too many events", fieldsOf(event));
      return;
    }
    this.#queue.set(correlated.series, correlated.event);
    if (this.#queue.size <= maxQueued) return;
    const [oldest] = this.#queue;
    if (oldest === undefined) return;
    this.#queue.delete(oldest[0]);
    this.#drop(this.#isOverflowing ? "debug" : "warn", oldest[1], "too many wait");
    this.#isOverflowing = true;
  }

  async #send(): Promise<void> {
    const { signal } = this.#closing;
    // Whoever records goes on first.
    await Promise.resolve();
    while (!signal.aborted) {
      const [next] = this.#queue;
      if (next === undefined) {
        this.#isOverflowing = false;
        return;
      }
      const [series, event] = next;
      this.#queue.delete(series);
      await this.#sendOne({ series, event });
    }
  }

  async #sendOne(correlated: CorrelatedEvent): Promise<void> {
    const { event } = correlated;
    const { signal } = this.#closing;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await this.#write(correlated, attempt);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const mayPass = error instanceof FairleadError && error.retryable;
        if (!mayPass || attempt === maxAttempts) {
          // The namespace is gone, or about to be.
          this.#drop(isOneOf(error, "object-missing") ? "debug" : "warn", event, messageOf(error));
          return;
        }
        const { log, random = Math.random } = this.#options;
        log.debug("an event is sent again", { ...fieldsOf(event), error: excerpt(messageOf(error)) });
        // Not all clients are to come back in one moment.
        await rest(this.#clock, attempt === 1 ? retryMs * random() : retryMs, signal);
      }
    }
  }

  async #write({ event, series }: CorrelatedEvent, attempt: number): Promise<void> {
    const { api, reporter } = this.#options;
    const { namespace, name: objectName } = event.involvedObject;
    const options = { signal: this.#closing.signal, timeoutMs: requestTimeoutMs };
    const nextName = (): string => eventName(objectName, this.#nextNs());
    const create = async (name: string): Promise<void> => {
      await api.create(resourceTypes.Event, eventObject({ event, series }, name, reporter), options);
    };
    const patch = async (name: string): Promise<void> => {
      const body = eventChange({ event, series });
      const full = { namespace: eventNamespace(namespace), name };
      await api.patch(resourceTypes.Event, full, { type: "merge", body }, options);
    };
    series.name ??= nextName();
    try {
      await (series.isStored ? patch(series.name) : create(series.name));
    } catch (error) {
      const isTaken = isOneOf(error, "object-conflict");
      if (!isTaken && !(series.isStored && isOneOf(error, "object-missing"))) throw error;
      if (isTaken && !series.isStored && attempt > 1) {
        // An attempt whose answer was lost has made it.
        await patch(series.name);
      } else {
        // Events expire, and another process may have told of the object in the same moment.
        series.isStored = false;
        series.name = nextName();
        await create(series.name);
      }
    }
    series.isStored = true;
  }

  /** Never the same twice. */
  #nextNs(): bigint {
    const nowNs = BigInt(Math.floor(this.#clock.nowMs())) * 1_000_000n;
    this.#lastNs = nowNs > this.#lastNs ? nowNs : this.#lastNs + 1n;
    return this.#lastNs;
  }

  #drop(level: "debug" | "warn" | "error", event: KubernetesEvent, why: string): void {
    this.#dropped += 1;
    this.#options.log[level]("an event is dropped", { ...fieldsOf(event), why: excerpt(why) });
  }
}

function fieldsOf({ involvedObject, reason }: KubernetesEvent): Readonly<Record<string, string>> {
  const { kind, namespace, name } = involvedObject;
  return { kind, object: `${namespace}/${name}`, reason };
}

function isOneOf(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  return error instanceof FairleadError && codes.includes(error.code);
}
