import { assembleChart } from "../../src/helm/chart/assemble.ts";
import { createBudget } from "../../src/helm/chart/budget.ts";
import type { Chart } from "../../src/helm/chart/chart.ts";
import { chartYaml } from "./chart-files.ts";

/** A chart of these files; without a Chart.yaml among them it is called `app`. */
export function chartOf(files: Readonly<Record<string, string>>): Promise<Chart> {
  const all = { "Chart.yaml": chartYaml("app"), ...files };
  const encoder = new TextEncoder();
  return assembleChart(
    Object.entries(all).map(([name, text]) => ({ name, data: encoder.encode(text) })),
    "app",
    { budget: createBudget(), diagnostics: [] },
  );
}
