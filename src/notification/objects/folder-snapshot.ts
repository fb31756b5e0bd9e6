import { FairleadError } from "../../core/error.ts";
import { matchesSelector } from "../../objects/label-selector.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { NotificationObjects, SourceObject } from "./notification-objects.ts";
import type { NotificationSnapshot, SourceReader, SourceSelection } from "./notification-snapshot.ts";

/** What is in force by the objects of a folder, which knows no others. */
export function folderSnapshot(objects: NotificationObjects): NotificationSnapshot {
  const { alerts, providers, receivers, secrets } = objects;
  return {
    alerts,
    providers,
    receivers,
    secrets: { get: async (name) => secrets.get(objectKey(name)) },
    sources: folderSources(objects),
  };
}

/** The objects of a folder that others name. */
export function folderSources({ sources }: Pick<NotificationObjects, "sources">): SourceReader {
  return {
    labelsOf: async (object) => sources.get(`${object.kind}/${objectKey(object)}`)?.meta.labels,
    select: async (selection) => select(selection, sources),
  };
}

function select(
  { kind, namespace, name, matchLabels = {} }: SourceSelection,
  sources: NotificationObjects["sources"],
): readonly SourceObject[] {
  if (name === "*") {
    return [...sources.values()].filter(
      ({ kind: known, meta }) =>
        known === kind &&
        meta.namespace === namespace &&
        matchesSelector(meta.labels, { matchLabels, matchExpressions: [] }),
    );
  }
  const object = sources.get(`${kind}/${objectKey({ namespace, name })}`);
  if (object === undefined) {
    throw new FairleadError("object-missing", `${kind} ${namespace}/${name} is not known`);
  }
  return [object];
}
