import type { FieldReader } from "./field-reader.ts";
import type { ImagePolicy, LatestReference, Order, PolicyChoice, TagFilter } from "./image-policy.ts";
import type { ObjectMeta } from "./object-meta.ts";
import { optionalField } from "./optional-field.ts";
import { readNamespacedReference } from "./read-meta.ts";

/** Reads an ImagePolicy. */
export function readImagePolicy(fields: FieldReader, meta: ObjectMeta): ImagePolicy {
  const spec = fields.requiredMap("spec");
  const imageRepositoryRef = spec.requiredMap("imageRepositoryRef");
  const digestReflectionPolicy = spec.choice(
    "digestReflectionPolicy",
    ["Never", "IfNotPresent", "Always"],
    "Never",
  );
  const intervalMs = spec.duration("interval");
  if (spec.has("interval") !== (digestReflectionPolicy === "Always")) {
    const rule = spec.has("interval") ? "is only for" : "is required where";
    spec.problem("interval", `${rule} digestReflectionPolicy ${spec.has("interval") ? "" : "is "}Always`);
  }
  const object: ImagePolicy = {
    kind: "ImagePolicy",
    meta,
    spec: {
      imageRepositoryRef: readNamespacedReference(imageRepositoryRef),
      choice: readChoice(spec.requiredMap("policy")),
      ...optionalField("filterTags", readFilter(spec)),
      suspend: spec.boolean("suspend"),
      digestReflectionPolicy,
      ...optionalField("intervalMs", intervalMs),
    },
    ...readStatus(fields),
  };
  imageRepositoryRef.warnOfOthers();
  spec.warnOfOthers();
  return object;
}

function readChoice(policy: FieldReader): PolicyChoice {
  const semver = policy.map("semver");
  const alphabetical = policy.map("alphabetical");
  const numerical = policy.map("numerical");
  policy.warnOfOthers();
  if (semver !== undefined) {
    const range = semver.text("range");
    if (range === undefined) semver.problem("range", "is required");
    semver.warnOfOthers();
    return { kind: "semver", range: range ?? "" };
  }
  if (alphabetical !== undefined) return { kind: "alphabetical", order: readOrder(alphabetical) };
  if (numerical !== undefined) return { kind: "numerical", order: readOrder(numerical) };
  policy.problemOfAll("holds none of semver, alphabetical and numerical");
  return { kind: "alphabetical", order: "asc" };
}

function readOrder(fields: FieldReader): Order {
  const order = fields.choice("order", ["asc", "desc"], "asc");
  fields.warnOfOthers();
  return order;
}

function readFilter(spec: FieldReader): TagFilter | undefined {
  const filter = spec.map("filterTags");
  if (filter === undefined) return undefined;
  const read: TagFilter = { pattern: filter.text("pattern") ?? "", extract: filter.text("extract") ?? "" };
  filter.warnOfOthers();
  return read;
}

function readStatus(fields: FieldReader): Pick<ImagePolicy, "latestRef" | "observedGeneration"> {
  const status = fields.map("status");
  const latestRef = status?.map("latestRef");
  return {
    ...optionalField("latestRef", latestRef && readLatestReference(latestRef)),
    ...optionalField("observedGeneration", status?.integer("observedGeneration")),
  };
}

function readLatestReference(latestRef: FieldReader): LatestReference {
  return {
    name: latestRef.requiredText("name"),
    tag: latestRef.requiredText("tag", { maxLength: 128 }),
    ...optionalField("digest", latestRef.text("digest")),
    attributes: latestRef.textMap("attributes"),
  };
}
