import { createYamlMap, isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { getAt } from "../../yaml/value-path.ts";

/** The keys that lead to a leaf of an override: a list is one leaf, as Helm replaces it whole. */
export type LeafPath = readonly string[];

/** The leaves of an override, in its order. */
export function leavesOf(override: YamlMap, path: LeafPath = []): LeafPath[] {
  return Object.entries(override).flatMap(([key, value]) =>
    isYamlMap(value) && Object.keys(value).length > 0 ? leavesOf(value, [...path, key]) : [[...path, key]],
  );
}

/** An override with some of its leaves alone, and no empty maps. */
export function pickLeaves(override: YamlMap, isWanted: (path: LeafPath) => boolean): YamlMap {
  const wanted = createYamlMap() as { [key: string]: unknown };
  for (const path of leavesOf(override).filter((leaf) => isWanted(leaf))) {
    const parent = path
      .slice(0, -1)
      .reduce((map, key) => (map[key] ??= createYamlMap()) as typeof wanted, wanted);
    parent[path.at(-1) ?? ""] = getAt(override, path);
  }
  return wanted as YamlMap;
}

/** Whether two overrides set a leaf to the same. */
export function isSameLeaf(left: YamlMap, right: YamlMap, path: LeafPath): boolean {
  return JSON.stringify(getAt(left, path)) === JSON.stringify(getAt(right, path));
}
