import type { Where } from "../../core/error.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { FieldReader, type FieldProblem } from "../../objects/field-reader.ts";
import { readGitRepository } from "./read-git-repository.ts";
import { readImagePolicy } from "./read-image-policy.ts";
import { readImageRepository } from "./read-image-repository.ts";
import { readImageUpdateAutomation } from "./read-image-update-automation.ts";
import { readMeta } from "../../objects/read-meta.ts";
import { readSecret } from "../../objects/read-secret.ts";
import { readServiceAccount } from "../../objects/read-service-account.ts";
import type { AutomationObject } from "./objects.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";

type ReadKind = (fields: FieldReader, meta: ObjectMeta) => AutomationObject;

interface KnownKind {
  readonly group: string;
  readonly versions: readonly string[];
  readonly read: ReadKind;
}

const imageGroup = { group: "image.toolkit.fluxcd.io", versions: ["v1", "v1beta2", "v1beta1"] };
const coreGroup = { group: "", versions: ["v1"] };

const kinds: ReadonlyMap<string, KnownKind> = new Map<string, KnownKind>([
  ["ImageRepository", { ...imageGroup, read: readImageRepository }],
  ["ImagePolicy", { ...imageGroup, read: readImagePolicy }],
  ["ImageUpdateAutomation", { ...imageGroup, read: readImageUpdateAutomation }],
  [
    "GitRepository",
    {
      group: "source.toolkit.fluxcd.io",
      versions: ["v1", "v1beta2", "v1beta1"],
      read: readGitRepository,
    },
  ],
  ["Secret", { ...coreGroup, read: readSecret }],
  ["ServiceAccount", { ...coreGroup, read: readServiceAccount }],
  ["Namespace", { ...coreGroup, read: (_fields, meta) => ({ kind: "Namespace", meta }) }],
]);

/** The kinds of objects that automation works from. */
export const objectKinds: readonly string[] = [...kinds.keys()];

/** An object that was read, or undefined where problems are no mere warnings. */
export interface ReadObject {
  /** Such as `ImagePolicy flux-system/app`, for messages. */
  readonly name: string;
  readonly object: AutomationObject | undefined;
  readonly problems: readonly FieldProblem[];
}

/**
 * Reads a manifest by the rules of its custom resource definition (Flux 2.7) with their defaults.
 * @param where the place where the object begins
 * @returns undefined for an object of another kind
 */
export function readObject(manifest: YamlMap, where: Where): ReadObject | undefined {
  const { kind, apiVersion } = manifest;
  const known = typeof kind === "string" ? kinds.get(kind) : undefined;
  if (known === undefined || typeof apiVersion !== "string") return undefined;
  const slash = apiVersion.indexOf("/");
  if (apiVersion.slice(0, Math.max(slash, 0)) !== known.group) return undefined;
  const problems: FieldProblem[] = [];
  const fields = new FieldReader(manifest, [], problems, { isSecret: kind === "Secret" });
  if (!known.versions.includes(apiVersion.slice(slash + 1))) {
    fields.problem("apiVersion", `is none of the versions that are read: ${known.versions.join(", ")}`);
  }
  const meta = readMeta(fields.requiredMap("metadata"), where, { isNamespaced: kind !== "Namespace" });
  const object = known.read(fields, meta);
  const owner = object.kind === "Namespace" ? meta.name : `${meta.namespace}/${meta.name}`;
  const isValid = problems.every(({ isWarning }) => isWarning);
  return { name: `${object.kind} ${owner}`, object: isValid ? object : undefined, problems };
}
