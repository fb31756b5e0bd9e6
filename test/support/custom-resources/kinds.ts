import { objectKinds } from "../../../src/automation/objects/object-kinds.ts";
import { readAlert } from "../../../src/notification/objects/read-alert.ts";
import { readProvider } from "../../../src/notification/objects/read-provider.ts";
import { readReceiver } from "../../../src/notification/objects/read-receiver.ts";
import { apiVersionOf, resourceTypes } from "../../../src/cluster/api/resource-types.ts";
import type { KubernetesObject, ObjectKind } from "../../../src/objects/object-kind.ts";
import { readObject } from "../../../src/objects/read-object.ts";
import type { YamlMap } from "../../../src/yaml/value.ts";

/** The kinds that have definitions in `deploy/`. */
export const customKinds = [
  "ImageRepository",
  "ImagePolicy",
  "ImageUpdateAutomation",
  "Alert",
  "Provider",
  "Receiver",
  "GitRepository",
] as const;

export type CustomKind = (typeof customKinds)[number];

const group = "notification.toolkit.fluxcd.io";

const readers: ReadonlyMap<string, ObjectKind<KubernetesObject>> = new Map<
  string,
  ObjectKind<KubernetesObject>
>([
  ...objectKinds,
  ["Alert", { group, read: readAlert }],
  ["Provider", { group, read: readProvider }],
  ["Receiver", { group, read: readReceiver }],
]);

/** An object of a kind in the namespace `default`. */
export function customObject(kind: CustomKind, spec: unknown): Record<string, unknown> {
  return {
    apiVersion: apiVersionOf(resourceTypes[kind]),
    kind,
    metadata: { namespace: "default", name: "one" },
    spec,
  };
}

/** The path of the API that lists a kind. */
export function pathOf(kind: CustomKind): string {
  const { group, version, resource } = resourceTypes[kind];
  return `/apis/${group}/${version}/namespaces/default/${resource}`;
}

/** What our reader of the kind finds wrong with an object; empty: it is taken. */
export function problemsOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const read = readObject(object as YamlMap, {}, readers);
  if (read === undefined) return ["no kind that is read"];
  return read.problems.filter(({ isWarning }) => isWarning !== true).map(({ message }) => message);
}
