import type { LoadedChart } from "../../helm/chart/load.ts";
import type { RelocateChartInput } from "../../relocation/relocate-chart-input.ts";
import type { CommandSettings } from "./settings.ts";
import type { TargetOptions } from "./target-options.ts";
import type { UserValues } from "./user-values.ts";

/** Puts a chart that is loaded together with what the user said of it. */
export function chartInputOf(
  { chart, diagnostics }: LoadedChart,
  options: Pick<TargetOptions, "excludeTests">,
  settings: CommandSettings,
  { values, setValues, redact }: UserValues,
): RelocateChartInput {
  return {
    chart,
    chartDiagnostics: diagnostics,
    userValues: values,
    setValues,
    settings: settings.relocation,
    isNamedImage: settings.isNamedImage,
    threshold: settings.threshold,
    excludeTests: options.excludeTests ?? false,
    redact,
  };
}
