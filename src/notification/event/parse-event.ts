import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { EventSeverity, NotificationEvent, ObjectReference } from "../event.ts";
import { JsonFields } from "./json-fields.ts";

/** What notification-controller reads of a request. */
const maxBytes = 3 * 1024 * 1024;
const maxMetadataKeys = 1000;

const maxNameLength = 253;

const severities: readonly EventSeverity[] = ["trace", "info", "error"];

/**
 * Reads the body of an event, of v1beta1 or v1; fields that are not known are passed over, as Go does it.
 * @param receivedAt what an event without a timestamp gets
 * @throws FairleadError `event-invalid`, which names the field; `limit-exceeded` for more than 3 MiB
 */
export function parseEvent(bytes: Uint8Array, receivedAt: Date = new Date()): NotificationEvent {
  if (bytes.length > maxBytes) {
    throw new FairleadError("limit-exceeded", `the event is larger than ${maxBytes} bytes`);
  }
  const fields = new JsonFields(parseJson(bytes), "");
  const relatedObject = fields.map("relatedObject");
  const action = fields.text("action");
  const reportingInstance = fields.text("reportingInstance");
  return {
    involvedObject: readReference(fields.requiredMap("involvedObject"), { isRequired: true }),
    severity: readSeverity(fields),
    timestamp: readTimestamp(fields, receivedAt),
    message: fields.text("message"),
    reason: fields.text("reason"),
    ...(action === "" ? {} : { action }),
    ...(relatedObject === undefined ? {} : { relatedObject: readReference(relatedObject) }),
    metadata: fields.textMap("metadata", maxMetadataKeys),
    reportingController: fields.text("reportingController"),
    ...(reportingInstance === "" ? {} : { reportingInstance }),
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new FairleadError("event-invalid", `the event is no JSON: ${excerpt(messageOf(cause))}`, { cause });
  }
}

function readReference(
  fields: JsonFields,
  { isRequired }: { readonly isRequired: boolean } = { isRequired: false },
): ObjectReference {
  const [kind, namespace, name] = ["kind", "namespace", "name"].map((key) => {
    const text = fields.text(key, maxNameLength);
    // No alert could match the event of an object without one of them, and Flux's recorder does not send it.
    if (isRequired && text === "") throw fields.invalid(key, "is required");
    return text;
  });
  const [apiVersion, uid, resourceVersion] = ["apiVersion", "uid", "resourceVersion"].map((key) =>
    fields.text(key, maxNameLength),
  );
  return {
    ...(apiVersion && { apiVersion }),
    kind: kind ?? "",
    namespace: namespace ?? "",
    name: name ?? "",
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}

function readSeverity(fields: JsonFields): EventSeverity {
  const text = fields.text("severity");
  const severity = severities.find((known) => known === text);
  if (severity === undefined) throw fields.invalid("severity", `is none of ${severities.join(", ")}`);
  return severity;
}

/** RFC 3339, of which Go takes a fraction of seconds as well. */
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/u;

function readTimestamp(fields: JsonFields, receivedAt: Date): string {
  const text = fields.text("timestamp");
  if (text === "") return `${receivedAt.toISOString().slice(0, 19)}Z`;
  if (!timestampPattern.test(text) || Number.isNaN(Date.parse(text.replace(",", ".")))) {
    throw fields.invalid("timestamp", "is no time by RFC 3339, such as 2026-11-22T08:00:00Z");
  }
  return text;
}
