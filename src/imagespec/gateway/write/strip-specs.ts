import type { Workload } from "../../convert/workloads.ts";
import { isJsonArray, isJsonObject, memberAt, type JsonObject, type JsonValue } from "../../json/value.ts";
import { containersOf, templateAt } from "./template-images.ts";

/** A status is written with a spec that nobody looks at. */
export function stripSpecs(object: JsonObject, { templatePath }: Workload): void {
  for (const { json } of containersOf(templateAt(object, templatePath))) json.delete("imageSpec");
}

/** The API server knows no such field, so that nobody can own it. */
export function stripManagedFields(object: JsonObject): void {
  const managed = memberAt(object, ["metadata", "managedFields"]);
  for (const entry of isJsonArray(managed) ? managed : []) stripField(memberAt(entry, ["fieldsV1"]));
}

function stripField(fields: JsonValue | undefined): void {
  if (!isJsonObject(fields)) return;
  fields.delete("f:imageSpec");
  for (const member of fields.values()) stripField(member);
}
