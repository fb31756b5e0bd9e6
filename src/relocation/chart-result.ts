import type { Diagnostic } from "../core/diagnostic.ts";
import type { YamlMap } from "../yaml/value.ts";
import type { ChartPlan } from "./chart-plan.ts";
import { findingsOf } from "./finding.ts";
import type { RelocateChartInput } from "./relocate-chart-input.ts";
import type { Relocation } from "./relocator.ts";
import type { ChartResult, Verdict } from "./result.ts";
import { formatTargetRegistry } from "./target-registry.ts";
import { requiredProjects } from "./targets/targets.ts";
import { countedImages, judge } from "./verdict.ts";
import type { ImageOutcome } from "./verify/comparison.ts";
import type { Verification } from "./verify/verification.ts";

/** How the images move that a plan moves. */
export function relocationsOf({ plan }: ChartPlan): Relocation[] {
  return plan.images.flatMap(({ relocation, obstacle }) =>
    relocation === undefined || obstacle !== undefined ? [] : [relocation],
  );
}

/** What an unparsable reference is beside a warning where it costs the threshold (document 002, §6.1.2). */
function parsingErrors(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ code, where }) => code === "reference-unparsable" && where.valuePath !== undefined)
    .map(({ code, where, image = "" }): Diagnostic => {
      const message = `Error parsing image in values path '${where.valuePath ?? ""}': invalid format`;
      return { code, severity: "error", message, where, image, unsupported: true };
    });
}

/** What renders no object, not even with more switched on, leaves the override as unproven as no rendering. */
function installOf(
  verification: Verification | undefined,
  explored: readonly ImageOutcome[],
): Verdict["chartInstall"] {
  if (verification === undefined || (verification.isEmpty && explored.length === 0)) return "not-run";
  return verification.chartInstall;
}

/** The result of a chart, from its plan and its proof. */
export function resultOf(
  input: RelocateChartInput,
  planned: ChartPlan,
  verification: Verification | undefined,
  override: { readonly text: string; readonly values: YamlMap },
  diagnostics: readonly Diagnostic[],
  explored: readonly ImageOutcome[] = [],
): ChartResult {
  const { chart } = input;
  const { images, diagnostics: missed } = findingsOf(planned, verification, override.values, chart, explored);
  const chartInstall = installOf(verification, explored);
  const counted = countedImages(images, chartInstall);
  const changes = missed.filter(({ code }) => code === "unexpected-change");
  const { metadata, location } = input.chart;
  const verdict = judge({
    images: counted.length,
    moved: counted.filter(({ status }) => status !== "not-moved").length,
    threshold: input.threshold ?? 100,
    chartInstall,
    hasUnexpectedChange: changes.length > 0,
  });
  const found = [...diagnostics, ...(verification?.diagnostics ?? []), ...missed];
  return {
    chart: { name: metadata.name, version: metadata.version, path: location },
    targetRegistry: formatTargetRegistry(input.settings.target),
    verdict,
    images,
    diagnostics: verdict.rate < verdict.threshold ? [...found, ...parsingErrors(found)] : found,
    override: override.text,
    projects: requiredProjects(relocationsOf(planned)),
  };
}
