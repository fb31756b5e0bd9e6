import type { NotificationEvent } from "../event.ts";
import { eventPrefix, knownKeys, objectPrefix } from "./metadata-keys.ts";

/**
 * Leaves of an event's metadata the keys of RFC-0008 and those of the object's own controller, without its checksum
 * and digest, as notification-controller does before it looks for duplicates.
 */
export function cleanMetadata(event: NotificationEvent): NotificationEvent {
  const prefix = objectPrefix(event.involvedObject);
  const excluded = new Set([knownKeys.checksum, knownKeys.digest].map((key) => foldCase(prefix + key)));
  return filterMetadata(
    event,
    (key) => (key.startsWith(eventPrefix) || key.startsWith(prefix)) && !excluded.has(foldCase(key)),
  );
}

/** Takes away what only tells duplicates apart: the controller's token. */
export function withoutToken(event: NotificationEvent): NotificationEvent {
  const token = objectPrefix(event.involvedObject) + knownKeys.token;
  return filterMetadata(event, (key) => key !== token);
}

function filterMetadata(event: NotificationEvent, isKept: (key: string) => boolean): NotificationEvent {
  const metadata = Object.create(null) as Record<string, string>;
  for (const [key, value] of Object.entries(event.metadata)) {
    if (isKept(key)) metadata[key] = value;
  }
  return { ...event, metadata };
}

/** As Go's strings.EqualFold, for which the Kelvin sign and the long s are letters. */
function foldCase(key: string): string {
  return key.toUpperCase().toLowerCase();
}
