import type { ChartInstance } from "../../helm/chart/chart.ts";
import type { YamlMap, YamlValue } from "../../yaml/value.ts";
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

function dependencySwitches(instance: ChartInstance, values: YamlMap): ValuePath[] {
  return instance.children.flatMap((child) => {
    if (child.enabled) return dependencySwitches(child, values);
    const declared = instance.chart.metadata.dependencies.find(
      ({ name, alias }) => (alias ?? name) === child.name,
    );
    if (declared === undefined) return [];
    const condition = conditionPaths(instance, declared.condition);
    const decides = condition.find((path) => typeof getAt(values, path) === "boolean") ?? condition[0];
    return decides === undefined ? declared.tags.map((tag) => ["tags", tag]) : [decides];
  });
}

function conditionPaths(instance: ChartInstance, condition: string | undefined): ValuePath[] {
  return (condition ?? "")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => [...instance.path, ...path.split(".")]);
}

/** The values that turn these switches on and say nothing else. */
export function valuesOfSwitches(switches: readonly Switch[]): YamlMap {
  return switches.reduce<YamlMap>((values, { path, on }) => setAt(values, path, on), {});
}
