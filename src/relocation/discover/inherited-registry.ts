import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import { foldKey, keysOfPart } from "./keys.ts";
import { holdsTemplate } from "./name-text.ts";
import type { NameLeaf } from "./image-site.ts";

const globalRegistryPaths: readonly (readonly string[])[] = [
  ["imageRegistry"],
  ["image", "registry"],
  ["images", "registry"],
  ["registry"],
  ["containerRegistry"],
  ["dockerRegistry"],
  ["hub"],
];

/**
 * The registry that images of a chart take when they name none, from the nearest map outwards: a registry
 * beside the images in a map called `images`, a key of a `global` map, or `imageRegistry` (with
 * `imageNamespace`), `registry`, `hub` or `images.registry` at the chart's own root. Empty where there is none.
 * @param values the root's values; @param chartPath the keys to the chart's own values;
 * @param path where the image stands.
 */
export function inheritedRegistry(
  values: YamlMap,
  chartPath: ValuePath,
  path: ValuePath,
): readonly NameLeaf[] {
  for (let length = path.length; length > chartPath.length; length--) {
    const scope = path.slice(0, length);
    const leaf = isImagesMap(scope) ? registryLeaf(values, scope) : undefined;
    const found = leaf ?? globalRegistry(values, [...scope, "global"]);
    if (found !== undefined) return [found];
  }
  const global = globalRegistry(values, ["global"]) ?? globalRegistry(values, [...chartPath, "global"]);
  if (global !== undefined) return [global];
  const own = firstLeaf(values, chartPath, ownRegistryPaths);
  if (own === undefined) return [];
  const namespace = stringLeaf(values, [...chartPath, "imageNamespace"]);
  return namespace === undefined ? [own] : [own, namespace];
}

const ownRegistryPaths: readonly (readonly string[])[] = [
  ["imageRegistry"],
  ["registry"],
  ["hub"],
  ["images", "registry"],
];

/**
 * The registry beside which an image with an empty registry of its own is likely to be read: that of the
 * nearest `image` map outwards, as charts do whose other images follow the main one.
 */
export function mainImageRegistry(values: YamlMap, chartPath: ValuePath, path: ValuePath): string {
  for (let length = path.length - 1; length >= chartPath.length; length--) {
    const leaf = registryLeaf(values, [...path.slice(0, length), "image"]);
    if (leaf !== undefined) return leaf.text;
  }
  return "";
}

function isImagesMap(path: ValuePath): boolean {
  const key = path.at(-1);
  return typeof key === "string" && foldKey(key) === "images";
}

function globalRegistry(values: YamlMap, scope: ValuePath): NameLeaf | undefined {
  return firstLeaf(values, scope, globalRegistryPaths);
}

function firstLeaf(values: YamlMap, scope: ValuePath, paths: readonly ValuePath[]): NameLeaf | undefined {
  for (const path of paths) {
    const leaf = stringLeaf(values, [...scope, ...path]);
    if (leaf !== undefined) return leaf;
  }
  return undefined;
}

function registryLeaf(values: YamlMap, path: ValuePath): NameLeaf | undefined {
  const map = getAt(values, path);
  if (!isYamlMap(map)) return undefined;
  const key = keysOfPart(map, "registry")[0];
  return key === undefined ? undefined : stringLeaf(values, [...path, key]);
}

function stringLeaf(values: YamlMap, path: ValuePath): NameLeaf | undefined {
  const text = getAt(values, path);
  if (typeof text !== "string" || text === "" || holdsTemplate(text) || text.includes("://"))
    return undefined;
  return { path, text: text.replace(/\/+$/u, ""), prefix: "", suffix: "" };
}
