import type { FieldReader } from "../../objects/field-reader.ts";
import type { GitRef, GitRepository } from "./git-repository.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readLocalReference } from "../../objects/read-meta.ts";

const defaultTimeoutMs = 60_000;

/** Fields that automation has no use for. */
const otherFields: readonly string[] = [
  "interval",
  "verify",
  "ignore",
  "suspend",
  "recurseSubmodules",
  "include",
  "sparseCheckout",
  "gitImplementation",
  "accessFrom",
];

/** Reads a GitRepository. */
export function readGitRepository(fields: FieldReader, meta: ObjectMeta): GitRepository {
  const spec = fields.requiredMap("spec");
  const object: GitRepository = {
    kind: "GitRepository",
    meta,
    spec: {
      url: spec.requiredText("url", {
        pattern: /^(?:http|https|ssh):\/\/\S+$/u,
        expected: "a URL with http, https or ssh",
      }),
      ...optionalField("ref", readGitRef(spec)),
      ...optionalField("secretRef", readLocalReference(spec, "secretRef")),
      ...optionalField("proxySecretRef", readLocalReference(spec, "proxySecretRef")),
      timeoutMs: spec.duration("timeout", { withHours: false }) ?? defaultTimeoutMs,
      provider: spec.choice("provider", ["generic", "azure", "github"], "generic"),
      ...optionalField("serviceAccountName", spec.text("serviceAccountName", { maxLength: 253 })),
    },
  };
  spec.warnOfOthers(otherFields);
  return object;
}

/** Reads what to check out from the field `ref`; undefined where there is none. */
export function readGitRef(fields: FieldReader): GitRef | undefined {
  const ref = fields.map("ref");
  if (ref === undefined) return undefined;
  const gitRef: GitRef = {
    ...optionalField("branch", ref.text("branch")),
    ...optionalField("tag", ref.text("tag")),
    ...optionalField("semver", ref.text("semver")),
    ...optionalField("name", ref.text("name")),
    ...optionalField("commit", ref.text("commit")),
  };
  ref.warnOfOthers();
  return gitRef;
}
