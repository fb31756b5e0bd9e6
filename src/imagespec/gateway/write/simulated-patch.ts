import type { FieldProblem } from "../../convert/field-problem.ts";
import type { Workload } from "../../convert/workloads.ts";
import { applyJsonPatch, applyMergePatch, diffJsonPatch, diffMergePatch } from "../../json/json-patch.ts";
import {
  fromPlain,
  isJsonObject,
  memberAt,
  objectAt,
  type JsonObject,
  type JsonValue,
} from "../../json/value.ts";
import { lowerTemplate } from "./lower-template.ts";
import { followFormats } from "./node-affinity.ts";
import { readLiveContainers, templateAt, viewTree } from "./template-images.ts";

export type SchemalessPatch = "json" | "merge";

/** A patch that upstream applies to exactly the object that it was made for. */
export interface LoweredPatch {
  readonly patch: JsonValue;
  readonly problems: readonly FieldProblem[];
}

/**
 * Applies a JSON or merge patch to an object as new clients see it, and gives the patch of the same type that has
 * the same effect upstream.
 * @throws FairleadError `input-invalid` where the patch cannot be applied
 */
export function lowerSchemalessPatch(
  type: SchemalessPatch,
  patch: JsonValue,
  object: JsonObject,
  { templatePath }: Workload,
  keepsAnnotations: boolean,
): LoweredPatch {
  const view = viewTree(object, templatePath);
  const patched = type === "json" ? applyJsonPatch(view, patch) : asObject(applyMergePatch(view, patch));
  const template = templateAt(patched, templatePath);
  let problems: readonly FieldProblem[] = [];
  if (template !== undefined) {
    problems = lowerTemplate(template, {
      live: readLiveContainers(templateAt(object, templatePath)),
      allowsBoth: true,
      missingIsRemoved: true,
      keepsAnnotations,
      fieldPrefix: templatePath.map((key) => `${key}.`).join(""),
    });
    if (templatePath.length > 0) followFormats(template, templateAt(object, templatePath));
  }
  return {
    patch: type === "json" ? guardedJsonPatch(object, patched) : guardedMergePatch(object, patched),
    problems,
  };
}

/** A version that is no longer the object's is what the API server answers with 409. */
function guardedJsonPatch(object: JsonObject, patched: JsonObject): JsonValue {
  const version = memberAt(object, ["metadata", "resourceVersion"]) ?? null;
  const guard = fromPlain({ op: "replace", path: "/metadata/resourceVersion" });
  if (isJsonObject(guard)) guard.set("value", version);
  return [guard, ...diffJsonPatch(object, patched)];
}

function guardedMergePatch(object: JsonObject, patched: JsonObject): JsonValue {
  const patch = diffMergePatch(object, patched);
  const metadata = objectAt(patch, ["metadata"]);
  if (metadata?.has("resourceVersion") === false) {
    metadata.set("resourceVersion", memberAt(object, ["metadata", "resourceVersion"]) ?? null);
  }
  return patch;
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : new Map();
}
