/**
 * A YAML value as Helm sees it: it reads YAML by way of JSON, so every number is a 64-bit float and every
 * key is a string. Maps are plain objects without a prototype.
 */
export type YamlValue = null | boolean | number | string | readonly YamlValue[] | YamlMap;

export interface YamlMap {
  readonly [key: string]: YamlValue;
}

/** Whether a value is a map (not a list, not null). */
export function isYamlMap(value: unknown): value is YamlMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list; `Array.isArray` does not narrow a readonly one. */
export function isYamlList(value: unknown): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** A map that a key such as `__proto__` cannot harm. */
export function createYamlMap(
  entries: Iterable<readonly [string, YamlValue]> = [],
): Record<string, YamlValue> {
  const map = Object.create(null) as Record<string, YamlValue>;
  for (const [key, value] of entries) map[key] = value;
  return map;
}
