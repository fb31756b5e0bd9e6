import type { Where } from "../core/error.ts";
import type { FieldReader } from "./field-reader.ts";
import type { LocalReference, NamespacedReference, ObjectMeta } from "./object-meta.ts";
import { optionalField } from "./optional-field.ts";

/** RFC 1123 subdomains, which names of objects are. */
const namePattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u;
/** RFC 1123 labels, which names of namespaces are. */
const namespacePattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/u;

const nameRule = {
  maxLength: 253,
  pattern: namePattern,
  expected: "a name of lower-case letters, digits, - and .",
};
const namespaceRule = {
  maxLength: 63,
  pattern: namespacePattern,
  expected: "a name of lower-case letters, digits and -",
};

/** Reads `metadata`. */
export function readMeta(
  fields: FieldReader,
  where: Where,
  { isNamespaced }: { readonly isNamespaced: boolean },
): ObjectMeta {
  const name = fields.requiredText("name", isNamespaced ? nameRule : namespaceRule);
  return {
    namespace: (isNamespaced ? fields.text("namespace", namespaceRule) : undefined) || "default",
    name,
    ...optionalField("uid", fields.text("uid")),
    labels: fields.textMap("labels"),
    annotations: fields.textMap("annotations", { maxLength: 256 * 1024 }),
    generation: fields.integer("generation") ?? 0,
    where,
  };
}

/** Reads a reference to an object of the same namespace; undefined where there is none. */
export function readLocalReference(fields: FieldReader, key: string): LocalReference | undefined {
  const reference = fields.map(key);
  if (reference === undefined) return undefined;
  const name = reference.requiredText("name", nameRule);
  reference.warnOfOthers();
  return { name };
}

/** Reads a reference to an object that may be in another namespace. */
export function readNamespacedReference(fields: FieldReader): NamespacedReference {
  const name = fields.requiredText("name", nameRule);
  const namespace = fields.text("namespace", namespaceRule);
  return namespace === undefined || namespace === "" ? { name } : { name, namespace };
}
