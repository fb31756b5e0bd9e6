import { spawnSync } from "node:child_process";
import path from "node:path";
import { FairleadError, messageOf } from "../src/core/error.ts";
import { installTool } from "../tools/install.ts";
import { benchCharts } from "./charts.ts";
import { benchColdProcesses } from "./cold-processes.ts";
import { benchControllers } from "./controllers.ts";
import { benchGateway } from "./gateway.ts";
import { benchLargeCharts } from "./large-chart.ts";
import { benchNotify } from "./notify.ts";
import { benchPolicies } from "./policy.ts";
import { tableOf, type BenchRow } from "./row.ts";
import { benchSetters } from "./setters.ts";
import { benchTags } from "./tags.ts";
import { benchWarmRenders } from "./warm-render.ts";
import { benchWholeCorpus } from "./whole-corpus.ts";

const root: string = path.join(import.meta.dirname, "..");

/** Measures the parts that are named, or all; gives 0 where every bar is met, else 1. */
async function main(names: readonly string[]): Promise<number> {
  build();
  const { path: helm } = await installTool("helm3");
  const charts = await benchCharts((reason) =>
    console.error(`left out: the charts of the corpus: ${reason}`),
  );
  const parts: Readonly<Record<string, () => Promise<readonly BenchRow[]> | readonly BenchRow[]>> = {
    cold: () => benchColdProcesses(charts, helm),
    warm: () => benchWarmRenders(charts, helm),
    large: benchLargeCharts,
    controllers: benchControllers,
    gateway: benchGateway,
    notify: benchNotify,
    policy: benchPolicies,
    setters: benchSetters,
    tags: benchTags,
    // Without the corpus there is only the project's own example.
    ...(charts.length > 1 ? { corpus: () => benchWholeCorpus(helm) } : {}),
  };
  const rows: BenchRow[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length === 0 || names.includes(name)) rows.push(...(await measure()));
  }
  console.log(`Node ${process.versions.node}; wall times, medians of interleaved pairs.\n`);
  console.log(tableOf(rows));
  return rows.every(({ isMet }) => isMet) ? 0 : 1;
}

function build(): void {
  const script = path.join(root, "scripts/build.ts");
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new FairleadError("tool-failed", "the commands could not be built");
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
