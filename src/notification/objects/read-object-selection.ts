import type { FieldReader } from "../../objects/field-reader.ts";
import { optionalField } from "../../objects/optional-field.ts";
import type { ObjectSelection } from "./alert.ts";
import { sourceKinds } from "./source-kinds.ts";

/** Reads a selection of objects, but for what a caller may know besides. */
export function readObjectSelection(fields: FieldReader): ObjectSelection {
  if (!fields.has("kind")) fields.problem("kind", "is required");
  return {
    ...optionalField("apiVersion", fields.text("apiVersion", { maxLength: 253 })),
    kind: fields.choice("kind", sourceKinds, "Kustomization"),
    name: fields.requiredText("name", { maxLength: 253 }),
    ...(fields.has("namespace") && { namespace: fields.requiredText("namespace", { maxLength: 253 }) }),
    ...(fields.has("matchLabels") && { matchLabels: fields.textMap("matchLabels") }),
  };
}
