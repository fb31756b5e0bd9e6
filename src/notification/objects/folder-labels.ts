import type { Labels } from "../../objects/label-selector.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { ObjectReference } from "../event.ts";
import type { NotificationObjects } from "./notification-objects.ts";

/** The labels of the objects of a folder; of an object that it does not have, undefined. */
export function createFolderLabels({ sources }: Pick<NotificationObjects, "sources">): {
  labelsOf(object: ObjectReference): Labels | undefined;
} {
  return { labelsOf: (object) => sources.get(`${object.kind}/${objectKey(object)}`)?.meta.labels };
}
