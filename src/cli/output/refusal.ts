import type { ChartResult } from "../../relocation/result.ts";
import { isWhole } from "../../relocation/residual/prove-residual.ts";
import { formatPercent } from "../../relocation/report/totals.ts";
import type { ExitCode } from "../exit-code.ts";

/** Why no override is written, and what would change that. */
export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** What a user has to know of a run whose exit code keeps the override from being written; undefined for 0. */
export function refusalOf(
  { verdict, residual, diagnostics }: ChartResult,
  exitCode: ExitCode,
): Refusal | undefined {
  if (exitCode === 0) return undefined;
  if (exitCode === 5) {
    return {
      message: "no override is written: --strict refuses the structures named above",
      hint: "without --strict they are warnings; --dry-run prints the override all the same",
    };
  }
  if (residual !== undefined && !isWhole(residual)) {
    return {
      message: `no override is written: with the residual plan too, ${formatPercent(residual.verdict.rate)} of the images move`,
      hint: "--dry-run prints it all the same",
    };
  }
  if (residual === undefined && verdict.rate < verdict.threshold) {
    const accepted = Math.floor(verdict.rate * 10) / 10;
    return {
      message: `no override is written: ${formatPercent(verdict.rate)} of the images moved, and the threshold is ${verdict.threshold}%`,
      hint: `--threshold ${accepted} accepts it; --dry-run prints the override all the same`,
    };
  }
  if (diagnostics.some(({ code }) => code === "image-missing")) {
    return {
      message: "no override is written: the target does not have all the images",
      hint: "copy them first: --image-list names them where --check-target is left out",
    };
  }
  return {
    message: "no override is written: it does more, or less, than move the images",
    hint: "--dry-run prints it all the same",
  };
}
