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

/** The place of a container, or its name, as they end in a body that holds a JSON patch. */
const containerPlace = /\/(?:containers|initContainers|ephemeralContainers)\/[^/"]+(?:\/name)?"/u;

/** Whether the body of a JSON patch may give a container another name or place. */
export function mayMoveContainer(body: Buffer): boolean {
  return body.includes("ontainers/") && containerPlace.test(body.toString("latin1"));
}

/** Whether a JSON patch gives a container another name or place, where its spec follows. */
export function movesContainer(patch: JsonValue): boolean {
  return (isJsonArray(patch) ? patch : []).some((operation) => {
    if (!isJsonObject(operation)) return false;
    const isMoved = ["move", "copy"].some((name) => operation.get("op") === name);
    const place = isMoved ? operation.get("from") : operation.get("path");
    return (
      typeof place === "string" && (isMoved || place.endsWith("/name")) && containerPlace.test(`${place}"`)
    );
  });
}

function namesImageSpec(pointer: JsonValue | undefined): boolean {
  return typeof pointer === "string" && pointer.split("/").includes("imageSpec");
}
