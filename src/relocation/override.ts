import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../yaml/value.ts";
import { getAt, type ValuePath } from "../yaml/value-path.ts";

/** A leaf that the override sets to a string, or to another scalar for a side setting. */
export interface OverrideEntry {
  readonly path: ValuePath;
  readonly to: YamlValue;
}

/** Istio's charts keep their defaults under this key and ask users to set the keys below it at the root. */
const defaultsKey = "_internal_defaults_do_not_set";

/** Where an override sets a leaf of the coalesced values. */
export function overridePath(path: ValuePath): ValuePath {
  const index = path.findIndex((key) => typeof key === "number");
  const end = index === -1 ? path.length : index;
  return path.filter((key, place) => place >= end || key !== defaultsKey);
}

/**
 * Builds the smallest values that set the given leaves: nothing beside them, except in lists, which Helm
 * replaces whole and which are therefore carried whole (document 002 §6.1, point 7). Keys come in the order of
 * the entries.
 * @param values the coalesced values, from which lists are taken.
 */
export function buildOverride(values: YamlMap, entries: readonly OverrideEntry[]): YamlMap {
  const override = createYamlMap() as Draft;
  for (const { path, to } of entries) {
    const index = path.findIndex((key) => typeof key === "number");
    const source = (index === -1 ? path : path.slice(0, index)) as readonly string[];
    const keys = overridePath(source) as readonly string[];
    const last = keys.at(-1);
    if (last === undefined) continue;
    const parent = keys.slice(0, -1).reduce((map, key) => childOf(map, key), override);
    if (index === -1) parent[last] = to;
    else {
      parent[last] ??= copyOf(getAt(values, source) ?? []);
      setIn(parent[last], path.slice(index), to);
    }
  }
  return override as YamlMap;
}

/** Entries in the order that their keys have in the values; those that the values do not have come last. */
export function inOrderOf(values: YamlMap, entries: readonly OverrideEntry[]): readonly OverrideEntry[] {
  const places = new Map<YamlMap, ReadonlyMap<string, number>>();
  const placesIn = (map: YamlMap): ReadonlyMap<string, number> => {
    const known = places.get(map) ?? new Map(Object.keys(map).map((key, index) => [key, index]));
    places.set(map, known);
    return known;
  };
  const placeOf = (path: ValuePath): readonly number[] => {
    let value: YamlValue | undefined = values;
    return path.map((key) => {
      const place = typeof key === "number" ? key : isYamlMap(value) ? placesIn(value).get(key) : undefined;
      value = value === undefined ? undefined : getAt(value, [key]);
      return place ?? Number.POSITIVE_INFINITY;
    });
  };
  const placed = entries.map((entry) => ({ entry, place: placeOf(entry.path) }));
  return placed.toSorted((left, right) => comparePlaces(left.place, right.place)).map(({ entry }) => entry);
}

function comparePlaces(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((place, depth) => place !== right[depth]);
  const [here = 0, there = 0] = [left[index], right[index]];
  return here < there ? -1 : Number(here > there);
}

/** Values that are being built: every map and list in it is this override's own. */
interface Draft {
  [key: string]: unknown;
}

function childOf(map: Draft, key: string): Draft {
  return (map[key] ??= createYamlMap()) as Draft;
}

function copyOf(value: YamlValue): unknown {
  if (isYamlMap(value)) {
    return createYamlMap(Object.entries(value).map(([key, item]) => [key, copyOf(item) as YamlValue]));
  }
  return Array.isArray(value) ? value.map((item: YamlValue) => copyOf(item)) : value;
}

function setIn(value: unknown, path: ValuePath, to: YamlValue): void {
  const parent = path.slice(0, -1).reduce((part, key) => (part as Draft)[key], value);
  const last = path.at(-1);
  if (last !== undefined) (parent as Draft)[last] = to;
}
