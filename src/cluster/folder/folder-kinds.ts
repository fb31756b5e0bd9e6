import type { KubernetesObject, ObjectKind } from "../../objects/object-kind.ts";
import type { ResourceType } from "../api/api-object.ts";
import { resourceTypes } from "../api/resource-types.ts";

/** A kind of objects that a folder may hold. */
export interface FolderKind {
  readonly type: ResourceType;
  /** Versions that say the same in the same fields: manifests of them are taken for the type's. */
  readonly otherVersions?: readonly string[];
  /** What an object of the kind must be like; default: anything with a name. */
  readonly reads?: ObjectKind<KubernetesObject>;
}

const otherVersions = ["v1beta2", "v1beta1"];

/** The kinds of {@link resourceTypes}, by their names. */
export const folderKinds: ReadonlyMap<string, FolderKind> = new Map<string, FolderKind>([
  ...Object.entries(resourceTypes).map(([kind, type]) => [kind, { type }] as const),
  ["ImageRepository", { type: resourceTypes.ImageRepository, otherVersions }],
  ["ImagePolicy", { type: resourceTypes.ImagePolicy, otherVersions }],
  ["ImageUpdateAutomation", { type: resourceTypes.ImageUpdateAutomation, otherVersions }],
  ["GitRepository", { type: resourceTypes.GitRepository, otherVersions }],
]);
