import { eventPrefix } from "../metadata/metadata-keys.ts";
import type { EventSeverity, NotificationEvent, ObjectReference } from "../event.ts";

/** An object that an event is about. */
export interface RecordedObject extends ObjectReference {
  readonly annotations: Readonly<Record<string, string>>;
}

/** What happened to it. */
export interface Occurrence {
  /** A Trace is told to Kubernetes alone, as Normal. */
  readonly type: "Normal" | "Warning" | "Trace";
  readonly reason: string;
  readonly message: string;
  /** Keys with their prefixes, such as `kustomize.toolkit.fluxcd.io/revision`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Who tells it. */
export interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

/** Metadata with the object's annotations of RFC-0008, which overwrite keys of the same name as in Flux's recorder. */
export function mergeAnnotations(
  metadata: Readonly<Record<string, string>> | undefined,
  annotations: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const merged = Object.assign(Object.create(null) as Record<string, string>, metadata);
  for (const [key, value] of Object.entries(annotations)) {
    if (key.startsWith(eventPrefix)) merged[key] = value;
  }
  return merged;
}

/** The severity that Flux gives a type of Kubernetes Event. */
function severityOf(type: Occurrence["type"]): EventSeverity {
  if (type === "Warning") return "error";
  return type === "Trace" ? "trace" : "info";
}

/** The event that is posted for an occurrence, as Flux's recorder makes it. */
export function notificationEvent(
  object: RecordedObject,
  { type, reason, message, metadata }: Occurrence,
  { controller, instance }: Reporter,
  now: Date,
): NotificationEvent {
  const { annotations, ...involvedObject } = object;
  return {
    involvedObject,
    severity: severityOf(type),
    timestamp: `${now.toISOString().slice(0, 19)}Z`,
    message,
    reason,
    metadata: mergeAnnotations(metadata, annotations),
    reportingController: controller,
    reportingInstance: instance,
  };
}
