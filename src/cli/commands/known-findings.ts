import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { relocateChart, type RelocatedChart } from "../../relocation/relocate-chart.ts";
import type { RelocateChartInput } from "../../relocation/relocate-chart-input.ts";
import type { ChartResult } from "../../relocation/result.ts";
import { exitCodeFor, exitCodeOf } from "../exit-code.ts";

/**
 * Does work that renders a chart. Where rendering fails, what is known without it goes first in the precedence
 * 2, 3, 5, 4, 1: then the result is that of the values alone, and the failure one of its findings.
 * @throws what the work throws, where nothing goes before it.
 */
export async function orKnownFindings<Result extends { readonly result: ChartResult }>(
  work: () => Promise<Result>,
  input: RelocateChartInput,
  options: { readonly strict: boolean },
): Promise<Result | RelocatedChart> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code === "aborted" || exitCodeFor(error) !== 1)
      throw error;
    const known = await relocateChart({ ...input, renderer: undefined });
    if (exitCodeOf(known.result, options) === 0) throw error;
    const diagnostics = [...known.result.diagnostics, failureOf(error)];
    return { ...known, result: { ...known.result, diagnostics } };
  }
}

function failureOf({ message, where, hint }: FairleadError): Diagnostic {
  return {
    code: "render-failed",
    severity: "error",
    message,
    where,
    ...(hint === undefined ? {} : { hint }),
  };
}
