import { isJsonArray, isJsonObject, type JsonValue } from "../../json/value.ts";

/** Whether a patch says something of `imageSpec`, be it by taking the image away for it. */
export function touchesImageSpec(patch: JsonValue, type: "json" | "merge" | "strategic"): boolean {
  if (isJsonArray(patch)) return patch.some((item) => touchesImageSpec(item, type));
  if (!isJsonObject(patch)) return false;
  if (type === "json" && [patch.get("path"), patch.get("from")].some(namesImageSpec)) return true;
  if (patch.has("imageSpec")) return true;
  if (type === "strategic" && patch.get("image") === null) return true;
  return Array.from(patch.values()).some((member) => touchesImageSpec(member, type));
}

function namesImageSpec(pointer: JsonValue | undefined): boolean {
  return typeof pointer === "string" && pointer.split("/").includes("imageSpec");
}
