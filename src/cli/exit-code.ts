import type { Diagnostic, DiagnosticCode } from "../core/diagnostic.ts";
import type { ErrorCode, FairleadError } from "../core/error.ts";
import { isWhole } from "../relocation/residual/prove-residual.ts";
import type { ChartResult } from "../relocation/result.ts";

/** The exit codes of document 002 §6.1.2; 0 is success. */
export type FailureExitCode = 1 | 2 | 3 | 4 | 5;
export type ExitCode = 0 | FailureExitCode;

const errorExitCodes: Readonly<Record<ErrorCode, FailureExitCode>> = {
  internal: 1,
  aborted: 1,
  timeout: 1,
  "tool-missing": 1,
  "tool-failed": 1,
  "render-failed": 1,
  "input-invalid": 2,
  "input-unreadable": 2,
  "config-invalid": 2,
  "output-refused": 2,
  "target-invalid": 2,
  "value-path-invalid": 2,
  "chart-invalid": 3,
  "chart-unreadable": 3,
  "dependency-missing": 3,
  "values-invalid": 3,
  // What fairlead caps is the size and depth of charts and their values.
  "limit-exceeded": 3,
  "reference-invalid": 4,
  "digest-invalid": 4,
  "target-collision": 4,
  "residual-drift": 4,
  "registry-unreachable": 1,
  "registry-failed": 1,
  "registry-unauthorized": 1,
  "image-not-found": 1,
  "credentials-invalid": 2,
  "object-invalid": 2,
  "object-missing": 2,
  "object-conflict": 1,
  "version-expired": 1,
  "access-denied": 2,
  "policy-invalid": 2,
  "policy-unresolved": 1,
  "git-failed": 1,
  "git-rejected": 1,
  "state-invalid": 1,
  "event-invalid": 2,
  "delivery-failed": 1,
  "address-refused": 1,
  "image-spec-invalid": 2,
  "upstream-unreachable": 1,
  "upstream-failed": 1,
  "image-format-unsupported": 2,
  "runtime-unreachable": 1,
  "runtime-failed": 1,
  "image-in-use": 1,
  "aci-invalid": 4,
  "aci-not-found": 1,
  "signature-invalid": 4,
};

/** The exit code a run ends with when this error stops it. */
export function exitCodeFor(error: FairleadError): FailureExitCode {
  return errorExitCodes[error.code];
}

/** Findings that the rate accounts for already, so that `--threshold` may forgive them. */
const countedInRate: ReadonlySet<DiagnosticCode> = new Set([
  "image-not-moved",
  "reference-unparsable",
  "target-rule-broken",
]);

/**
 * The exit code for a chart that was worked on: 5 for an unsupported structure under `strict`; 4 for a rate
 * below the threshold, a chart that does not render with the override, or an error that no rate shows. Where a
 * residual plan was asked for, the rate is that of both together, and the threshold all.
 */
export function exitCodeOf(result: ChartResult, options: { readonly strict: boolean }): ExitCode {
  const { verdict, diagnostics, residual } = result;
  if (options.strict && diagnostics.some((diagnostic) => diagnostic.unsupported === true)) return 5;
  if (residual !== undefined && isWhole(residual)) {
    return diagnostics.some((found) => isBroken(found) && found.code !== "image-misplaced") ? 4 : 0;
  }
  const broken = residual !== undefined || diagnostics.some(isBroken);
  return verdict.rate < verdict.threshold || verdict.chartInstall === "failed" || broken ? 4 : 0;
}

function isBroken({ severity, code }: Diagnostic): boolean {
  return severity === "error" && !countedInRate.has(code);
}

const precedence: readonly number[] = [2, 3, 5, 4, 1];

/** The one code for many charts: the first of 2, 3, 5, 4, 1 that any of them ended with, else 0. */
export function worstExitCode(codes: readonly number[]): ExitCode {
  const worst = precedence.find((code) => codes.includes(code));
  if (worst !== undefined) return worst as ExitCode;
  return codes.every((code) => code === 0) ? 0 : 1;
}
