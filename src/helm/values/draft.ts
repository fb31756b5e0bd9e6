import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";

/** Values while they are put together. */
export type Draft = null | boolean | number | string | Draft[] | DraftMap;

export interface DraftMap {
  [key: string]: Draft;
}

/** An empty map that a key such as `__proto__` cannot harm. */
export function createDraftMap(): DraftMap {
  return Object.create(null) as DraftMap;
}

/** Whether a draft is a map (not a list, not null). */
export function isDraftMap(value: Draft | undefined): value is DraftMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A deep copy that shares nothing with the original. */
export function copyMap(map: YamlMap): DraftMap {
  const copy = createDraftMap();
  for (const [key, value] of Object.entries(map)) copy[key] = copyValue(value);
  return copy;
}

/** A deep copy of any value; see {@link copyMap}. */
export function copyValue(value: YamlValue): Draft {
  if (isYamlList(value)) return value.map(copyValue);
  return isYamlMap(value) ? copyMap(value) : value;
}
