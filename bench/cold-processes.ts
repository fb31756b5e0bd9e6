import type { BenchChart } from "./charts.ts";
import { median, measurePair, type Command, type PairTimes } from "./process-pair.ts";
import { fairlead, templateOf } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

/** Detection, and an override with its proof, take at most this many times as long as `helm template`. */
const bar = 2;
const pairOptions = { warmUps: 2, pairs: 11 };

const commands: Readonly<Record<string, (chart: BenchChart) => Command>> = {
  images: (chart) => fairlead("images", chart.path),
  override: (chart) => fairlead("override", chart.path, "-t", "harbor.example.com:5000", "-s", "*"),
};

/** Whole cold processes beside `helm template` of the same chart, and the median override. */
export function benchColdProcesses(charts: readonly BenchChart[], helm: string): readonly BenchRow[] {
  const measured = charts.flatMap((chart) =>
    Object.entries(commands).map(([command, commandFor]) => ({
      command,
      chart: chart.name,
      times: measurePair(commandFor(chart), templateOf(helm, chart), pairOptions),
    })),
  );
  const overrides = measured.filter(({ command }) => command === "override").map(({ times }) => times);
  return [
    ...measured.map(({ command, chart, times }) => rowOf(`cold ${command}`, chart, times)),
    rowOf("cold override", "the median chart", {
      firstMs: median(overrides.map(({ firstMs }) => firstMs)),
      secondMs: median(overrides.map(({ secondMs }) => secondMs)),
      ratio: median(overrides.map(({ ratio }) => ratio)),
    }),
  ];
}

function rowOf(what: string, chart: string, { firstMs, secondMs, ratio }: PairTimes): BenchRow {
  return {
    what,
    chart,
    fairlead: formatMs(firstMs),
    helm: formatMs(secondMs),
    measured: `${ratio.toFixed(2)} of helm's time`,
    bar: `≤ ${bar.toFixed(2)}`,
    isMet: ratio <= bar,
  };
}
