import { requestAnnotation } from "../../automation/run/request.ts";

/** What a controller looks at in an object that it is told of. */
export interface WatchedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    /** It grows with each change of the specification. */
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly lastHandledReconcileAt?: string };
}

/** Why an object is to be looked at: its user asked for it, or it has changed. */
export type Cause = "requested" | "changed";

/** The key of an object among those of its kind: `namespace/name`. */
export function watchedKey({ metadata: { namespace, name } }: WatchedObject): string {
  return `${namespace ?? ""}/${name}`;
}

/** Why an object is to be looked at that was not known before. */
export function causeOfAdded(object: WatchedObject): Cause {
  return isRequested(object, object.status?.lastHandledReconcileAt) ? "requested" : "changed";
}

/**
 * Why an object is to be looked at after a change, or undefined where that concerns nobody: that of a status is the
 * controller's own.
 */
export function causeOfUpdate(object: WatchedObject, old: WatchedObject): Cause | undefined {
  if (isRequested(object, requestOf(old))) return "requested";
  const { metadata: is } = object;
  const { metadata: was } = old;
  const isChanged =
    is.uid !== was.uid || is.generation !== was.generation || is.deletionTimestamp !== was.deletionTimestamp;
  return isChanged ? "changed" : undefined;
}

/** Any other value is a request; that there is none any more is not. */
function isRequested(object: WatchedObject, handled: string | undefined): boolean {
  const request = requestOf(object);
  return request !== undefined && request !== handled;
}

function requestOf({ metadata }: WatchedObject): string | undefined {
  return metadata.annotations?.[requestAnnotation];
}
