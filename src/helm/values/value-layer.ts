import type { Where } from "../../core/error.ts";
import { createLocator } from "../../yaml/locate.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { YamlMap } from "../../yaml/value.ts";

/** What one values file says, or the flags of one name. */
export type ValueLayer =
  | { readonly values: YamlMap; readonly file: string; readonly text: string }
  | { readonly values: YamlMap; readonly flag: string };

/** Where the user gives a value: a place in a file, or a flag. */
export type UserPlace = Pick<Where, "file" | "line" | "column"> | { readonly flag: string };

/** Tells where the user gives the value at a path of the root's values; undefined where the chart alone does. */
export type UserValueLocator = (path: ValuePath) => UserPlace | undefined;

/** @param layers in the order in which Helm puts them together: the last that has a value gives it */
export function createUserValueLocator(layers: readonly ValueLayer[]): UserValueLocator {
  const lookups = layers.map((layer) => ({ values: layer.values, placeOf: placeFinderOf(layer) })).reverse();
  return (path) => lookups.find(({ values }) => getAt(values, path) !== undefined)?.placeOf(path);
}

function placeFinderOf(layer: ValueLayer): (path: ValuePath) => UserPlace {
  if (!("file" in layer)) return () => ({ flag: layer.flag });
  const { file, text } = layer;
  const locate = createLocator(text, { file, code: "input-invalid" });
  return (path) => ({ file, ...locate(path) });
}
