import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { createYamlMap, isYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { Chart, ChartInstance, HelmVersion } from "./chart.ts";
import { coalesceChart } from "./coalesce.ts";
import { applyAliasesOnly, applyEnablement, type ReportOddity } from "./enablement.ts";
import { applyImportValues } from "./import-values.ts";
import { copyMap, createNode, templateFolderOf, tryGetMap, type ChartNode, type MutableMap } from "./node.ts";
import { locateValue } from "./origin.ts";

export interface ResolvedChart {
  readonly root: ChartInstance;
  /** The root's values with the defaults of every subchart under its key, of disabled ones too. */
  readonly values: YamlMap;
  /** The root's values exactly as Helm gives them to templates: without what disabled subcharts add. */
  readonly renderValues: YamlMap;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Works out the tree of charts and their values as `helm template` does (Helm 3.22: CheckDependencies,
 * ProcessDependenciesWithMerge, CoalesceValues). Neither argument is changed.
 * @param userValues values files and `--set`, already merged
 * @param helm which Helm's rules hold for aliases and for nulls in defaults; default: helm3
 * @throws FairleadError `dependency-missing` naming all of the root's dependencies that are not in charts/;
 *   `values-invalid` where the key of a subchart holds something else than a map
 */
export function resolveDependencies(
  chart: Chart,
  userValues: YamlMap,
  helm: HelmVersion = "helm3",
): ResolvedChart {
  checkPresence(chart);
  const conflicts: { readonly path: readonly string[]; readonly message: string }[] = [];
  const oddities: Diagnostic[] = describeAbsent(chart);
  const report: ReportOddity = (message, valuePath) =>
    oddities.push({ code: "chart-oddity", severity: "warning", message, where: { valuePath } });
  const tree = createNode(chart);
  applyEnablement(tree, userValues, "", report, helm);
  applyImportValues(tree, report);
  const renderValues = coalesceChart(tree, copyMap(userValues), {
    keepNulls: false,
    helm,
    report: (path, message) => conflicts.push({ path, message }),
  });
  const complete = createNode(chart);
  applyAliasesOnly(complete);
  const root = createInstance(tree, complete, [], undefined);
  return {
    root,
    values: hasDisabled(root) ? addDisabled(root, renderValues, complete, userValues) : renderValues,
    renderValues,
    diagnostics: [
      ...oddities,
      ...conflicts.map(({ path, message }): Diagnostic => ({
        code: "values-type-conflict",
        severity: "warning",
        message,
        where: locateValue(root, path),
      })),
    ],
  };
}

/**
 * The values that a chart's own templates see.
 * @param values the root's, such as {@link ResolvedChart.renderValues}
 */
export function valuesOf(values: YamlMap, instance: ChartInstance): YamlMap {
  return tryGetMap(values, instance.path) ?? createYamlMap();
}

/** As Helm, by name only: whether the version fits is another question. */
function checkPresence(chart: Chart): void {
  const missing = findAbsent(chart);
  if (missing.length === 0) return;
  const file = chart.raw.some(({ name }) => name === "requirements.yaml")
    ? "requirements.yaml"
    : "Chart.yaml";
  throw new FairleadError("dependency-missing", `dependencies are not in charts/: ${missing.join(", ")}`, {
    where: { file: `${chart.location}/${file}` },
    hint: `run: helm dependency build ${chart.location}`,
  });
}

function findAbsent(chart: Chart): string[] {
  const present = new Set(chart.subcharts.map(({ metadata }) => metadata.name));
  return chart.metadata.dependencies.map(({ name }) => name).filter((name) => !present.has(name));
}

/** Below the root Helm goes on without what is declared and absent; so do we, and say so. */
function describeAbsent(chart: Chart): Diagnostic[] {
  return chart.subcharts.flatMap((subchart) => [
    ...findAbsent(subchart).map((name): Diagnostic => ({
      code: "chart-oddity",
      severity: "warning",
      message: `the dependency ${name} of the subchart ${subchart.metadata.name} is not in its charts/`,
      where: { file: subchart.location },
    })),
    ...describeAbsent(subchart),
  ]);
}

/**
 * @param node the chart as Helm leaves it; for a disabled one, and below it, the node of `complete`
 * @param complete the same chart in the tree that has everything
 */
function createInstance(
  node: ChartNode,
  complete: ChartNode | undefined,
  path: readonly string[],
  disabledBy: string | undefined,
): ChartInstance {
  const findComplete = (name: string): ChartNode | undefined =>
    complete?.children.find((child) => child.name === name);
  const children = node.children.map((child) =>
    createInstance(child, findComplete(child.name), [...path, child.name], disabledBy),
  );
  const disabled = node.disabled.map((entry) => {
    const whole = findComplete(entry.node.name) ?? entry.node;
    return createInstance(whole, whole, [...path, entry.node.name], entry.disabledBy);
  });
  return {
    chart: node.chart,
    name: node.name,
    path,
    templateFolder: templateFolderOf(node),
    dependencies: (node.declared ?? []).map(({ name, source }) => ({ name, source })),
    enabled: disabledBy === undefined,
    ...(disabledBy === undefined ? {} : { disabledBy }),
    children: [...children, ...disabled],
  };
}

function hasDisabled(instance: ChartInstance): boolean {
  return !instance.enabled || instance.children.some(hasDisabled);
}

/** Puts the values that disabled subcharts would have, were everything switched on, under their keys. */
function addDisabled(
  root: ChartInstance,
  renderValues: YamlMap,
  complete: ChartNode,
  userValues: YamlMap,
): YamlMap {
  applyImportValues(complete, () => undefined, true);
  const whole = coalesceChart(complete, copyMap(userValues), { keepNulls: false, tolerant: true });
  const values = copyMap(renderValues);
  const visit = (instance: ChartInstance, parent: MutableMap): void => {
    const key = instance.name;
    if (!instance.enabled) {
      const added = tryGetMap(whole, instance.path);
      if (added !== undefined && isReplaceable(parent, key)) parent[key] = added;
      return;
    }
    const own = instance === root ? parent : tryGetMap(parent, [key]);
    if (own !== undefined) for (const child of instance.children) visit(child, own);
  };
  visit(root, values);
  return values;
}

/** A disabled subchart's key may hold anything in Helm; only a map, or nothing, has room for its defaults. */
function isReplaceable(parent: YamlMap, key: string): boolean {
  return !Object.hasOwn(parent, key) || isYamlMap(parent[key]);
}
