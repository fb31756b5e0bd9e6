import path from "node:path";
import { expect, test } from "vitest";
import type { SurveyEntry } from "../relocation/result.ts";
import { type ChartSurveyOptions, createChartSurveyor } from "./commands/chart-surveyor.ts";
import { openSurveyWorkers } from "./survey-workers.ts";

const shop = path.join(import.meta.dirname, "../../examples/shop");
const charts = [shop, path.join(shop, "charts/none"), shop, shop];
const { signal } = new AbortController();
const options: ChartSurveyOptions = {
  values: [],
  set: ["search.enabled=true"],
  setString: [],
  setFile: [],
  maxChartBytes: 1024 * 1024,
  caFile: [],
  timeout: 60_000,
  targetRegistry: "harbor.example.com:5000",
  sourceRegistries: ["*"],
  excludeRegistries: [],
  explore: true,
  exploreLimit: 10,
};

function withoutTime(entry: SurveyEntry | undefined): unknown {
  return { ...entry, durationMs: 0 };
}

test("a chart comes to the same in a thread", async () => {
  const survey = await createChartSurveyor(options, { helm: undefined, env: {}, signal });
  const workers = openSurveyWorkers(charts, options, { threads: 2, signal });
  const inThreads = await Promise.all(charts.map(async (chart) => workers?.survey(chart)));
  await workers?.close();
  for (const [index, chart] of charts.entries()) {
    const here = await survey(chart);
    expect(withoutTime(inThreads[index])).toEqual(withoutTime(here));
    expect("failure" in here).toBe(chart !== shop);
  }
});

test.each([
  ["two charts", ["a", "b"], 2],
  ["one thread", ["a", "b", "c"], 1],
])("%s need no worker", (_name, paths, threads) => {
  expect(openSurveyWorkers(paths, options, { threads, signal })).toBeUndefined();
});
