import { createHash } from "node:crypto";
import type { ObjectMeta } from "../../objects/object-meta.ts";

/** Whoever changes its value asks for the object to be looked at. */
export const requestAnnotation = "reconcile.fluxcd.io/requestedAt";

interface Handled {
  readonly lastHandledReconcileAt?: string;
}

/** Whether somebody asks for an object since it was last looked at. */
export function isRequested({ annotations }: ObjectMeta, status: Handled | undefined): boolean {
  const request = annotations[requestAnnotation];
  return request !== undefined && request !== status?.lastHandledReconcileAt;
}

/** What an object's status says of the request that it was looked at for. */
export function handledRequest({ annotations }: ObjectMeta): Handled {
  const request = annotations[requestAnnotation];
  return request === undefined ? {} : { lastHandledReconcileAt: request };
}

/** A digest by which specifications are told apart; the order of keys does not count. */
export function digestSpec(...specs: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(specs, sortKeys)).digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
