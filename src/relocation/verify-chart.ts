import { mergeMaps } from "../helm/values/merge.ts";
import { dumpYaml } from "../yaml/dump.ts";
import { loadYamlMap } from "../yaml/load.ts";
import { overrideOf } from "./chart-override.ts";
import { planChart, type ChartPlan } from "./chart-plan.ts";
import { prove, proveBeyond, verificationOf } from "./chart-proof.ts";
import { resultOf } from "./chart-result.ts";
import { exploreFrom, manifestsOfTrace, traceChart } from "./chart-trace.ts";
import { followedVersions, type FollowedPaths } from "./followed-versions.ts";
import { replacementsOf } from "./given-override.ts";
import type { RelocateChartInput } from "./relocate-chart-input.ts";
import { createRelocator } from "./relocator.ts";
import type { ChartResult } from "./result.ts";
import type { ChartRenderer, VerificationInput } from "./verify/verification.ts";

export interface VerifyChartInput extends RelocateChartInput {
  readonly renderer: ChartRenderer;
  /** The override to prove, as YAML. */
  readonly override: string;
  /** Whether image policies write a value of the override: its version may then be another than the chart's. */
  readonly isFollowed?: FollowedPaths;
  /** Its name, for messages. */
  readonly overrideFile?: string;
}

/**
 * Proves an override that is there already (document 002, §7).
 * @throws FairleadError `input-invalid` for an override that is no map, and what {@link relocateChart} throws.
 */
export async function verifyChart(input: VerifyChartInput): Promise<ChartResult> {
  return (await verifyWithPlan(input)).result;
}

/** {@link verifyChart}, with what an override of the chart would be planned to do. */
export async function verifyWithPlan(
  input: VerifyChartInput,
): Promise<{ readonly result: ChartResult; readonly planned: ChartPlan }> {
  const { overrideFile: file } = input;
  const source = { code: "input-invalid", ...(file === undefined ? {} : { file }) } as const;
  const override = loadYamlMap(input.override, source).value;
  const relocator = createRelocator(input.settings);
  const before = await input.renderer.render(undefined);
  const trace = await traceChart(input, before);
  const explored = await exploreFrom(trace, input);
  const planned = planChart(input, relocator, manifestsOfTrace(trace), explored?.sites);
  const baseline = followedVersions(planned, override, input.isFollowed ?? (() => false));
  const proof: VerificationInput = {
    ...verificationOf(input, planned, relocator),
    renderer: input.renderer,
    ...(baseline === undefined ? { before } : { baseline: dumpYaml(baseline) }),
    override: input.override,
    planned: overrideOf(planned).override,
    replacements: replacementsOf(mergeMaps(planned.values, baseline ?? {}), override, planned.plan),
  };
  const verification = await prove(proof);
  const beyond = await proveBeyond(explored, proof, verification);
  const given = { text: input.override, values: override };
  const diagnostics = [...planned.diagnostics, ...beyond.diagnostics];
  return { planned, result: resultOf(input, planned, verification, given, diagnostics, beyond.outcomes) };
}
