import { FairleadError } from "../../core/error.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { HelmVersion } from "./chart.ts";
import { copyMap, type ChartNode, type MutableMap } from "./node.ts";

/** Told of every map that meets something else; `path` is in the root's terms. */
type ReportConflict = (path: readonly string[], message: string) => void;

interface CoalesceOptions {
  /** Keep nulls, as Helm's MergeValues; else a null removes the default, as Helm's CoalesceValues. */
  readonly keepNulls: boolean;
  /** Skip a subchart whose key holds something else than a map; default: refuse, as Helm. */
  readonly tolerant?: boolean;
  /** Helm 4 takes nulls out of a chart's defaults when it coalesces; default: helm3. */
  readonly helm?: HelmVersion;
  readonly report?: ReportConflict;
}

interface Merge {
  readonly keepNulls: boolean;
  readonly report: ReportConflict;
}

/**
 * Merges the values of a chart and everything below it under `values`, which win (Helm 3.22,
 * pkg/chartutil/coalesce.go). Subcharts' values stand under their keys; globals are handed down. The maps
 * of `values` itself are taken over, not copied. As in Helm, a nested map among the globals is one object
 * for parent and children, so a child's default for it shows in its parent and in later siblings.
 * @throws FairleadError `values-invalid` where the key of a subchart holds something else than a map.
 */
export function coalesceChart(node: ChartNode, values: YamlMap, options: CoalesceOptions): YamlMap {
  const merge: Required<CoalesceOptions> = {
    report: () => undefined,
    tolerant: false,
    helm: "helm3",
    ...options,
  };
  return coalesceNode(node, values, [], merge);
}

function coalesceNode(
  node: ChartNode,
  values: MutableMap,
  path: readonly string[],
  options: Required<CoalesceOptions>,
): MutableMap {
  addDefaults(node, values, path, options);
  for (const child of node.children) {
    const childPath = [...path, child.name];
    if (!Object.hasOwn(values, child.name)) values[child.name] = createYamlMap();
    const childValues = values[child.name];
    if (isYamlMap(childValues)) {
      handDownGlobals(values, childValues, childPath, options.report);
      coalesceNode(child, childValues, childPath, options);
    } else if (!options.tolerant) {
      throw new FairleadError("values-invalid", `the values of the subchart ${child.name} are not a map`, {
        where: { valuePath: formatValuePath(childPath) },
      });
    }
  }
  return values;
}

function addDefaults(
  node: ChartNode,
  values: MutableMap,
  path: readonly string[],
  { keepNulls, report, helm }: Required<CoalesceOptions>,
): void {
  const dropNulls = helm === "helm4" && !keepNulls;
  for (const [key, standard] of Object.entries(copyMap(node.values))) {
    if (!Object.hasOwn(values, key)) {
      if (dropNulls && isYamlMap(standard)) removeNulls(standard);
      if (!dropNulls || standard !== null) values[key] = standard;
      continue;
    }
    const value = values[key] as YamlValue;
    if (value === null && !keepNulls) delete values[key];
    else if (isYamlMap(value)) {
      if (isYamlMap(standard)) {
        const isSubchart = node.children.some((child) => child.name === key);
        const merge: Merge = { keepNulls: keepNulls || isSubchart, report };
        if (dropNulls && !isSubchart) removeNulls(standard);
        mergeInto(value, standard, [...path, key], merge);
      } else if (standard !== null) report([...path, key], "a map replaces a default that is none");
    } else if (isYamlMap(standard) && value !== null) {
      report([...path, key], "the default is a map, and something else replaces it");
    }
  }
}

/** Removes what is null from a map and the maps in it; lists stay as they are. */
function removeNulls(map: MutableMap): void {
  for (const [key, value] of Object.entries(map)) {
    if (value === null) delete map[key];
    else if (isYamlMap(value)) removeNulls(value);
  }
}

/**
 * Adds to `target` what it lacks of `source`, which is used up. Without `keepNulls` a null in `target`
 * removes a default; a null that stands against none stays.
 */
export function mergeInto(
  target: MutableMap,
  source: MutableMap,
  path: readonly string[],
  merge: Merge,
): MutableMap {
  const defaults = new Set(Object.keys(source).filter((key) => source[key] !== null));
  for (const [key, value] of Object.entries(target)) if (value === null) source[key] = null;
  for (const [key, standard] of Object.entries(source)) {
    if (!Object.hasOwn(target, key)) {
      target[key] = standard;
      continue;
    }
    const value = target[key] as YamlValue;
    if (value === null && !merge.keepNulls && defaults.has(key)) delete target[key];
    else if (isYamlMap(standard)) {
      if (isYamlMap(value)) mergeInto(value, standard, [...path, key], merge);
      else merge.report([...path, key], "the default is a map, and something else replaces it");
    } else if (isYamlMap(value) && standard !== null) {
      merge.report([...path, key], "a map replaces a default that is none");
    }
  }
  return target;
}

function handDownGlobals(
  parent: MutableMap,
  child: MutableMap,
  path: readonly string[],
  report: ReportConflict,
): void {
  const own = Object.hasOwn(child, "global") ? child["global"] : createYamlMap();
  const inherited = Object.hasOwn(parent, "global") ? parent["global"] : createYamlMap();
  if (!isYamlMap(own) || !isYamlMap(inherited)) {
    report([...(isYamlMap(own) ? path.slice(0, -1) : path), "global"], "the globals are not a map");
    return;
  }
  const globals: MutableMap = own;
  for (const [key, value] of Object.entries(inherited)) {
    const existing = Object.hasOwn(globals, key) ? globals[key] : undefined;
    if (isYamlMap(value)) {
      const copy = Object.assign(Object.create(null) as MutableMap, value);
      if (existing === undefined) globals[key] = copy;
      else if (isYamlMap(existing)) {
        globals[key] = mergeInto(copy, existing, [...path, "global", key], {
          keepNulls: true,
          report,
        });
      } else report([...path, "global", key], "a global map meets something else, which stays");
    } else if (isYamlMap(existing)) {
      report([...path, "global", key], "a global meets a map, which stays");
    } else globals[key] = value;
  }
  child["global"] = globals;
}
