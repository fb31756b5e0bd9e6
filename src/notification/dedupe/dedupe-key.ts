import { createHash } from "node:crypto";
import type { NotificationEvent } from "../event.ts";
import { controllerValue, eventPrefix, knownKeys } from "../metadata/metadata-keys.ts";
import { normalizeMessage } from "./normalize-message.ts";

export interface DedupeOptions {
  /** Messages that differ in IDs, durations and times alone count as equal; default: false. */
  readonly ignoresVolatileParts?: boolean;
}

/**
 * The key by which duplicates are told: notification-controller's, to which the metadata of RFC-0008 is added, so
 * that an event with another annotation is another event.
 * @param event its metadata cleaned
 */
export function dedupeKey(
  event: NotificationEvent,
  { ignoresVolatileParts = false }: DedupeOptions = {},
): string {
  const { name, namespace, kind } = event.involvedObject;
  const message = ignoresVolatileParts ? normalizeMessage(event.message) : event.message;
  const parts = ["event", `name=${name}`, `namespace=${namespace}`, `kind=${kind}`, `message=${message}`];
  for (const key of [knownKeys.originRevision, knownKeys.revision, knownKeys.token]) {
    const value = controllerValue(event, key);
    if (value !== undefined) parts.push(`${key}=${value}`);
  }
  const annotations = Object.entries(event.metadata)
    .filter(([key]) => key.startsWith(eventPrefix))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (annotations.length > 0) parts.push(`annotations=${JSON.stringify(annotations)}`);
  return createHash("sha256").update(parts.join("/")).digest("hex");
}
