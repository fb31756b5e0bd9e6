import { FairleadError, messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { formatEvent } from "../event/format-event.ts";
import { type Clock, rest, systemClock } from "../../core/clock.ts";
import type { DeliveryTransport } from "../providers/provider.ts";
import { type EventQueue, openEventQueue, type QueuedEvent } from "./event-queue.ts";
import { postEvent, type PostOutcome } from "./event-post.ts";
import type { KubernetesEvents } from "./kubernetes-event.ts";
import {
  mergeAnnotations,
  notificationEvent,
  type Occurrence,
  type RecordedObject,
  type Reporter,
} from "./recorded-object.ts";

export interface EventRecorderOptions {
  /** Where events are posted; undefined: nowhere, they become Kubernetes Events alone. */
  readonly url: string | undefined;
  /** Its requests end after five seconds, as those of Flux's recorder. */
  readonly transport: DeliveryTransport;
  readonly reporter: Reporter;
  readonly logger: Logger;
  /** Keeps events that are not posted yet; undefined: they end with the process. */
  readonly file?: string | undefined;
  readonly kubernetesEvents?: KubernetesEvents | undefined;
  /** How many events may wait; beyond, the one that comes is dropped. Default: 10,000. */
  readonly maxQueued?: number;
  /** How often an event is posted at most; default: until it is a day old. */
  readonly maxAttempts?: number;
  /** Told what came of each event that leaves the queue. */
  readonly onOutcome?: (outcome: PostOutcome) => void;
  readonly clock?: Clock;
}

const defaultMaxQueued = 10_000;
const maxAgeMs = 24 * 60 * 60_000;
const firstDelayMs = 1000;
const maxDelayMs = 60_000;

/** What a server takes. */
const maxBodyBytes = 3 * 1024 * 1024;
/** Texts in memory that are not in the queue yet. */
const maxPendingBytes = 64 * 1024 * 1024;

/** Opens a recorder, which goes on with what an earlier one has left in the file. @throws FairleadError `state-invalid` */
export async function openEventRecorder(options: EventRecorderOptions): Promise<EventRecorder> {
  const recorder = new EventRecorder(await openEventQueue(options.file), options);
  recorder.start();
  return recorder;
}

/**
 * Records events as Flux's recorder does, but never blocks its caller: events wait in a queue of bounded length and
 * are posted one after another, in order, each until the server has it.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #queue: EventQueue;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #pending: Omit<QueuedEvent, "id">[] = [];
  #pendingBytes = 0;
  #waiting: number;
  #scheduled: NodeJS.Immediate | undefined;
  #posting: Promise<void> | undefined;

  constructor(queue: EventQueue, options: EventRecorderOptions) {
    this.#queue = queue;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#waiting = queue.count();
  }

  /** Begins to post what waits. */
  start(): void {
    if (this.#posting !== undefined || this.#closing.signal.aborted) return;
    this.#ensurePosting().catch((error: unknown) =>
      this.#options.logger.error("events are not posted", { error: messageOf(error) }),
    );
  }

  /** Records what happened to an object. It returns at once and throws nothing. */
  record(object: RecordedObject, occurrence: Occurrence): void {
    try {
      this.#record(object, occurrence);
    } catch (error) {
      this.#options.logger.error("unable to record event", { error: messageOf(error) });
    }
  }

  /**
   * Waits until every event has left the queue.
   * @throws FairleadError `aborted`, `state-invalid`
   */
  async flush(signal?: AbortSignal): Promise<void> {
    this.#store();
    const { promise: aborted, resolve: stop } = Promise.withResolvers<void>();
    signal?.addEventListener("abort", () => stop(), { once: true });
    // Timers of the clock do not keep the process alive; whoever waits here does.
    const keepAlive = setInterval(() => undefined, maxDelayMs);
    try {
      while (this.#waiting > 0 && this.#options.url !== undefined) {
        if (signal?.aborted === true || this.#closing.signal.aborted) {
          throw new FairleadError("aborted", "events are left in the queue");
        }
        await Promise.race([this.#ensurePosting(), aborted]);
      }
    } finally {
      clearInterval(keepAlive);
    }
  }

  /** Stops posting and closes the file, in which everything that was recorded is. @throws FairleadError `state-invalid` */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#posting?.catch(() => undefined);
    try {
      this.#store();
    } finally {
      this.#queue.close();
    }
  }

  async #ensurePosting(): Promise<void> {
    this.#posting ??= this.#post().finally(() => {
      this.#posting = undefined;
    });
    return this.#posting;
  }

  #record(object: RecordedObject, occurrence: Occurrence): void {
    const { kubernetesEvents, url, reporter, logger, maxQueued = defaultMaxQueued } = this.#options;
    const { annotations, ...involvedObject } = object;
    const { type, reason, message, metadata } = occurrence;
    kubernetesEvents?.record({
      involvedObject,
      type: type === "Trace" ? "Normal" : type,
      reason,
      message,
      annotations: mergeAnnotations(metadata, annotations),
    });
    if (url === undefined || type === "Trace") return;
    const missing = (["kind", "name", "namespace"] as const).find((key) => object[key] === "");
    if (missing !== undefined) {
      logger.error("unable to record event", { error: `failed to get object ${missing}` });
      return;
    }
    const nowMs = this.#clock.nowMs();
    const body = formatEvent(notificationEvent(object, occurrence, reporter, new Date(nowMs)));
    const size = Buffer.byteLength(body);
    const problem =
      size > maxBodyBytes
        ? `it is larger than ${maxBodyBytes} bytes`
        : this.#waiting >= maxQueued || this.#pendingBytes + size > maxPendingBytes
          ? "the queue is full"
          : undefined;
    if (problem !== undefined) {
      this.#drop({ kind: "refused", reason: problem });
      return;
    }
    this.#pending.push({ body, recordedMs: nowMs });
    this.#pendingBytes += size;
    this.#waiting += 1;
    // What is recorded in one go is written in one go, after the caller has gone on.
    this.#scheduled ??= setImmediate(() => this.#storeAndPost());
  }

  #storeAndPost(): void {
    try {
      this.#store();
      this.start();
    } catch (error) {
      this.#options.logger.error("events cannot be kept", { error: messageOf(error) });
    }
  }

  /** Writes what waits in memory into the queue; where that fails it is kept in memory for the next time. */
  #store(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#pending.length === 0) return;
    this.#queue.append(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  async #post(): Promise<void> {
    const { signal } = this.#closing;
    const { url } = this.#options;
    if (url === undefined) return;
    let attempts = 0;
    for (
      let event = this.#queue.first();
      event !== undefined && !signal.aborted;
      event = this.#queue.first()
    ) {
      const outcome = await this.#attempt(url, event.body);
      if (outcome === undefined) return;
      attempts += 1;
      if (outcome.kind === "failed" && !this.#isSpent(event, attempts)) {
        const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
        this.#options.logger.debug("an event is posted again", { reason: outcome.reason, delayMs });
        await rest(this.#clock, delayMs, signal);
        continue;
      }
      attempts = 0;
      this.#queue.remove(event.id);
      this.#waiting -= 1;
      this.#drop(outcome);
    }
    // Another process with the same file may have posted some.
    if (!signal.aborted) this.#waiting = this.#pending.length;
  }

  /** Undefined where the recorder is closed meanwhile. */
  async #attempt(url: string, body: string): Promise<PostOutcome | undefined> {
    const { signal } = this.#closing;
    try {
      return await postEvent(url, body, this.#options.transport, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #isSpent({ recordedMs }: QueuedEvent, attempts: number): boolean {
    const { maxAttempts = Infinity } = this.#options;
    return attempts >= maxAttempts || this.#clock.nowMs() - recordedMs >= maxAgeMs;
  }

  /** Tells of an event that is not in the queue any more. */
  #drop(outcome: PostOutcome): void {
    const { logger, onOutcome } = this.#options;
    if (outcome.kind === "refused" || outcome.kind === "failed") {
      logger.error("an event is dropped", { reason: outcome.reason });
    }
    onOutcome?.(outcome);
  }
}
