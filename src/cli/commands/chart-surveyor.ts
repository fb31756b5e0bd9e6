import type { HelmBinary } from "../../helm/render/helm-binary.ts";
import { relocateChart } from "../../relocation/relocate-chart.ts";
import type { SurveyEntry } from "../../relocation/result.ts";
import { surveyChart } from "../../relocation/survey.ts";
import { exitCodeFor, exitCodeOf } from "../exit-code.ts";
import { chartInputOf } from "../options/chart-input.ts";
import type { ChartOptions } from "../options/chart-options.ts";
import { createChartOpener } from "../options/chart-source.ts";
import { type ChartSourceContext, type ChartSourceOptions } from "../options/chart-source-options.ts";
import {
  exploreLimitOf,
  renderersFor,
  type ExploreOptions,
  type RenderOptions,
} from "../options/render-options.ts";
import { readSettings } from "../options/settings.ts";
import type { TargetOptions, ThresholdOptions } from "../options/target-options.ts";
import { readUserValues } from "../options/user-values.ts";
import { orKnownFindings } from "./known-findings.ts";

/** What the flags of a survey say of each of its charts. */
export interface ChartSurveyOptions
  extends
    Omit<ChartOptions, "chartPath">,
    ChartSourceOptions,
    TargetOptions,
    ThresholdOptions,
    RenderOptions,
    ExploreOptions {}

/**
 * Reads what the flags say, and gives what works on one chart after another by them.
 * @param helm what proves; undefined for the embedded engine
 * @throws FairleadError `input-invalid`, `target-invalid`, `config-invalid`, `input-unreadable`
 */
export async function createChartSurveyor(
  options: ChartSurveyOptions,
  { helm, env, signal }: Omit<ChartSourceContext, "log"> & { readonly helm: HelmBinary | undefined },
): Promise<(chartPath: string) => Promise<SurveyEntry>> {
  const settings = await readSettings(options);
  const user = await readUserValues(options);
  const opener = createChartOpener(options, { env, signal });
  return (chartPath) =>
    surveyChart(chartPath, {
      relocate: async () => {
        const opened = await opener.open(chartPath);
        const input = chartInputOf(opened, options, settings, user);
        const renderers = renderersFor(opened, options, user, { helm, signal });
        const proof = { ...renderers, exploreLimit: exploreLimitOf(options) };
        const work = orKnownFindings(() => relocateChart({ ...input, ...proof }), input, settings);
        return (await work).result;
      },
      exitCodeOfResult: (result) => exitCodeOf(result, { strict: settings.strict }),
      exitCodeOfError: exitCodeFor,
    });
}
