import type { NotificationEvent, ObjectReference } from "../event.ts";

/** What annotations that travel with an event begin with (RFC-0008). */
export const eventPrefix = "event.toolkit.fluxcd.io/";

/** Keys whose meaning Flux knows, without their prefix. */
export const knownKeys = {
  revision: "revision",
  originRevision: "originRevision",
  checksum: "checksum",
  digest: "digest",
  token: "token",
  commit: "commit",
  commitStatus: "commit_status",
  changeRequest: "change_request",
  summary: "summary",
} as const;

/** What the keys of the controller of an object begin with: its API group and a slash; the core group is empty. */
export function objectPrefix({ apiVersion = "" }: Pick<ObjectReference, "apiVersion">): string {
  const [group = "", ...rest] = apiVersion.split("/");
  return rest.length === 1 ? `${group}/` : "/";
}

/** A value that the object's controller gave, such as its `revision`. */
export function controllerValue(event: NotificationEvent, key: string): string | undefined {
  return ownValue(event.metadata, objectPrefix(event.involvedObject) + key);
}

/** A value that an annotation of the object gave, such as `change_request`. */
export function annotationValue(event: NotificationEvent, key: string): string | undefined {
  return ownValue(event.metadata, eventPrefix + key);
}

function ownValue(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
