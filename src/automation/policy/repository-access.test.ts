import { expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { ObjectCollection } from "../../objects/object-collection.ts";
import { parseObjects } from "../../objects/parse-objects.ts";
import { collectObjects } from "../objects/object-collection.ts";
import { objectKinds } from "../objects/object-kinds.ts";
import type { AutomationObject } from "../objects/objects.ts";
import { findRepository, type AccessOptions } from "./repository-access.ts";

/** A policy in `apps`, its repository in `images`. */
function find(accessFrom: string, namespace: string, options?: AccessOptions, from = "images"): string {
  const collection = new ObjectCollection<AutomationObject>();
  const text = `
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: {name: app, namespace: images}
spec: {image: nginx, interval: 1m${accessFrom}}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: {name: app, namespace: apps}
spec: {imageRepositoryRef: {name: app, namespace: ${from}}, policy: {alphabetical: {}}}
---
${namespace}
`;
  parseObjects({ file: "objects.yaml", text }, objectKinds, collection);
  expect(collection.diagnostics).toEqual([]);
  const objects = collectObjects(collection.objects);
  const policy = objects.imagePolicies.get("apps/app");
  if (policy === undefined) throw new Error("the policy is not read");
  try {
    return findRepository(policy, objects, options).meta.name;
  } catch (error) {
    if (error instanceof FairleadError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const selectors = (labels: string): string => `, accessFrom: {namespaceSelectors: [${labels}]}`;
const labelled = "{apiVersion: v1, kind: Namespace, metadata: {name: apps, labels: {team: a, tier: b}}}";
const missing =
  "access-denied: access denied: 'images/app' can't be accessed due to missing ACL labels on 'accessFrom'";
const mismatch =
  "access-denied: access denied: 'images/app' can't be accessed due to ACL labels mismatch on namespace 'apps'";

test.each<[string, string, string, string]>([
  ["no accessFrom", "", labelled, missing],
  ["no selectors", selectors(""), labelled, mismatch],
  ["an empty selector", selectors("{}"), "", "app"],
  ["an empty matchLabels", selectors("{matchLabels: {}}"), "", "app"],
  ["labels that match", selectors("{matchLabels: {team: a, tier: b}}"), labelled, "app"],
  ["one label that does not match", selectors("{matchLabels: {team: a, tier: c}}"), labelled, mismatch],
  ["one selector of two", selectors("{matchLabels: {team: x}}, {matchLabels: {team: a}}"), labelled, "app"],
  ["labels of a namespace that is not given", selectors("{matchLabels: {team: a}}"), "", mismatch],
  ["the name of the namespace", selectors("{matchLabels: {kubernetes.io/metadata.name: apps}}"), "", "app"],
])("%s", (_name, accessFrom, namespace, expected) => {
  expect(find(accessFrom, namespace)).toBe(expected);
});

test("cross-namespace references can be blocked", () => {
  expect(find(selectors("{}"), "", { noCrossNamespaceRefs: true })).toBe(
    "access-denied: cannot access 'ImageRepository/images/app', cross-namespace references have been blocked",
  );
});

test("a repository that is not there", () => {
  expect(find("", "", {}, "elsewhere")).toBe(
    "object-missing: referenced ImageRepository does not exist: elsewhere/app",
  );
});
