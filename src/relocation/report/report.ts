import type { SurveyEntry } from "../result.ts";
import { formatHtmlReport } from "./html-report.ts";
import { formatJsonReport } from "./json-report.ts";
import { formatJunitReport } from "./junit-report.ts";
import type { ReportContext } from "./report-context.ts";
import type { ReportKind } from "./report-kind.ts";
import { formatSarifReport } from "./sarif-report.ts";

const formats: Readonly<
  Record<ReportKind, (entries: readonly SurveyEntry[], context: ReportContext) => string>
> = {
  json: formatJsonReport,
  junit: formatJunitReport,
  sarif: formatSarifReport,
  html: formatHtmlReport,
};

/** A report over one chart or many as the text of one file, with a line end after its last line. */
export function formatReport(
  kind: ReportKind,
  entries: readonly SurveyEntry[],
  context: ReportContext,
): string {
  return formats[kind](entries, context);
}
