import { hash } from "node:crypto";
import type { KubernetesEvent } from "../../notification/recorder/kubernetes-event.ts";
import { RecentMap } from "./recent-map.ts";

/** What is known of an event that happens again and again, and is one object at the API server. */
export interface EventSeries {
  /** The name of that object; undefined: it has none yet. */
  name: string | undefined;
  /** Whether that object was made. */
  isStored: boolean;
  count: number;
  firstMs: number;
  lastMs: number;
}

/** An event with the series that it goes into. */
export interface CorrelatedEvent {
  readonly event: KubernetesEvent;
  readonly series: EventSeries;
}

interface SimilarEvents {
  /** Of those that differ in nothing but their message. */
  readonly messages: Set<string>;
  lastMs: number;
}

interface TokenBucket {
  tokens: number;
  filledMs: number;
}

// All of these are client-go's.
const maxEntries = 4096;
const maxSimilar = 10;
const similarForMs = 10 * 60_000;
const burst = 25;
const msPerToken = 5 * 60_000;
const combinedPrefix = "(combined from similar events): ";

/**
 * Keeps events from flooding the API server as client-go's recorder does: equal ones are counted in one object; from
 * the tenth on that differs in its message alone within ten minutes of the one before, they are combined in one; and
 * an object has no more than 25 in quick succession, and then one in five minutes.
 */
export class EventCorrelator {
  readonly #series = new RecentMap<EventSeries>(maxEntries);
  readonly #similar = new RecentMap<SimilarEvents>(maxEntries);
  readonly #buckets = new RecentMap<TokenBucket>(maxEntries);

  /** Counts an event. Undefined: there were too many of its object, and it is not to be sent. */
  correlate(event: KubernetesEvent, nowMs: number): CorrelatedEvent | undefined {
    const { involvedObject, type, reason, message } = event;
    const { kind, namespace, name, uid, apiVersion } = involvedObject;
    const object = [kind, namespace, name, uid, apiVersion];
    const kindOfEvent = [...object, type, reason];
    const isCombined = this.#areMany(kindOfEvent, message, nowMs);
    const key = keyOf(isCombined ? kindOfEvent : [...kindOfEvent, message]);
    const series = this.#series.of(key, () => newSeries(nowMs));
    series.count += 1;
    series.lastMs = nowMs;
    if (!this.#takeToken(keyOf(object), nowMs)) return undefined;
    // What the annotations say is about one of many.
    return {
      series,
      event: isCombined ? { ...event, message: `${combinedPrefix}${message}`, annotations: {} } : event,
    };
  }

  #areMany(kindOfEvent: readonly (string | undefined)[], message: string, nowMs: number): boolean {
    const similar = this.#similar.of(keyOf(kindOfEvent), () => ({ messages: new Set(), lastMs: nowMs }));
    if (nowMs - similar.lastMs > similarForMs) similar.messages.clear();
    similar.lastMs = nowMs;
    similar.messages.add(keyOf([message]));
    if (similar.messages.size < maxSimilar) return false;
    const [first = ""] = similar.messages;
    similar.messages.delete(first);
    return true;
  }

  #takeToken(key: string, nowMs: number): boolean {
    const bucket = this.#buckets.of(key, () => ({ tokens: burst, filledMs: nowMs }));
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, nowMs - bucket.filledMs) / msPerToken);
    bucket.filledMs = nowMs;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

function newSeries(nowMs: number): EventSeries {
  return { name: undefined, isStored: false, count: 0, firstMs: nowMs, lastMs: nowMs };
}

/** As short however long the parts are. */
function keyOf(parts: readonly (string | undefined)[]): string {
  return hash("sha1", JSON.stringify(parts), "base64");
}
