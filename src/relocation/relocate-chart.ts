import type { Diagnostic } from "../core/diagnostic.ts";
import { dumpYaml } from "../yaml/dump.ts";
import type { YamlMap } from "../yaml/value.ts";
import { formatValuePath, getAt } from "../yaml/value-path.ts";
import { overrideOf } from "./chart-override.ts";
import { planChart, plannedMoves, refuseCollisions, type ChartPlan } from "./chart-plan.ts";
import { prove, proveBeyond, verificationOf } from "./chart-proof.ts";
import { relocationsOf, resultOf } from "./chart-result.ts";
import { exploreFrom, manifestsOfTrace, traceChart } from "./chart-trace.ts";
import type { RelocateChartInput } from "./relocate-chart-input.ts";
import { movedImages } from "./moved-images.ts";
import { createRelocator } from "./relocator.ts";
import type { PlannedObject } from "./residual/plan-residual.ts";
import { proveResidual, withResidual } from "./residual/prove-residual.ts";
import type { ChartResult } from "./result.ts";
import { requiredProjects } from "./targets/targets.ts";
import type { ChartRendering, VerificationInput } from "./verify/verification.ts";

export interface RelocatedChart {
  readonly result: ChartResult;
  /** The override as values. */
  readonly override: YamlMap;
  /** What the override leaves, where that was asked for and the chart was rendered. */
  readonly residual?: readonly PlannedObject[];
}

/**
 * The main flow (document 002, §6.1): finds a chart's images, plans their moves, writes the smallest
 * override, and proves it where a renderer is given.
 * @throws FairleadError `dependency-missing`, `target-collision`, `render-failed` when the chart does not
 *   render without the override, and what the renderer throws.
 */
export async function relocateChart(input: RelocateChartInput): Promise<RelocatedChart> {
  const relocator = createRelocator(input.settings);
  const before = await input.renderer?.render(undefined);
  const trace = await traceChart(input, before);
  const explored = await exploreFrom(trace, input);
  const planned = planChart(input, relocator, manifestsOfTrace(trace), explored?.sites);
  refuseCollisions(plannedMoves(planned.plan));
  const pinned = input.pin?.(movedImages(planned.plan, planned.isFixed));
  const { override, side } = overrideOf(planned, pinned?.entries);
  const text = dumpYaml(override);
  const unproven = input.mayStayUnproven === true ? unprovenDiagnostics(before) : [];
  const proof: VerificationInput | undefined =
    input.renderer === undefined || unproven.length > 0
      ? undefined
      : {
          ...verificationOf(input, planned, relocator),
          renderer: input.renderer,
          before,
          override: text,
          planned: override,
          replacements: planned.plan.edits,
        };
  const verification = proof === undefined ? undefined : await prove(proof);
  const beyond = await proveBeyond(explored, proof, verification);
  const diagnostics = [
    ...planned.diagnostics,
    ...setConflicts(input, planned),
    ...side.diagnostics,
    ...(pinned?.diagnostics ?? []),
    ...unproven,
    ...beyond.diagnostics,
  ];
  const given = { text, values: override };
  const result = resultOf(input, planned, verification, given, diagnostics, beyond.outcomes);
  if (proof === undefined || verification === undefined || input.residual === undefined) {
    return { override, result };
  }
  const residual = await proveResidual(verification, proof, input.residual, prove);
  const together = resultOf({ ...input, threshold: 100 }, planned, residual.verification, given, []);
  const { objects } = residual;
  const left = verification.outcomes.filter(({ status }) => status === "not-moved" || status === "misplaced");
  const relocations = left.map(({ image }) => relocator.relocate(image.reference));
  const projects = requiredProjects([...relocationsOf(planned), ...relocations]);
  return { override, result: withResidual({ ...result, projects }, together, objects), residual: objects };
}

function unprovenDiagnostics(before: ChartRendering | undefined): Diagnostic[] {
  if (before?.ok !== false) return [];
  return [
    {
      code: "unverified",
      severity: "warning",
      message: `the override is not proven: the chart does not render as it is: ${before.message}`,
      where: {},
      hint: "give the values it needs with -f or --set",
    },
  ];
}

function setConflicts({ setValues }: RelocateChartInput, { plan }: ChartPlan): Diagnostic[] {
  if (setValues === undefined) return [];
  return plan.edits
    .filter(({ path }) => getAt(setValues, path) !== undefined)
    .map(({ path }) => ({
      code: "set-wins",
      severity: "warning",
      message: "a --set flag sets this value too, and wins over the override",
      where: { valuePath: formatValuePath(path) },
      hint: "leave the flag out where the override is installed",
    }));
}
