import { availableParallelism } from "node:os";
import { FairleadError, messageOf } from "../core/error.ts";
import { mapConcurrent } from "../core/pool.ts";
import { forgetRecentYaml } from "../yaml/recent-documents.ts";
import type { ChartResult, SurveyEntry } from "./result.ts";

export interface SurveyInput {
  readonly chartPaths: readonly string[];
  /** Charts worked on at a time; default: {@link defaultJobs}. */
  readonly jobs?: number;
  /** Works on one chart, such as {@link surveyChart}; it does not throw. */
  readonly survey: (chartPath: string) => Promise<SurveyEntry>;
  /** Called after each chart, in the order in which they end. */
  readonly onProgress?: (entry: SurveyEntry) => void;
}

/** How one chart is worked on. */
export interface ChartSurvey {
  readonly relocate: (chartPath: string) => Promise<ChartResult>;
  readonly exitCodeOfResult: (result: ChartResult) => number;
  readonly exitCodeOfError: (error: FairleadError) => number;
}

/** Half the cores, at least 4, at most 16 (document 002, §6.3.1). */
export function defaultJobs(cores: number = availableParallelism()): number {
  return Math.min(16, Math.max(4, Math.floor(cores / 2)));
}

/** Works on many charts at once, each on its own: a chart that fails never stops the others. */
export async function surveyCharts(input: SurveyInput): Promise<SurveyEntry[]> {
  return mapConcurrent(input.chartPaths, input.jobs ?? defaultJobs(), async (chartPath) => {
    const entry = await input.survey(chartPath);
    input.onProgress?.(entry);
    return entry;
  });
}

/** Works on one chart of a survey; what is thrown is its failure. */
export async function surveyChart(chartPath: string, survey: ChartSurvey): Promise<SurveyEntry> {
  const startedMs = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const result = await survey.relocate(chartPath);
    return { result, exitCode: survey.exitCodeOfResult(result), durationMs: durationMs() };
  } catch (error) {
    return failedEntry(chartPath, error, { exitCodeOf: survey.exitCodeOfError, durationMs: durationMs() });
  } finally {
    forgetRecentYaml();
  }
}

/** The entry of a chart that could not be worked on. */
export function failedEntry(
  chartPath: string,
  cause: unknown,
  about: { readonly exitCodeOf: ChartSurvey["exitCodeOfError"]; readonly durationMs: number },
): SurveyEntry {
  const error =
    cause instanceof FairleadError ? cause : new FairleadError("internal", messageOf(cause), { cause });
  const { code, message, where, hint } = error;
  const exitCode = about.exitCodeOf(error);
  const told = { code, message, where, ...(hint === undefined ? {} : { hint }) };
  return {
    failure: { chart: { path: chartPath }, error: told, exitCode },
    exitCode,
    durationMs: about.durationMs,
  };
}
