import { parentPort, workerData } from "node:worker_threads";
import { type ChartSurveyOptions, createChartSurveyor } from "./commands/chart-surveyor.ts";

// A thread of a survey: it reads what the flags say once, and works on one chart after another.
const signal = new AbortController().signal;
const surveyor = createChartSurveyor(workerData as ChartSurveyOptions, {
  helm: undefined,
  env: process.env,
  signal,
});
parentPort?.on("message", (chartPath: string) => {
  void surveyor.then(async (survey) => parentPort?.postMessage(await survey(chartPath), []));
});
