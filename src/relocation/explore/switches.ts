import type { ChartInstance } from "../../helm/chart/chart.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { formatValuePath, getAt, setAt, type ValuePath } from "../../yaml/value-path.ts";

/** A value that keeps a part of a chart off, and what turns that part on. */
export interface Switch {
  readonly path: ValuePath;
  readonly on: YamlValue;
}

/**
 * The switches of a chart that are off: the conditions and tags of its subcharts, and the booleans that a
 * rendering found false where it decided what to write.
 * @param falsePaths the value paths that a rendering found empty in a condition
 */
export function findSwitches(
  root: ChartInstance,
  values: YamlMap,
  falsePaths: Iterable<ValuePath>,
): Switch[] {
  const switches = new Map<string, Switch>();
  const add = (path: ValuePath): void => {
    switches.set(formatValuePath(path), { path, on: true });
  };
  for (const path of dependencySwitches(root, values)) add(path);
  for (const path of falsePaths) if (getAt(values, path) === false) add(path);
  return [...switches.values()];
}

/** The condition that decides over each subchart that is off, at any depth, or else its tags. */
function dependencySwitches(instance: ChartInstance, values: YamlMap): ValuePath[] {
  return instance.children.flatMap((child) => {
    const below = dependencySwitches(child, values);
    if (child.enabled) return below;
    const declared = instance.chart.metadata.dependencies.find(
      ({ name, alias }) => (alias ?? name) === child.name,
    );
    const conditions = conditionPaths(instance, declared?.condition);
    const decides = conditions.find((path) => typeof getAt(values, path) === "boolean") ?? conditions[0];
    const own = decides === undefined ? (declared?.tags ?? []).map((tag) => ["tags", tag]) : [decides];
    return [...own.filter((path) => getAt(values, path) !== true), ...below];
  });
}

function conditionPaths(instance: ChartInstance, condition: string | undefined): ValuePath[] {
  return (condition ?? "")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => instance.path.concat(path.split(".")));
}

/** The values that turn these switches on and say nothing else. */
export function valuesOfSwitches(switches: readonly Switch[]): YamlMap {
  return switches.reduce<YamlMap>((values, { path, on }) => setAt(values, path, on), {});
}

/** The paths of the leaves of such values. */
export function leavesOf(values: YamlMap, path: ValuePath = []): ValuePath[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isYamlMap(value) ? leavesOf(value, [...path, key]) : [[...path, key]],
  );
}
