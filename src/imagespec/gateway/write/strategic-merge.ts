import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";

/** The key by which a strategic merge patch says what becomes of the object it stands in. */
export const directive = "$patch";
const retainKeys = "$retainKeys";

/**
 * What a strategic merge patch leaves of an object before it sets anything: members that are set to null, and objects
 * that are replaced or deleted whole, are gone. Lists stay.
 */
export function remainsOf(live: JsonObject, patch: JsonObject): JsonObject {
  const what = patch.get(directive);
  if (what === "replace" || what === "delete") return new Map();
  return new Map(
    Array.from(live).flatMap(([key, member]): [string, JsonValue][] => {
      const patched = patch.get(key);
      if (patched === null) return [];
      const isMerged = isJsonObject(member) && isJsonObject(patched);
      return [[key, isMerged ? remainsOf(member, patched) : member]];
    }),
  );
}

/**
 * The object at a path of a strategic merge patch, made where it is missing; one that is null takes the place of what
 * is there. Undefined where something else is in its way.
 */
export function patchedObjectAt(patch: JsonObject, path: readonly string[]): JsonObject | undefined {
  let object = patch;
  for (const key of path) {
    const member = object.get(key) ?? new Map(object.get(key) === null ? [[directive, "replace"]] : []);
    if (!isJsonObject(member)) return undefined;
    object.set(key, member);
    object = member;
  }
  return object;
}

/**
 * What a spec becomes under a patch of it. A member that is set replaces the other ones, since `kubectl` cannot know
 * that the one it found was derived.
 */
export function mergeSpec(live: JsonObject | undefined, patched: JsonValue): JsonValue {
  if (!isJsonObject(patched)) return patched;
  const merged = mergeMap(live, patched);
  const set = Array.from(patched).flatMap(([key, value]) => (isJsonObject(value) ? [key] : []));
  const [only] = set;
  if (set.length !== 1 || only === undefined) return merged;
  for (const key of merged.keys()) if (key !== only) merged.delete(key);
  return merged;
}

function mergeMap(live: JsonValue | undefined, patched: JsonObject): JsonObject {
  const merged: JsonObject = new Map(isJsonObject(live) && patched.get(directive) !== "replace" ? live : []);
  const retained = patched.get(retainKeys);
  if (isJsonArray(retained)) {
    for (const key of merged.keys()) if (!retained.includes(key)) merged.delete(key);
  }
  for (const [key, value] of patched) {
    if (key === directive || key === retainKeys) continue;
    if (value === null) merged.delete(key);
    else merged.set(key, isJsonObject(value) ? mergeMap(merged.get(key), value) : value);
  }
  return merged;
}
