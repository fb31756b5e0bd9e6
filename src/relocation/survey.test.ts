import { describe, expect, test } from "vitest";
import { createResult } from "./report/testdata/survey.ts";
import { FairleadError } from "../core/error.ts";
import type { ChartResult, SurveyEntry } from "./result.ts";
import { defaultJobs, surveyChart, surveyCharts } from "./survey.ts";

test.each([
  [1, 4],
  [2, 4],
  [8, 4],
  [10, 5],
  [32, 16],
  [128, 16],
])("half of %i cores, at least 4, at most 16: %i", (cores, jobs) => {
  expect(defaultJobs(cores)).toBe(jobs);
});

async function survey(
  relocate: (chartPath: string) => Promise<ChartResult>,
  onProgress?: (entry: SurveyEntry) => void,
): Promise<SurveyEntry[]> {
  return surveyCharts({
    chartPaths: ["a", "b", "c"],
    jobs: 2,
    survey: (chartPath) =>
      surveyChart(chartPath, {
        relocate,
        exitCodeOfResult: () => 4,
        exitCodeOfError: ({ code }) => (code === "chart-invalid" ? 3 : 1),
      }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

describe("a survey", () => {
  test("goes on after a chart that fails, and keeps the charts' order", async () => {
    const entries = await survey(async (chartPath) => {
      if (chartPath === "a") {
        throw new FairleadError("chart-invalid", "broken", {
          where: { file: "a/Chart.yaml", line: 2 },
          hint: "mend it",
        });
      }
      if (chartPath === "b") throw new TypeError("a defect");
      return Promise.resolve(createResult([]));
    });
    expect(entries).toMatchObject([
      {
        exitCode: 3,
        failure: {
          chart: { path: "a" },
          error: { code: "chart-invalid", message: "broken", where: { line: 2 }, hint: "mend it" },
        },
      },
      { exitCode: 1, failure: { chart: { path: "b" }, error: { code: "internal", message: "a defect" } } },
      { exitCode: 4, result: {} },
    ]);
  });

  test("tells of each chart when it ends", async () => {
    const ended: SurveyEntry[] = [];
    const entries = await survey(
      () => Promise.resolve(createResult([])),
      (entry) => ended.push(entry),
    );
    expect(new Set(ended)).toEqual(new Set(entries));
  });

  test("works on no more charts at a time than it may", async () => {
    let running = 0;
    let most = 0;
    await survey(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return createResult([]);
    });
    expect(most).toBe(2);
  });
});
