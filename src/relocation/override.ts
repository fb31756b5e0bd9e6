import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../yaml/value.ts";
import { getAt, type ValuePath } from "../yaml/value-path.ts";

/** A leaf that the override sets to a string, or to another scalar for a side setting. */
export interface OverrideEntry {
  readonly path: ValuePath;
  readonly to: YamlValue;
}

/** Istio's charts keep their defaults under this key and ask users to set the keys below it at the root. */
const defaultsKey = "_internal_defaults_do_not_set";

/**
 * Builds the smallest values that set the given leaves: nothing beside them, except in lists, which Helm
 * replaces whole and which are therefore carried whole (document 002 §6.1, point 7).
 * @param values the coalesced values, from which lists are taken.
 */
export function buildOverride(values: YamlMap, entries: readonly OverrideEntry[]): YamlMap {
  const override = createYamlMap();
  for (const { path, to } of entries) {
    const index = path.findIndex((key) => typeof key === "number");
    const source = (index === -1 ? path : path.slice(0, index)) as readonly string[];
    const keys = source.filter((key) => key !== defaultsKey);
    const parent = parentMap(override, keys);
    const last = keys.at(-1);
    if (last === undefined) continue;
    parent[last] =
      index === -1 ? to : replaceIn(parent[last] ?? getAt(values, source) ?? [], path.slice(index), to);
  }
  return override;
}

function parentMap(root: Record<string, YamlValue>, keys: readonly string[]): Record<string, YamlValue> {
  let map = root;
  for (const key of keys.slice(0, -1)) {
    const existing = map[key];
    const next = createYamlMap(isYamlMap(existing) ? Object.entries(existing) : []);
    map[key] = next;
    map = next;
  }
  return map;
}

function replaceIn(value: YamlValue, path: ValuePath, to: YamlValue): YamlValue {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  if (Array.isArray(value)) {
    return value.map((item: YamlValue, index) => (index === key ? replaceIn(item, rest, to) : item));
  }
  const map = createYamlMap(isYamlMap(value) ? Object.entries(value) : []);
  map[String(key)] = replaceIn(map[String(key)] ?? null, rest, to);
  return map;
}
