import type { Notification, NotificationEvent, ObjectReference } from "../event.ts";

/**
 * A value as Go's encoding/json writes it: `<`, `>`, `&` and two line ends of Unicode escaped, text well-formed.
 * Keys stay in their order.
 */
export function goJson(value: unknown): string {
  const json = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? part.toWellFormed() : part,
  );
  return json.replace(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** An event as Flux's notification-controller sends it on: with the alert's metadata, and the keys in Go's order. */
export function eventJson(notification: Notification): string {
  return goJson(eventBody(notification));
}

/** The members of {@link eventJson}. */
export function eventBody(notification: Notification): Readonly<Record<string, unknown>> {
  const { event } = notification;
  const metadata = Object.fromEntries(metadataOf(notification));
  return withoutEmpty({
    involvedObject: referenceBody(event.involvedObject),
    severity: event.severity,
    timestamp: timestampOf(event),
    message: messageOf(notification),
    reason: event.reason,
    action: event.action,
    relatedObject: event.relatedObject === undefined ? undefined : referenceBody(event.relatedObject),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    reportingController: event.reportingController,
    reportingInstance: event.reportingInstance,
  });
}

function referenceBody(reference: ObjectReference): Readonly<Record<string, unknown>> {
  const { kind, namespace, name, uid, apiVersion, resourceVersion } = reference;
  const body = { kind, namespace, name, uid, apiVersion, resourceVersion };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== ""));
}

function withoutEmpty(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([key, value]) =>
        value !== undefined && !(value === "" && (key === "reportingInstance" || key === "action")),
    ),
  );
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
