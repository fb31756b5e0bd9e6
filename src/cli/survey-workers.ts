import path from "node:path";
import { isSea } from "node:sea";
import { createWorkerPool, type WorkerPool } from "../core/worker-pool.ts";
import type { SurveyEntry } from "../relocation/result.ts";
import { failedEntry } from "../relocation/survey.ts";
import type { ChartSurveyOptions } from "./commands/chart-surveyor.ts";
import { exitCodeFor } from "./exit-code.ts";

export interface SurveyWorkers {
  /** Works on a chart in a thread; one that breaks the thread is that chart's failure. */
  survey(chartPath: string): Promise<SurveyEntry>;
  close(): Promise<void>;
}

/** A thread costs a start, which few charts are worth. */
const fewCharts = 2;

/** What one chart may take; templates may include themselves a thousand times, as in Helm. */
const limits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 64, stackSizeMb: 16 };

/** Runs the bundle's file beside this one where both are within a single binary (bin/require-asset.js). */
const assetScript = new URL(
  `data:text/javascript,${encodeURIComponent(`
  const { getAsset } = process.getBuiltinModule("node:sea");
  const exports = {};
  new Function("exports", getAsset("require-asset.js", "utf8"))(exports);
  exports.requireAsset("./survey-worker.cjs");
`)}`,
);

/** Threads for a survey, or undefined where they would gain nothing. */
export function openSurveyWorkers(
  chartPaths: readonly string[],
  options: ChartSurveyOptions,
  { threads, signal }: { readonly threads: number; readonly signal: AbortSignal },
): SurveyWorkers | undefined {
  if (threads < 2 || chartPaths.length <= fewCharts) return undefined;
  const script = isSea()
    ? assetScript
    : new URL(`survey-worker${path.extname(import.meta.url)}`, import.meta.url);
  const pool = createWorkerPool<string, SurveyEntry>({ script, data: { ...options }, limits, signal });
  return { survey: (chartPath) => surveyIn(pool, chartPath), close: async () => pool.close() };
}

async function surveyIn(pool: WorkerPool<string, SurveyEntry>, chartPath: string): Promise<SurveyEntry> {
  const startedMs = performance.now();
  try {
    return await pool.run(chartPath);
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedMs);
    return failedEntry(chartPath, error, { exitCodeOf: exitCodeFor, durationMs });
  }
}
