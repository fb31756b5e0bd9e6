import type { SurveyEntry } from "../result.ts";
import { formatJson } from "./json-text.ts";
import type { ReportContext } from "./report-context.ts";
import { sumTotals } from "./totals.ts";

/**
 * The JSON report: an envelope with the totals, and under `charts` each chart's whole result, or its
 * `error` where it could not be worked on. `schemaVersion` rises when a reader would have to change.
 */
export function formatJsonReport(entries: readonly SurveyEntry[], context: ReportContext): string {
  return formatJson({
    tool: "fairlead",
    toolVersion: context.toolVersion,
    schemaVersion: 1,
    generatedAt: context.generatedAt?.toISOString(),
    totals: sumTotals(entries),
    charts: entries.map((entry) => ({
      ...("failure" in entry ? { chart: entry.failure.chart, error: entry.failure.error } : entry.result),
      exitCode: entry.exitCode,
      durationMs: entry.durationMs,
    })),
  });
}
