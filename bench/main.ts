import { spawnSync } from "node:child_process";
import path from "node:path";
import { formatTable, type TableColumn } from "../src/cli/output/table.ts";
import { FairleadError, messageOf } from "../src/core/error.ts";
import { installTool } from "../tools/install.ts";
import { benchCharts, type BenchChart } from "./charts.ts";
import { measurePair, type Command, type PairTimes } from "./process-pair.ts";

/** Detection takes at most this many times as long as `helm template` of the same chart. */
const bar = 2;
const pairOptions = { warmUps: 3, pairs: 21 };
const root: string = path.join(import.meta.dirname, "..");

const columns: readonly TableColumn[] = [
  { title: "chart" },
  { title: "command" },
  { title: "fairlead ms", align: "right" },
  { title: "helm template ms", align: "right" },
  { title: "ratio", align: "right" },
  { title: "bar", align: "right" },
  { title: "" },
];

interface Row {
  readonly chart: string;
  readonly command: string;
  readonly times: PairTimes;
}

const commands: Readonly<Record<string, (chart: BenchChart) => Command>> = {
  images: (chart) => fairlead("images", chart.path),
  override: (chart) => fairlead("override", chart.path, "-t", "harbor.example.com:5000", "-s", "*"),
};

/** Gives 0 where every bar is met, else 1. */
async function main(): Promise<number> {
  build();
  const { path: helm } = await installTool("helm3");
  const charts = await benchCharts((reason) =>
    console.error(`left out: the charts of the corpus: ${reason}`),
  );
  const rows = charts.flatMap((chart) =>
    Object.entries(commands).map(([command, commandFor]): Row => {
      const template = { program: helm, args: ["template", chart.path, "--kube-version", "1.35.0"] };
      return { chart: chart.name, command, times: measurePair(commandFor(chart), template, pairOptions) };
    }),
  );
  console.log(
    `Whole cold processes on Node ${process.versions.node}, medians of ${pairOptions.pairs} interleaved pairs.\n`,
  );
  console.log(tableOf(rows));
  return rows.every(isMet) ? 0 : 1;
}

function fairlead(...args: readonly string[]): Command {
  return { program: process.execPath, args: [path.join(root, "bin/fairlead.js"), ...args] };
}

function build(): void {
  const script = path.join(root, "scripts/build.ts");
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new FairleadError("tool-failed", "the commands could not be built");
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.chart,
    row.command,
    row.times.firstMs.toFixed(0),
    row.times.secondMs.toFixed(0),
    row.times.ratio.toFixed(2),
    `≤ ${bar.toFixed(2)}`,
    isMet(row) ? "met" : "missed",
  ]);
  return formatTable(columns, cells, { width: undefined });
}

function isMet({ times }: Row): boolean {
  return times.ratio <= bar;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
