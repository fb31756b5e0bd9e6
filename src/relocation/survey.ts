import { availableParallelism } from "node:os";
import { FairleadError, messageOf } from "../core/error.ts";
import { mapConcurrent } from "../core/pool.ts";
import { forgetRecentYaml } from "../yaml/recent-documents.ts";
import type { ChartResult, SurveyEntry } from "./result.ts";

export interface SurveyInput {
  readonly chartPaths: readonly string[];
  /** Charts worked on at a time; default: {@link defaultJobs}. */
  readonly jobs?: number;
  readonly relocate: (chartPath: string) => Promise<ChartResult>;
  readonly exitCodeOfResult: (result: ChartResult) => number;
  readonly exitCodeOfError: (error: FairleadError) => number;
  /** Called after each chart, in the order in which they end. */
  readonly onProgress?: (entry: SurveyEntry) => void;
}

/** Half the cores, at least 4, at most 16 (document 002, §6.3.1). */
export function defaultJobs(cores: number = availableParallelism()): number {
  return Math.min(16, Math.max(4, Math.floor(cores / 2)));
}

/** Works on many charts at once, each on its own: a chart that fails never stops the others. */
export async function surveyCharts(input: SurveyInput): Promise<SurveyEntry[]> {
  return mapConcurrent(input.chartPaths, input.jobs ?? defaultJobs(), async (chartPath) => {
    const startedMs = performance.now();
    const outcome = await outcomeOf(chartPath, input);
    forgetRecentYaml();
    const entry: SurveyEntry = { ...outcome, durationMs: Math.round(performance.now() - startedMs) };
    input.onProgress?.(entry);
    return entry;
  });
}

type Outcome =
  | Omit<Extract<SurveyEntry, { result: ChartResult }>, "durationMs">
  | Omit<Exclude<SurveyEntry, { result: ChartResult }>, "durationMs">;

async function outcomeOf(chartPath: string, input: SurveyInput): Promise<Outcome> {
  try {
    const result = await input.relocate(chartPath);
    return { result, exitCode: input.exitCodeOfResult(result) };
  } catch (cause) {
    const error =
      cause instanceof FairleadError ? cause : new FairleadError("internal", messageOf(cause), { cause });
    const exitCode = input.exitCodeOfError(error);
    const { code, message, where, hint } = error;
    return {
      failure: {
        chart: { path: chartPath },
        error: { code, message, where, ...(hint === undefined ? {} : { hint }) },
        exitCode,
      },
      exitCode,
    };
  }
}
