import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { HelmVersion } from "./chart.ts";
import { coalesceChart } from "./coalesce.ts";
import {
  copyMap,
  createNode,
  setChildren,
  tryGetMap,
  type ChartNode,
  type DeclaredDependency,
} from "./node.ts";
import { isInVersionRange } from "./version-range.ts";

/** Told of oddities that Helm only logs. */
export type ReportOddity = (message: string, valuePath: string) => void;

/**
 * Applies aliases, then switches subcharts off by tags and conditions, the latter having the last word
 * (Helm 3.22, pkg/chartutil/dependencies.go, processDependencyEnabled). What Helm does is kept in its
 * corners too: below a chart that declares nothing, nothing is worked through; in Helm 3 two aliases of one
 * chart share its declarations; a subchart's values are looked up among its root's.
 *
 * @param values what the user gave, or for a subchart the coalesced values of its parent
 * @param prefix the path to the chart's values with a dot at its end; empty for the root
 * @throws FairleadError `values-invalid` where the key of a subchart holds something else than a map
 */
export function applyEnablement(
  node: ChartNode,
  values: YamlMap,
  prefix: string,
  report: ReportOddity,
  helm: HelmVersion = "helm3",
): void {
  const { declared } = node;
  if (declared === undefined) return;
  applyAliases(node, declared, helm === "helm3" ? copyShared : copyApart);
  const coalesced = coalesceChart(node, copyMap(values), { keepNulls: false, helm });
  for (const dependency of declared) {
    applyTags(dependency, tryGetMap(coalesced, ["tags"]), report);
    applyCondition(dependency, coalesced, prefix, report);
  }
  const disabledBy = new Map(
    declared.flatMap(({ name, disabledBy }) => (disabledBy === undefined ? [] : [[name, disabledBy]])),
  );
  for (const child of node.children) {
    const reason = disabledBy.get(child.name);
    if (reason !== undefined) node.disabled.push({ node: child, disabledBy: reason });
  }
  setChildren(
    node,
    node.children.filter((child) => !disabledBy.has(child.name)),
  );
  for (const child of node.children) {
    applyEnablement(child, coalesced, `${prefix}${child.name}.`, report, helm);
  }
  const enabled = declared.filter(({ name }) => !disabledBy.has(name));
  node.declared = enabled.length === 0 ? undefined : enabled;
}

/** In Helm 3 the instances of a chart have one set of declarations and subcharts. */
function copyShared(child: ChartNode, name: string): ChartNode {
  return { ...child, name, disabled: [] };
}

/** In Helm 4 each instance has its own. */
function copyApart(child: ChartNode, name: string): ChartNode {
  const copy: ChartNode = { ...child, name, disabled: [] };
  copy.declared = child.declared?.map((dependency) => ({ ...dependency }));
  setChildren(
    copy,
    child.children.map((grandchild) => ({ ...grandchild, disabled: [] })),
  );
  return copy;
}

/** Applies aliases at every depth and leaves everything on: the tree with its disabled parts. */
export function applyAliasesOnly(node: ChartNode): void {
  if (node.declared === undefined) return;
  applyAliases(node, node.declared, (child, name) => createNode(child.chart, name));
  for (const child of node.children) applyAliasesOnly(child);
}

/** Subcharts that are not declared come first, then one for each declaration that finds its chart. */
function applyAliases(
  node: ChartNode,
  declared: readonly DeclaredDependency[],
  instantiate: (child: ChartNode, name: string) => ChartNode,
): void {
  const present = node.children;
  const children = present.filter((child) => !declared.some((dependency) => isChartOf(child, dependency)));
  for (const dependency of declared) {
    const child = present.find((candidate) => isChartOf(candidate, dependency));
    const alias = dependency.source.alias;
    if (child !== undefined) children.push(instantiate(child, alias ?? child.name));
    if (alias !== undefined) dependency.name = alias;
  }
  setChildren(node, children);
}

function isChartOf(child: ChartNode, dependency: DeclaredDependency): boolean {
  return (
    child.name === dependency.name &&
    isInVersionRange(dependency.source.version ?? "", child.chart.metadata.version)
  );
}

function applyTags(dependency: DeclaredDependency, tags: YamlMap | undefined, report: ReportOddity): void {
  dependency.disabledBy = undefined;
  if (tags === undefined) return;
  const off: string[] = [];
  let isOn = false;
  for (const tag of dependency.source.tags) {
    if (!Object.hasOwn(tags, tag)) continue;
    const value = tags[tag];
    if (value === true) isOn = true;
    else if (value === false) off.push(tag);
    else report(`the tag ${tag} of the dependency ${dependency.name} is not a boolean`, `tags.${tag}`);
  }
  if (!isOn && off.length > 0) dependency.disabledBy = `tags ${off.join(", ")}`;
}

function applyCondition(
  dependency: DeclaredDependency,
  values: YamlMap,
  prefix: string,
  report: ReportOddity,
): void {
  for (const condition of (dependency.source.condition ?? "").trim().split(",")) {
    if (condition === "") continue;
    const path = prefix + condition;
    const keys = path.split(".");
    const map = tryGetMap(values, keys.slice(0, -1));
    const key = keys.at(-1) ?? "";
    if (map === undefined || !Object.hasOwn(map, key) || isYamlMap(map[key])) continue;
    const value = map[key];
    if (typeof value === "boolean") {
      dependency.disabledBy = value ? undefined : `condition ${path}`;
      return;
    }
    report(`the condition ${path} of the dependency ${dependency.name} is not a boolean`, path);
  }
}
