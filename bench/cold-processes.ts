import type { BenchChart } from "./charts.ts";
import { median, measurePair, type Command, type PairTimes } from "./process-pair.ts";
import { fairlead, templateOf } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

const pairOptions = { warmUps: 2, pairs: 11 };

interface Kind {
  readonly name: string;
  readonly commandFor: (chart: BenchChart) => Command;
  /** At most this many times as long as `helm template`. */
  readonly bar: number;
}

const override = (chart: BenchChart, ...flags: readonly string[]): Command =>
  fairlead("override", chart.path, "-t", "harbor.example.com:5000", "-s", "*", ...flags);

const kinds: readonly Kind[] = [
  { name: "images", commandFor: (chart) => fairlead("images", chart.path), bar: 2 },
  { name: "override", commandFor: (chart) => override(chart, "--no-explore"), bar: 2 },
  // Exploring may cost five times as much.
  { name: "override, exploring", commandFor: (chart) => override(chart), bar: 10 },
];

/** Whole cold processes beside `helm template` of the same chart, and the median chart of each command. */
export function benchColdProcesses(charts: readonly BenchChart[], helm: string): readonly BenchRow[] {
  return kinds.flatMap((kind) => {
    const rows = charts.map((chart) => ({
      chart: chart.name,
      times: measurePair(kind.commandFor(chart), templateOf(helm, chart), pairOptions),
    }));
    rows.push({ chart: "the median chart", times: medianTimes(rows.map(({ times }) => times)) });
    return rows.map(({ chart, times }) => rowOf(kind, chart, times));
  });
}

function medianTimes(times: readonly PairTimes[]): PairTimes {
  return {
    firstMs: median(times.map(({ firstMs }) => firstMs)),
    secondMs: median(times.map(({ secondMs }) => secondMs)),
    ratio: median(times.map(({ ratio }) => ratio)),
  };
}

function rowOf({ name, bar }: Kind, chart: string, { firstMs, secondMs, ratio }: PairTimes): BenchRow {
  return {
    what: `cold ${name}`,
    chart,
    fairlead: formatMs(firstMs),
    helm: formatMs(secondMs),
    measured: `${ratio.toFixed(2)} of helm's time`,
    bar: `≤ ${bar.toFixed(2)}`,
    isMet: ratio <= bar,
  };
}
