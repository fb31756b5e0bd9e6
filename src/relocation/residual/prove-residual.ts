import type { Diagnostic } from "../../core/diagnostic.ts";
import type { ChartResult, ResidualSummary } from "../result.ts";
import type { ChartRenderer, Verification, VerificationInput } from "../verify/verification.ts";
import { applyResidual } from "./apply-residual.ts";
import { planResidual, type PlannedObject } from "./plan-residual.ts";
import type { ResidualObject } from "./residual-object.ts";

export interface ResidualOptions {
  /** Renders as the proof's renderer does, but with other random texts, where the chart has some. */
  readonly again: ChartRenderer;
  /** Whether the form of the plan finds objects by their names alone. */
  readonly byName: boolean;
}

export interface ProvenResidual {
  readonly objects: readonly PlannedObject[];
  /** What the override and the residual plan come to together. */
  readonly verification: Verification;
}

/**
 * Plans what an override leaves, and proves both together: the chart is rendered with the override once more, the
 * plan applied to that, and everything compared again. That random texts do not keep the plan from its places is
 * tried too.
 * @param verification what the override alone comes to
 * @param prove proves an override
 * @throws FairleadError `residual-drift` where the chart renders the places otherwise each time, and what `prove` throws
 */
export async function proveResidual(
  verification: Verification,
  input: VerificationInput,
  { again, byName }: ResidualOptions,
  prove: (input: VerificationInput) => Promise<Verification>,
): Promise<ProvenResidual> {
  const objects = planResidual(verification.outcomes, input.isKnownHost);
  if (objects.length === 0) return { objects, verification };
  const other = await again.render(input.override);
  if (other.ok) applyResidual(other.manifests, objects, { byName });
  const renderer = postRendered(input.renderer, objects);
  return { objects, verification: await prove({ ...input, renderer }) };
}

/** A renderer whose renderings with an override pass through the residual plan. */
function postRendered(renderer: ChartRenderer, objects: readonly ResidualObject[]): ChartRenderer {
  return {
    render: async (override) => {
      const rendering = await renderer.render(override);
      if (override === undefined || !rendering.ok) return rendering;
      return { ok: true, manifests: applyResidual(rendering.manifests, objects).text };
    },
  };
}

/**
 * Adds a residual plan to what the override alone comes to; what both together do not reach is a finding.
 * @param together the result of both
 */
export function withResidual(
  result: ChartResult,
  together: ChartResult,
  objects: readonly ResidualObject[],
): ChartResult {
  const residual: ResidualSummary = {
    objects: objects.length,
    fields: objects.flatMap(({ fields }) => fields).length,
    hooks: objects.filter(({ hook }) => hook !== undefined).length,
    verdict: together.verdict,
  };
  const left = isWhole(residual) ? [] : together.diagnostics.filter(({ severity }) => severity === "error");
  return { ...result, residual, diagnostics: [...result.diagnostics, ...left.map(incompleteOf)] };
}

/** Whether override and residual plan move every image in scope and change nothing else, if anything is rendered. */
export function isWhole({ verdict }: ResidualSummary): boolean {
  return verdict.status === "OK" || verdict.status === "UNVERIFIED";
}

function incompleteOf({ message, where, image }: Diagnostic): Diagnostic {
  return {
    code: "residual-incomplete",
    severity: "error",
    message: `the residual plan does not help: ${message}`,
    where,
    ...(image === undefined ? {} : { image }),
  };
}
