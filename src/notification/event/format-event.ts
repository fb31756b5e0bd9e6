import type { NotificationEvent, ObjectReference } from "../event.ts";

/**
 * The JSON of an event as Go senders write it: fields in the order of Flux's structs, keys of maps sorted, and
 * `<`, `>`, `&` and line separators escaped. An event with an action or a related object is written as v1.
 */
export function formatEvent(event: NotificationEvent): string {
  const isV1 = event.action !== undefined || event.relatedObject !== undefined;
  const metadata = formatTexts(event.metadata);
  const fields: readonly (readonly [key: string, json: string | undefined])[] = [
    ["involvedObject", formatReference(event.involvedObject)],
    ["relatedObject", event.relatedObject && formatReference(event.relatedObject)],
    ["severity", JSON.stringify(event.severity)],
    ["timestamp", JSON.stringify(event.timestamp)],
    ["message", JSON.stringify(event.message)],
    ["reason", JSON.stringify(event.reason)],
    ["action", isV1 ? JSON.stringify(event.action ?? "") : undefined],
    ["metadata", metadata === "{}" ? undefined : metadata],
    ["reportingController", JSON.stringify(event.reportingController)],
    ["reportingInstance", event.reportingInstance && JSON.stringify(event.reportingInstance)],
  ];
  const written = fields.flatMap(([key, json]) => (json ? [`"${key}":${json}`] : []));
  return escapeAsGo(`{${written.join(",")}}`);
}

/** Keys that look like numbers stay in their order, which they would not in a JavaScript object. */
function formatTexts(texts: Readonly<Record<string, string>>): string {
  const keys = Object.keys(texts).toSorted(compareBytes);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(texts[key])}`).join(",")}}`;
}

/** In the order of core/v1's ObjectReference; what is empty is left out. */
function formatReference(reference: ObjectReference): string {
  const { kind, namespace, name, uid, apiVersion, resourceVersion } = reference;
  const fields = { kind, namespace, name, uid, apiVersion, resourceVersion };
  return JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([, text]) => text)));
}

/** By UTF-8, as Go compares. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function escapeAsGo(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
