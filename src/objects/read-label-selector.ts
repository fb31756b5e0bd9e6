import type { FieldReader } from "./field-reader.ts";
import type { LabelRequirement, LabelSelector } from "./label-selector.ts";

/** Reads a Kubernetes label selector; undefined where there is none. */
export function readLabelSelector(fields: FieldReader, key: string): LabelSelector | undefined {
  const selector = fields.map(key);
  if (selector === undefined) return undefined;
  const read: LabelSelector = {
    matchLabels: selector.textMap("matchLabels"),
    matchExpressions: selector.maps("matchExpressions").map(readRequirement),
  };
  selector.warnOfOthers();
  return read;
}

function readRequirement(fields: FieldReader): LabelRequirement {
  if (!fields.has("operator")) fields.problem("operator", "is required");
  const operator = fields.choice("operator", ["In", "NotIn", "Exists", "DoesNotExist"], "Exists");
  const values = fields.texts("values");
  const needsValues = operator === "In" || operator === "NotIn";
  if (needsValues !== values.length > 0) {
    fields.problem("values", needsValues ? `is required for ${operator}` : `must be empty for ${operator}`);
  }
  const key = fields.requiredText("key");
  fields.warnOfOthers();
  return { key, operator, values };
}
