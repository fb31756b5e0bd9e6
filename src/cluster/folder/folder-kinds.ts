import type { KubernetesObject, ObjectKind } from "../../objects/object-kind.ts";
import type { ResourceType } from "../api/api-object.ts";
import { resourceTypes } from "../api/resource-types.ts";
import type { JsonObject } from "../conditions/status-patch.ts";

/** A kind of objects that a folder may hold. */
export interface FolderKind {
  readonly type: ResourceType;
  /** Versions that say the same in the same fields: manifests of them are taken for the type's. */
  readonly otherVersions?: readonly string[];
  /** What an object of the kind must be like; default: anything with a name. */
  readonly reads?: ObjectKind<KubernetesObject>;
  /** The status of an object that has none. */
  readonly defaultStatus?: JsonObject;
}

const otherVersions = ["v1beta2", "v1beta1"];
const withOtherVersions: ReadonlySet<string> = new Set([
  "ImageRepository",
  "ImagePolicy",
  "ImageUpdateAutomation",
  "GitRepository",
]);

/** The kinds of {@link resourceTypes}, by their names, with the defaults of their custom resource definitions. */
export const folderKinds: ReadonlyMap<string, FolderKind> = new Map(
  Object.entries(resourceTypes).map(([kind, type]): [string, FolderKind] => [
    kind,
    {
      type,
      ...(withOtherVersions.has(kind) ? { otherVersions } : {}),
      ...(type.group === "" ? {} : { defaultStatus: { observedGeneration: -1 } }),
    },
  ]),
);
