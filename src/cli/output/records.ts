import type { Diagnostic, Severity } from "../../core/diagnostic.ts";
import type { FairleadError } from "../../core/error.ts";
import { formatRecord, type LogLevel } from "../../core/log.ts";
import { findMisses, findUntoldMisses, type Miss } from "../../relocation/report/finding.ts";
import { type ChartStatus, chartStatus, sumTotals } from "../../relocation/report/totals.ts";
import type { ChartResult, ImageFinding, SurveyEntry } from "../../relocation/result.ts";

/** One thing told under `--log-format json`; the time is added when it is written. */
export interface Told extends Readonly<Record<string, unknown>> {
  readonly level: LogLevel;
  readonly message: string;
}

const levels: Readonly<Record<Severity, LogLevel>> = { error: "error", warning: "warn", info: "info" };

const statusLevels: Readonly<Record<ChartStatus, LogLevel>> = {
  FAILED: "error",
  CRITICAL: "error",
  WARNING: "warn",
  UNVERIFIED: "info",
  OK: "info",
};

/** What a person is told of a chart, as records: findings, images that did not move, and last the verdict. */
export function resultRecords(result: ChartResult, { verbose }: { readonly verbose: boolean }): Told[] {
  return [
    ...(verbose ? result.images : []).map((image) => imageRecord(image)),
    ...result.diagnostics.map((diagnostic) => diagnosticRecord(diagnostic)),
    ...findUntoldMisses(result).map((miss) => missRecord(miss)),
    verdictRecord(result),
  ];
}

/** What a person is told of a survey: each chart that is not in order, and the totals last. */
export function surveyRecords(
  entries: readonly SurveyEntry[],
  { verbose }: { readonly verbose: boolean },
): Told[] {
  const told = entries.filter(({ exitCode }) => exitCode !== 0 || verbose);
  return [
    ...told.flatMap((entry) => entryRecords(entry)),
    { level: "info", message: "totals", ...sumTotals(entries) },
  ];
}

/** A finding as a record. */
export function diagnosticRecord({ severity, code, message, where, hint }: Diagnostic): Told {
  return { level: levels[severity], message, code, ...where, hint };
}

/** An error as a record. */
export function errorRecord({
  code,
  message,
  where,
  hint,
}: Pick<FairleadError, "message" | "where" | "hint"> & { readonly code: string }): Told {
  return { level: "error", message, code, ...where, hint };
}

/** Records as text, one line each. */
export function formatRecords(records: readonly Told[], now: Date = new Date()): string {
  return records.map((record) => `${formatRecord({ time: now.toISOString(), ...record })}\n`).join("");
}

function imageRecord({ source, target, status, values, enabled, atTarget }: ImageFinding): Told {
  return { level: "debug", message: "image", image: source, target, status, values, enabled, atTarget };
}

function entryRecords(entry: SurveyEntry): Told[] {
  if ("failure" in entry) {
    const { chart, error } = entry.failure;
    return [{ ...errorRecord({ ...error, hint: error.hint }), chart: chart.path }];
  }
  const { path } = entry.result.chart;
  return [
    ...findMisses(entry.result).map((miss) => missRecord(miss, path)),
    { ...verdictRecord(entry.result), status: chartStatus(entry), level: statusLevels[chartStatus(entry)] },
  ];
}

function missRecord({ image, reason, hint, places }: Miss, chart?: string): Told {
  return { level: "error", message: "image is not moved", image: image.source, reason, places, hint, chart };
}

function verdictRecord({
  chart,
  targetRegistry,
  verdict,
  projects,
  residual,
  targetCheck,
}: ChartResult): Told {
  return {
    level: statusLevels[verdict.status],
    message: "verdict",
    chart: chart.path,
    name: chart.name,
    version: chart.version,
    targetRegistry,
    projects,
    residual,
    targetCheck,
    ...verdict,
  };
}
