import type { SurveyEntry } from "../result.ts";
import { formatHtmlReport } from "./html-report.ts";
import { formatJsonReport } from "./json-report.ts";
import { formatJunitReport } from "./junit-report.ts";
import type { ReportContext } from "./report-context.ts";
import { formatSarifReport } from "./sarif-report.ts";

export type ReportKind = "json" | "junit" | "sarif" | "html";

const kindsByEnding: ReadonlyMap<string, ReportKind> = new Map([
  ["json", "json"],
  ["xml", "junit"],
  ["sarif", "sarif"],
  ["html", "html"],
  ["htm", "html"],
]);

const formats: Readonly<
  Record<ReportKind, (entries: readonly SurveyEntry[], context: ReportContext) => string>
> = {
  json: formatJsonReport,
  junit: formatJunitReport,
  sarif: formatSarifReport,
  html: formatHtmlReport,
};

/** The kind of report a file's name asks for by its ending, in either case; undefined for any other ending. */
export function reportKind(fileName: string): ReportKind | undefined {
  const ending = /\.([a-z]+)$/iu.exec(fileName)?.[1] ?? "";
  return kindsByEnding.get(ending.toLowerCase());
}

/** A report over one chart or many as the text of one file, with a line end after its last line. */
export function formatReport(
  kind: ReportKind,
  entries: readonly SurveyEntry[],
  context: ReportContext,
): string {
  return formats[kind](entries, context);
}
