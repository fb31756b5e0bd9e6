import type { Diagnostic } from "../core/diagnostic.ts";
import { messageOf, FairleadError } from "../core/error.ts";
import type { LogFormat } from "../core/log.ts";
import type { ChartResult, SurveyEntry } from "../relocation/result.ts";
import type { ExitCode } from "./exit-code.ts";
import type { CliIo } from "./io.ts";
import { isTold, isVerbose, type LogOptions } from "./options/log-options.ts";
import {
  diagnosticRecord,
  errorRecord,
  formatRecords,
  resultRecords,
  surveyRecords,
} from "./output/records.ts";
import { refusalOf } from "./output/refusal.ts";
import { describeSurvey } from "./output/survey-text.ts";
import { describeDiagnostic, describeError, describeResult, toText } from "./output/verdict-text.ts";

/** Tells on standard error what came of a run: as text, or one JSON object a line. */
export interface Teller {
  result(result: ChartResult): void;
  /** Why a run that ends with this code writes no override, and what would; nothing for 0. */
  refusal(result: ChartResult, exitCode: ExitCode): void;
  survey(entries: readonly SurveyEntry[]): void;
  /** Those that need attention; all of them where the user wants detail. */
  findings(findings: readonly Diagnostic[]): void;
}

/** The teller that a command's flags ask for. */
export function tellerFor(options: LogOptions, io: CliIo): Teller {
  const verbose = isVerbose(options);
  const attention = (findings: readonly Diagnostic[]): readonly Diagnostic[] =>
    findings.filter(({ severity }) => isTold(severity, options));
  const filtered = (result: ChartResult): ChartResult => ({
    ...result,
    diagnostics: attention(result.diagnostics),
  });
  if (options.logFormat === "json") {
    return {
      result: (result) => io.stderr(formatRecords(resultRecords(filtered(result), { verbose }))),
      refusal: (result, exitCode) => {
        const refusal = refusalOf(result, exitCode);
        if (refusal !== undefined) io.stderr(formatRecords([{ level: "error", ...refusal }]));
      },
      survey: (entries) => io.stderr(formatRecords(surveyRecords(entries, { verbose }))),
      findings: (findings) => io.stderr(formatRecords(attention(findings).map(diagnosticRecord))),
    };
  }
  const { colours } = io.stderrTerminal;
  return {
    result: (result) => io.stderr(toText(describeResult(filtered(result), { colours, verbose }))),
    refusal: (result, exitCode) => {
      const refusal = refusalOf(result, exitCode);
      if (refusal !== undefined) io.stderr(toText(describeError({ ...refusal, where: {} }, colours)));
    },
    survey: (entries) => io.stderr(toText(describeSurvey(entries, { colours, verbose }))),
    findings: (findings) =>
      io.stderr(toText(attention(findings).flatMap((finding) => describeDiagnostic(finding, colours)))),
  };
}

/** Tells the error that ended a run; anything but a FairleadError is a mistake of ours. */
export function tellError(error: unknown, format: LogFormat, io: CliIo): void {
  const told = error instanceof FairleadError ? error : new FairleadError("internal", messageOf(error));
  io.stderr(
    format === "json"
      ? formatRecords([errorRecord(told)])
      : toText(describeError(told, io.stderrTerminal.colours)),
  );
}
