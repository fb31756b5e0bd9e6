import type { Notification, NotificationEvent } from "../event.ts";
import { formatEvent } from "../event/format-event.ts";

/** An event as Flux's notification-controller sends it on: with the alert's metadata and its text, in Go's JSON. */
export function eventJson(notification: Notification): string {
  const { event, metadata } = notification;
  return formatEvent({ ...event, metadata, message: messageOf(notification), timestamp: timestampOf(event) });
}

/** What the notification says: by the alert's template, or as the event has it. */
export function messageOf({ text, event }: Notification): string {
  return text ?? event.message;
}

/** The metadata with its keys in order. */
export function metadataOf({ metadata }: Notification): readonly (readonly [string, string])[] {
  return Object.entries(metadata).toSorted(([left], [right]) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
}

/** The time of an event as Kubernetes writes it: RFC 3339 in UTC, whole seconds. */
export function timestampOf({ timestamp }: NotificationEvent): string {
  const timeMs = timeOf(timestamp);
  return timeMs === undefined ? timestamp : new Date(timeMs).toISOString().replace(/\.\d+Z$/u, "Z");
}

/** The seconds since 1970 of an event's time; 0 for one that is none. */
export function unixSecondsOf({ timestamp }: NotificationEvent): number {
  return Math.floor((timeOf(timestamp) ?? 0) / 1000);
}

function timeOf(timestamp: string): number | undefined {
  const timeMs = Date.parse(timestamp);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
