import path from "node:path";
import { exitCodeFor, exitCodeOf } from "../../src/cli/exit-code.ts";
import { loadChart } from "../../src/helm/chart/load.ts";
import { createHelmBinary } from "../../src/helm/render/helm-binary.ts";
import { createOverrideRenderer } from "../../src/helm/render/override-renderer.ts";
import { relocateChart } from "../../src/relocation/relocate-chart.ts";
import type { ChartResult, SurveyEntry } from "../../src/relocation/result.ts";
import { surveyCharts } from "../../src/relocation/survey.ts";
import { parseTargetRegistry } from "../../src/relocation/target-registry.ts";
import { corpusFolder, type CorpusChart } from "./corpus.ts";
import { judge, type Judgement } from "./judge.ts";
import { kubeVersion } from "./renderable.ts";

const target = "harbor.example.com:5000";

/** A chart of the corpus after a survey with one helm. */
export interface SurveyedChart {
  readonly chart: CorpusChart;
  readonly entry: SurveyEntry;
  /** Absent where helm refuses the chart with the override. */
  readonly judgement?: Judgement;
}

/** Overrides and verifies every chart from every registry with one helm, and has the outcome judged apart. */
export async function surveyCorpus(
  charts: readonly CorpusChart[],
  helmPath: string,
  jobs: number,
): Promise<SurveyedChart[]> {
  const helm = createHelmBinary({ program: helmPath });
  const judgements = new Map<string, Judgement>();
  const relocate = async (chartPath: string): Promise<ChartResult> => {
    const { chart, diagnostics } = await loadChart(chartPath);
    const renderer = createOverrideRenderer(helm, { chartPath, valueFiles: [], setFlags: [], kubeVersion });
    const printed = new Map<boolean, string>();
    const { result } = await relocateChart({
      chart,
      chartDiagnostics: diagnostics,
      userValues: {},
      settings: {
        target: parseTargetRegistry(target),
        sources: "all",
        excluded: [],
        strategy: "prefix-source-registry",
        library: "table",
        perSource: new Map(),
      },
      renderer: {
        render: async (override) => {
          const rendering = await renderer.render(override);
          if (rendering.ok) printed.set(override !== undefined, rendering.manifests);
          return rendering;
        },
      },
    });
    const [original, overridden] = [printed.get(false), printed.get(true)];
    if (original !== undefined && overridden !== undefined) {
      judgements.set(chartPath, judge(original, overridden, target));
    }
    return result;
  };
  const chartPaths = charts.map(({ folder }) => path.join(corpusFolder, folder));
  const entries = await surveyCharts({
    chartPaths,
    jobs,
    relocate,
    exitCodeOfResult: (result) => exitCodeOf(result, { strict: false }),
    exitCodeOfError: exitCodeFor,
  });
  return charts.flatMap((chart, index) => {
    const entry = entries[index];
    const judgement = judgements.get(chartPaths[index] ?? "");
    if (entry === undefined) return [];
    return [{ chart, entry, ...(judgement === undefined ? {} : { judgement }) }];
  });
}
