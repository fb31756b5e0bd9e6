import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import { foldKey, keysOfPart } from "./keys.ts";
import { holdsTemplate, registryLeafOf } from "./name-text.ts";
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
  const scopes = scopesAlong(values, path);
  for (const scope of scopes.slice(chartPath.length + 1).toReversed()) {
    const leaf = isImagesMap(scope.path) ? registryLeaf(scope) : undefined;
    const found = leaf ?? globalRegistry(scope);
    if (found !== undefined) return [found];
  }
  const [root, chart] = [scopes[0], scopes[chartPath.length]];
  const global = globalRegistry(root) ?? globalRegistry(chart);
  if (global !== undefined) return [global];
  const own = firstLeaf(chart, ownRegistryPaths);
  if (own === undefined) return [];
  const namespace = stringLeaf(chart, ["imageNamespace"]);
  return namespace === undefined ? [own] : [own, namespace];
}

/**
 * The registry that beats an image's own: a `global.imageRegistry` that is set, by Bitnami's convention, which
 * the charts of Grafana and Prometheus share.
 */
export function overridingRegistry(values: YamlMap, chartPath: ValuePath): NameLeaf | undefined {
  const path = ["global", "imageRegistry"];
  return (
    stringLeaf({ path: [], value: values }, path) ?? stringLeaf(scopesAlong(values, chartPath).at(-1), path)
  );
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
  const scopes = scopesAlong(values, path.slice(0, -1));
  for (const scope of scopes.slice(chartPath.length).toReversed()) {
    const leaf = registryLeaf(scopeBelow(scope, "image"));
    if (leaf !== undefined) return leaf.text;
  }
  return "";
}

/** A value and where it stands. */
interface Scope {
  readonly path: ValuePath;
  readonly value: YamlValue | undefined;
}

/** The values on the way to a path, the root first; found in one descent, as paths may be long. */
function scopesAlong(values: YamlMap, path: ValuePath): Scope[] {
  const scopes: Scope[] = [{ path: [], value: values }];
  let value: YamlValue | undefined = values;
  for (const [index, step] of path.entries()) {
    value = value === undefined ? undefined : getAt(value, [step]);
    scopes.push({ path: path.slice(0, index + 1), value });
  }
  return scopes;
}

function scopeBelow({ path, value }: Scope, key: string): Scope {
  return { path: [...path, key], value: value === undefined ? undefined : getAt(value, [key]) };
}

function isImagesMap(path: ValuePath): boolean {
  const key = path.at(-1);
  return typeof key === "string" && foldKey(key) === "images";
}

function globalRegistry(scope: Scope | undefined): NameLeaf | undefined {
  return scope === undefined ? undefined : firstLeaf(scopeBelow(scope, "global"), globalRegistryPaths);
}

function firstLeaf(scope: Scope | undefined, paths: readonly ValuePath[]): NameLeaf | undefined {
  for (const path of paths) {
    const leaf = stringLeaf(scope, path);
    if (leaf !== undefined) return leaf;
  }
  return undefined;
}

function registryLeaf(scope: Scope): NameLeaf | undefined {
  if (!isYamlMap(scope.value)) return undefined;
  const key = keysOfPart(scope.value, "registry")[0];
  return key === undefined ? undefined : stringLeaf(scope, [key]);
}

function stringLeaf(scope: Scope | undefined, path: ValuePath): NameLeaf | undefined {
  const text = scope?.value === undefined ? undefined : getAt(scope.value, path);
  if (scope === undefined || typeof text !== "string" || text === "") return undefined;
  if (holdsTemplate(text) || text.includes("://")) return undefined;
  return registryLeafOf([...scope.path, ...path], text);
}
