import type { Reporter } from "../../notification/recorder/recorded-object.ts";
import { truncate } from "../../notification/providers/truncate.ts";
import type { CorrelatedEvent } from "./event-correlator.ts";

const maxNameLength = 253;
const maxMessageBytes = 1024;

/** A core/v1 Event as client-go's recorder writes it. */
export function eventObject(
  { event, series }: CorrelatedEvent,
  name: string,
  { controller, instance }: Reporter,
): { readonly metadata: { readonly name: string; readonly namespace: string } } {
  const { namespace, ...involvedObject } = event.involvedObject;
  const isNamespaced = namespace !== "";
  const hasAnnotations = Object.keys(event.annotations).length > 0;
  const object = {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name,
      namespace: eventNamespace(namespace),
      ...(hasAnnotations ? { annotations: { ...event.annotations } } : {}),
    },
    involvedObject: isNamespaced ? { ...involvedObject, namespace } : involvedObject,
    type: event.type,
    reason: event.reason,
    message: truncate(event.message, maxMessageBytes, "bytes"),
    firstTimestamp: formatTime(series.firstMs),
    lastTimestamp: formatTime(series.lastMs),
    count: series.count,
    source: { component: controller },
    reportingComponent: controller,
    reportingInstance: instance,
  };
  return object;
}

/** What changes in an Event when it happens once more: a merge patch. */
export function eventChange({ event, series }: CorrelatedEvent): object {
  return {
    count: series.count,
    lastTimestamp: formatTime(series.lastMs),
    message: truncate(event.message, maxMessageBytes, "bytes"),
  };
}

/** Where the events of an object are; those of an object without a namespace are in `default`. */
export function eventNamespace(namespace: string): string {
  return namespace === "" ? "default" : namespace;
}

/** The name of an event: that of its object, shortened where it must be, and when it was, in nanoseconds. */
export function eventName(objectName: string, timeNs: bigint): string {
  const suffix = `.${timeNs.toString(16)}`;
  return `${objectName.slice(0, maxNameLength - suffix.length).replace(/[-.]+$/u, "")}${suffix}`;
}

function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}
