import { loadChart } from "../src/helm/chart/load.ts";
import type { Chart } from "../src/helm/chart/chart.ts";
import { createRehearsalRandom } from "../src/helm/go/random.ts";
import { formatManifests } from "../src/helm/render/format-manifests.ts";
import { renderChart } from "../src/helm/render/render-chart.ts";
import { kubeVersion } from "../test/corpus/renderable.ts";
import type { BenchChart } from "./charts.ts";
import { timesOf, wallTimeMs } from "./process-pair.ts";
import { templateOf } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

/** A warm rendering is at least this many times as fast as a process of `helm template`. */
const bar = 3;
const warmUps = 30;
const pairs = 15;

/** Renders charts that are loaded, with code that is compiled, beside `helm template`. */
export async function benchWarmRenders(charts: readonly BenchChart[], helm: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const bench of charts) {
    const { chart } = await loadChart(bench.path);
    for (let round = 0; round < warmUps; round++) renderTimeMs(chart);
    const command = templateOf(helm, bench);
    const { firstMs, secondMs, ratio } = timesOf(
      Array.from({ length: pairs }, () => [renderTimeMs(chart), wallTimeMs(command)] as const),
    );
    rows.push({
      what: "warm render",
      chart: bench.name,
      fairlead: formatMs(firstMs),
      helm: formatMs(secondMs),
      measured: `${(1 / ratio).toFixed(1)} times as fast`,
      bar: `≥ ${bar.toFixed(1)}`,
      isMet: 1 / ratio >= bar,
    });
  }
  return rows;
}

function renderTimeMs(chart: Chart): number {
  const startMs = performance.now();
  // As in proofs: what is random can be repeated, and keys are short.
  formatManifests(renderChart(chart, { kubeVersion, random: createRehearsalRandom() }));
  return performance.now() - startMs;
}
