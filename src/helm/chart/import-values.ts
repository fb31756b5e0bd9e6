import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import { coalesceChart, mergeInto } from "./coalesce.ts";
import type { ReportOddity } from "./enablement.ts";
import { copyMap, tryGetMap, type ChartNode, type MutableMap } from "./node.ts";

const quiet = { keepNulls: true, report: (): void => undefined };

/**
 * Brings the values that charts import from their subcharts into their own, from the leaves up; a chart's own
 * values win over imported ones (Helm 3.22, pkg/chartutil/dependencies.go, processImportValues with merge,
 * which is what helm template and helm install run).
 */
export function applyImportValues(node: ChartNode, report: ReportOddity, tolerant = false): void {
  for (const child of node.children) applyImportValues(child, report, tolerant);
  if (node.declared === undefined) return;
  const merged = coalesceChart(node, createYamlMap(), { keepNulls: true, tolerant });
  const imported: MutableMap = createYamlMap();
  for (const dependency of node.declared) {
    for (const entry of dependency.importValues) {
      const { child, parent } =
        typeof entry === "string" ? { child: `exports.${entry}`, parent: "." } : entry;
      const path = `${dependency.name}.${child}`;
      const table = tryGetMap(merged, path.split("."));
      if (table === undefined) report(`there is no map ${path} to import values from`, path);
      else mergeInto(imported, wrap(parent, table), [], quiet);
    }
    // Two aliases of a chart share its declarations, and Helm imports for the first of them only.
    dependency.importValues = [];
  }
  node.values = mergeInto(copyMap(merged), imported, [], quiet);
}

/** The map under a dotted path; `.` is the top. */
function wrap(path: string, table: YamlMap): MutableMap {
  if (path === ".") return table;
  return path
    .split(".")
    .reverse()
    .reduce<MutableMap>((inner, key) => createYamlMap([[key, inner]]), table);
}
