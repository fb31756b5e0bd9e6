import type { FieldReader } from "../../objects/field-reader.ts";
import type { ImagePolicy, LatestReference, Order, PolicyChoice, TagFilter } from "./image-policy.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { FairleadError } from "../../core/error.ts";
import { recomputeAttributes } from "../policy/attributes.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readNamespacedReference } from "../../objects/read-meta.ts";

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
  const filterTags = readFilter(spec);
  const object: ImagePolicy = {
    kind: "ImagePolicy",
    meta,
    spec: {
      imageRepositoryRef: readNamespacedReference(imageRepositoryRef),
      choice: readChoice(spec.requiredMap("policy")),
      ...optionalField("filterTags", filterTags),
      suspend: spec.boolean("suspend"),
      digestReflectionPolicy,
      ...optionalField("intervalMs", intervalMs),
    },
    ...readStatus(fields, meta.generation, filterTags),
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
  const range = semver?.text("range");
  if (semver !== undefined && range === undefined) semver.problem("range", "is required");
  semver?.warnOfOthers();
  const alphabeticalOrder = alphabetical && readOrder(alphabetical);
  const numericalOrder = numerical && readOrder(numerical);
  if (semver !== undefined) return { kind: "semver", range: range ?? "" };
  if (alphabeticalOrder !== undefined) return { kind: "alphabetical", order: alphabeticalOrder };
  if (numericalOrder !== undefined) return { kind: "numerical", order: numericalOrder };
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

type Status = Pick<ImagePolicy, "latestRef" | "observedGeneration">;

function readStatus(fields: FieldReader, generation: number, filterTags: TagFilter | undefined): Status {
  const status = fields.map("status");
  const observedGeneration = status?.integer("observedGeneration");
  // What an older pattern has chosen, the pattern at hand says nothing of.
  const isCurrent = generation === 0 || observedGeneration === undefined || observedGeneration === generation;
  const latestRef = status?.map("latestRef");
  return {
    ...optionalField(
      "latestRef",
      latestRef && readLatestReference(latestRef, isCurrent ? filterTags : undefined),
    ),
    ...optionalField("observedGeneration", observedGeneration),
  };
}

function readLatestReference(latestRef: FieldReader, filterTags: TagFilter | undefined): LatestReference {
  const tag = latestRef.requiredText("tag", { maxLength: 128 });
  return {
    name: latestRef.requiredText("name"),
    tag,
    ...optionalField("digest", latestRef.text("digest")),
    // Flux's own custom resource definition does not keep them.
    attributes: latestRef.has("attributes") ? latestRef.textMap("attributes") : tryRecompute(filterTags, tag),
  };
}

function tryRecompute(filterTags: TagFilter | undefined, tag: string): Readonly<Record<string, string>> {
  try {
    return filterTags === undefined ? {} : recomputeAttributes({ filterTags }, tag);
  } catch (error) {
    // Whoever applies the policy is told of its pattern.
    if (error instanceof FairleadError) return {};
    throw error;
  }
}
