import { expect, test } from "vitest";
import { causeOfAdded, causeOfUpdate, watchedKey, type WatchedObject } from "./watched-object.ts";

function object(metadata: Partial<WatchedObject["metadata"]> = {}, requestedAt?: string): WatchedObject {
  const annotations = requestedAt === undefined ? {} : { "reconcile.fluxcd.io/requestedAt": requestedAt };
  return { metadata: { name: "app", namespace: "apps", uid: "1", generation: 1, annotations, ...metadata } };
}

test("keys", () => {
  expect(watchedKey(object())).toBe("apps/app");
  expect(watchedKey({ metadata: { name: "apps", uid: "1" } })).toBe("/apps");
});

const status = { lastHandledReconcileAt: "10:00" };
test.each<[string, WatchedObject, string]>([
  ["is new", object(), "changed"],
  ["has no annotations", { metadata: { name: "app", uid: "1" } }, "changed"],
  ["was asked for", object({}, "10:00"), "requested"],
  ["was asked for and looked at", { ...object({}, "10:00"), status }, "changed"],
  ["was asked for again", { ...object({}, "10:01"), status }, "requested"],
])("an object that %s", (_name, added, cause) => {
  expect(causeOfAdded(added)).toBe(cause);
});

test.each<[string, WatchedObject, WatchedObject, string | undefined]>([
  ["of nothing", object(), object(), undefined],
  ["of the status", object(), { ...object(), status }, undefined],
  ["of a label's or another annotation's", object(), object({ annotations: { other: "x" } }), undefined],
  ["of the specification", object(), object({ generation: 2 }), "changed"],
  ["for another object of the name", object(), object({ uid: "2" }), "changed"],
  ["to its end", object(), object({ deletionTimestamp: "2026-08-01T00:00:00Z" }), "changed"],
  ["to a request", object(), object({}, "10:00"), "requested"],
  ["to another request", object({}, "10:00"), object({}, "09:00"), "requested"],
  ["to the same request", object({}, "10:00"), object({}, "10:00"), undefined],
  ["to no request", object({}, "10:00"), object(), undefined],
  ["of both", object(), object({ generation: 2 }, "10:00"), "requested"],
])("a change %s", (_name, old, now, cause) => {
  expect(causeOfUpdate(now, old)).toBe(cause);
});
