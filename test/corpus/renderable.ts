import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { messageOf } from "../../src/core/error.ts";
import { mapConcurrent } from "../../src/core/pool.ts";
import { run } from "../../src/core/process.ts";
import { installTool } from "../../tools/install.ts";
import { corpusFolder, writeWhole, type Corpus, type CorpusChart, type Dropped } from "./corpus.ts";

/** The cluster version every render of the corpus is for. */
export const kubeVersion = "1.35.0";

/** The charts that both helms render with default values, and the rest with the reason. */
export interface Renderable {
  readonly key: string;
  readonly charts: readonly CorpusChart[];
  readonly refused: readonly Dropped[];
}

const renderTimeoutMs = 120_000;

/**
 * Renders every chart with Helm 3 and Helm 4 as `helm template` does; kept until the corpus or a helm changes.
 * @throws FairleadError when a helm cannot be built.
 */
export async function selectRenderable(corpus: Corpus): Promise<Renderable> {
  const helms = [await installTool("helm3"), await installTool("helm4")];
  const key = [corpus.key, kubeVersion, ...helms.map((helm) => helm.hash)].join(" ");
  const file = path.join(corpusFolder, "renderable.json");
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) {
    const earlier = JSON.parse(kept) as Renderable;
    if (earlier.key === key) return earlier;
  }
  const refusals = await mapConcurrent(corpus.charts, availableParallelism(), async (chart) => {
    for (const helm of helms) {
      const reason = await tryRender(helm.path, chart);
      if (reason !== undefined) return `${helm.name}: ${reason}`;
    }
    return undefined;
  });
  const renderable: Renderable = {
    key,
    charts: corpus.charts.filter((_, index) => refusals[index] === undefined),
    refused: corpus.charts.flatMap((chart, index) => {
      const reason = refusals[index];
      return reason === undefined ? [] : [{ what: chart.id, reason }];
    }),
  };
  await writeWhole(file, renderable);
  return renderable;
}

/** The reason why helm refuses a chart, or undefined when it renders. */
async function tryRender(helm: string, chart: CorpusChart): Promise<string | undefined> {
  const home = path.join(corpusFolder, "helm-home");
  const args = ["template", "release", path.join(corpusFolder, chart.folder), "--kube-version", kubeVersion];
  try {
    const result = await run(helm, args, {
      env: { PATH: process.env["PATH"], HOME: home, KUBECONFIG: path.join(home, "none") },
      timeoutMs: renderTimeoutMs,
    });
    return result.exitCode === 0 ? undefined : reasonIn(result.stderr);
  } catch (error) {
    return messageOf(error);
  }
}

/** Helm's own line, without the advice and warnings around it. */
function reasonIn(output: string): string {
  const lines = output.trim().split("\n");
  const start = lines.findIndex((line) => line.startsWith("Error:"));
  return lines
    .slice(Math.max(0, start))
    .filter((line) => line.trim() !== "" && !line.startsWith("Use --debug"))
    .join(" ")
    .slice(0, 500);
}
