import path from "node:path";
import { exitCodeFor, exitCodeOf } from "../../src/cli/exit-code.ts";
import type { HelmVersion } from "../../src/helm/chart/chart.ts";
import { loadChart } from "../../src/helm/chart/load.ts";
import { createEmbeddedRenderer } from "../../src/helm/render/embedded-renderer.ts";
import { createHelmBinary } from "../../src/helm/render/helm-binary.ts";
import { createOverrideRenderer } from "../../src/helm/render/override-renderer.ts";
import { relocateChart } from "../../src/relocation/relocate-chart.ts";
import { applyResidual } from "../../src/relocation/residual/apply-residual.ts";
import type { ChartResult, SurveyEntry } from "../../src/relocation/result.ts";
import { surveyChart, surveyCharts } from "../../src/relocation/survey.ts";
import { parseTargetRegistry } from "../../src/relocation/target-registry.ts";
import { corpusFolder, type CorpusChart } from "./corpus.ts";
import { judge, type Judgement } from "./judge.ts";
import { kubeVersion } from "./renderable.ts";

const target = "harbor.example.com:5000";
/** As `fairlead override` has it by default. */
const exploreLimit = 8;

/** A chart of the corpus after a survey with one helm. */
export interface SurveyedChart {
  readonly chart: CorpusChart;
  readonly entry: SurveyEntry;
  /** Of what helm printed; absent where helm refuses the chart with the override. */
  readonly judgements?: Judgements;
}

/** What a look at helm's output alone finds. */
export interface Judgements {
  readonly override: Judgement;
  /** Without the objects of `helm test`. */
  readonly withoutTests: Judgement;
  /** Of the override with the residual plan applied to what helm printed. */
  readonly withResidual: Judgement;
}

/**
 * Overrides every chart from every registry as the embedded engine sees it, verifies with one helm, and has the
 * outcome judged apart.
 */
export async function surveyCorpus(
  charts: readonly CorpusChart[],
  helmPath: string,
  { jobs, version }: { readonly jobs: number; readonly version: HelmVersion },
): Promise<SurveyedChart[]> {
  const helm = createHelmBinary({ program: helmPath });
  const judgements = new Map<string, Judgements>();
  const relocate = async (chartPath: string): Promise<ChartResult> => {
    const { chart, diagnostics } = await loadChart(chartPath);
    const renderer = createOverrideRenderer(helm, { chartPath, valueFiles: [], setFlags: [], kubeVersion });
    const printed = new Map<boolean, string>();
    const tracer = createEmbeddedRenderer({
      chart,
      fileValues: {},
      setValues: {},
      kubeVersion,
      helm: version,
    });
    const { result, residual = [] } = await relocateChart({
      chart,
      tracer,
      exploreLimit,
      residual: { again: renderer, byName: false },
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
      const withResidual = applyResidual(overridden, residual).text;
      judgements.set(chartPath, {
        override: judge(original, overridden, target),
        withoutTests: judge(withoutTests(original), withoutTests(overridden), target),
        withResidual: judge(original, withResidual, target),
      });
    }
    return result;
  };
  const chartPaths = charts.map(({ folder }) => path.join(corpusFolder, folder));
  const entries = await surveyCharts({
    chartPaths,
    jobs,
    survey: (chartPath) =>
      surveyChart(chartPath, {
        relocate,
        exitCodeOfResult: (result) => exitCodeOf(result, { strict: false }),
        exitCodeOfError: exitCodeFor,
      }),
  });
  return charts.flatMap((chart, index) => {
    const entry = entries[index];
    const found = judgements.get(chartPaths[index] ?? "");
    if (entry === undefined) return [];
    return [{ chart, entry, ...(found === undefined ? {} : { judgements: found }) }];
  });
}

/** What helm printed, without the objects of `helm test`. */
function withoutTests(printed: string): string {
  const documents = printed.split(/^---$/mu);
  return documents.filter((text) => !/helm\.sh\/hook["']?: *["']?test/u.test(text)).join("---");
}
