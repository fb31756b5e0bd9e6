import type { Where } from "../core/error.ts";
import type { YamlMap } from "../yaml/value.ts";
import { FieldReader, type FieldProblem } from "./field-reader.ts";
import type { KubernetesObject, ObjectKinds } from "./object-kind.ts";
import { objectKey } from "./object-meta.ts";
import { readMeta } from "./read-meta.ts";

/** An object that was read, or undefined where problems are no mere warnings. */
export interface ReadObject<Read extends KubernetesObject> {
  /** Such as `ImagePolicy flux-system/app`, for messages. */
  readonly name: string;
  readonly object: Read | undefined;
  readonly problems: readonly FieldProblem[];
}

/**
 * Reads a manifest by the rules of its kind.
 * @param where the place where the object begins
 * @returns undefined for an object of another kind
 */
export function readObject<Read extends KubernetesObject>(
  manifest: YamlMap,
  where: Where,
  kinds: ObjectKinds<Read>,
): ReadObject<Read> | undefined {
  const { kind, apiVersion } = manifest;
  if (typeof kind !== "string" || typeof apiVersion !== "string") return undefined;
  const known = kinds.get(kind);
  if (known === undefined) return undefined;
  const slash = apiVersion.indexOf("/");
  if (apiVersion.slice(0, Math.max(slash, 0)) !== known.group) return undefined;
  const problems: FieldProblem[] = [];
  const { versions, isSecret = false, isNamespaced = true } = known;
  const fields = new FieldReader(manifest, [], problems, { isSecret });
  if (versions?.includes(apiVersion.slice(slash + 1)) === false) {
    fields.problem("apiVersion", `is none of the versions that are read: ${versions.join(", ")}`);
  }
  const meta = readMeta(fields.requiredMap("metadata"), where, { isNamespaced });
  const object = known.read(fields, meta);
  const isValid = problems.every(({ isWarning }) => isWarning);
  const owner = isNamespaced ? objectKey(meta) : meta.name;
  return { name: `${kind} ${owner}`, object: isValid ? object : undefined, problems };
}
