import type { YamlMap, YamlValue } from "../../yaml/value.ts";
import { createYamlMap, isYamlMap } from "../../yaml/value.ts";
import type { Chart, ChartDependency } from "./chart.ts";

/** A values map while it is merged: Helm's rules are defined by changes in place. */
export type MutableMap = Record<string, YamlValue>;

/** A declared dependency while conditions, tags and imports are worked through. */
export interface DeclaredDependency {
  readonly source: ChartDependency;
  /** The chart's name, and after the alias has been applied the alias. */
  name: string;
  importValues: ChartDependency["importValues"];
  /** What switches it off, such as `condition redis.enabled`; undefined while it is on. */
  disabledBy: string | undefined;
}

/** A chart while dependencies are worked through. */
export interface ChartNode {
  readonly chart: Chart;
  readonly name: string;
  values: YamlMap;
  /** Undefined where nothing is declared, which Helm treats otherwise than an empty list. */
  declared: DeclaredDependency[] | undefined;
  children: ChartNode[];
  /**
   * The chart that Helm takes for the one above. What two aliases of a chart share has the parent that came
   * last, or the chart without its alias, and its templates are named after that.
   */
  parent: ChartNode | undefined;
  /** The children that were switched off, with what did it. */
  readonly disabled: { readonly node: ChartNode; readonly disabledBy: string }[];
}

/** The tree of nodes of a chart as loaded, before anything is worked through. */
export function createNode(chart: Chart, name: string = chart.metadata.name): ChartNode {
  const { dependencies, raw } = chart.metadata;
  const isDeclared = dependencies.length > 0 || Array.isArray(raw["dependencies"]);
  const node: ChartNode = {
    chart,
    name,
    values: chart.values,
    declared: isDeclared ? dependencies.map(declare) : undefined,
    children: [],
    parent: undefined,
    disabled: [],
  };
  setChildren(
    node,
    chart.subcharts.map((subchart) => createNode(subchart)),
  );
  return node;
}

/** Puts charts below another (Helm's SetDependencies). */
export function setChildren(node: ChartNode, children: ChartNode[]): void {
  node.children = children;
  for (const child of children) child.parent = node;
}

/** The folder that Helm names a chart's templates by: `shop/charts/redis` (Helm's ChartFullPath). */
export function templateFolderOf(node: ChartNode): string {
  const { name, parent } = node;
  return parent === undefined ? name : `${templateFolderOf(parent)}/charts/${name}`;
}

function declare(source: ChartDependency): DeclaredDependency {
  return { source, name: source.name, importValues: source.importValues, disabledBy: undefined };
}

/** A deep copy of a map that may be changed. */
export function copyMap(map: YamlMap): MutableMap {
  return createYamlMap(Object.entries(map).map(([key, value]) => [key, copyValue(value)]));
}

function copyValue(value: YamlValue): YamlValue {
  if (isYamlMap(value)) return copyMap(value);
  return Array.isArray(value) ? (value as readonly YamlValue[]).map(copyValue) : value;
}

/** The map at a path of keys, or undefined where there is none. */
export function tryGetMap(values: YamlMap, keys: readonly string[]): YamlMap | undefined {
  let map = values;
  for (const key of keys) {
    const next = Object.hasOwn(map, key) ? map[key] : undefined;
    if (!isYamlMap(next)) return undefined;
    map = next;
  }
  return map;
}
