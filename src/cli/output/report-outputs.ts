import { FairleadError } from "../../core/error.ts";
import { reportKind } from "../../relocation/report/report-kind.ts";
import type { SurveyEntry } from "../../relocation/result.ts";
import { version } from "../version.ts";
import type { Output } from "./write-output.ts";

/**
 * The reports that the user asked for, each of the kind that its file's ending names.
 * @throws FairleadError `input-invalid` for an ending that names none.
 */
export async function reportOutputs(
  files: readonly string[],
  entries: readonly SurveyEntry[],
): Promise<Output[]> {
  checkReportNames(files);
  if (files.length === 0) return [];
  // Few runs write a report, and the formats would cost every run its start-up.
  const { formatReport } = await import("../../relocation/report/report.ts");
  return files.flatMap((path) => {
    const kind = reportKind(path);
    if (kind === undefined) return [];
    return [
      { path, kind, text: formatReport(kind, entries, { toolVersion: version, generatedAt: undefined }) },
    ];
  });
}

/**
 * Refuses a report whose kind its name does not tell, before any work is done.
 * @throws FairleadError `input-invalid`.
 */
export function checkReportNames(files: readonly string[]): void {
  const unknown = files.find((file) => reportKind(file) === undefined);
  if (unknown === undefined) return;
  throw new FairleadError("input-invalid", `the ending of the report ${unknown} names no kind of report`, {
    hint: "end it in .json, .xml (JUnit), .sarif or .html",
  });
}
