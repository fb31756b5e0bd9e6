import path from "node:path";
import { FairleadError } from "../src/core/error.ts";
import { mapConcurrent } from "../src/core/pool.ts";
import { run } from "../src/core/process.ts";
import { corpusFolder, prepareCorpus } from "../test/corpus/corpus.ts";
import { kubeVersion, selectRenderable } from "../test/corpus/renderable.ts";
import { fairlead, templateOf } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

const workers = 2;
const maxExploringRatio = 5;
const maxMebibytes = 1536;
const timeoutMs = 15 * 60_000;

/** Tells how much memory the process has taken at most, in KiB, when it ends. */
const tellMemory = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`\\npeak ${process.resourceUsage().maxRSS}\\n`));',
)}`;

/** The survey of the whole corpus as it is, proofs included, beside rendering each chart of it once with helm; and again with exploring. */
export async function benchWholeCorpus(helm: string): Promise<BenchRow[]> {
  const { charts } = await selectRenderable(await prepareCorpus(() => undefined));
  const folders = charts.map(({ folder }) => path.join(corpusFolder, folder));
  const plain = await surveyOf(folders, { explores: false });
  const helmMs = await templatesMs(helm, folders);
  const exploring = await surveyOf(folders, { explores: true });
  const chart = `all ${charts.length}, ${workers} workers`;
  const peak = Math.max(plain.mebibytes, exploring.mebibytes);
  return [
    surveyRow("survey --no-explore", chart, { ms: plain.ms, helmMs, maxRatio: 1 }),
    surveyRow("survey, exploring", chart, { ms: exploring.ms, helmMs, maxRatio: maxExploringRatio }),
    {
      what: "memory of the survey",
      chart,
      fairlead: `${peak.toFixed(0)} MiB`,
      measured: `${peak.toFixed(0)} MiB`,
      bar: `≤ ${maxMebibytes} MiB`,
      isMet: peak <= maxMebibytes,
    },
  ];
}

interface SurveyTimes {
  readonly ms: number;
  readonly helmMs: number;
  readonly maxRatio: number;
}

function surveyRow(what: string, chart: string, { ms, helmMs, maxRatio }: SurveyTimes): BenchRow {
  const ratio = ms / helmMs;
  return {
    what,
    chart,
    fairlead: formatMs(ms),
    helm: formatMs(helmMs),
    measured: `${ratio.toFixed(2)} of helm's time`,
    bar: `≤ ${maxRatio.toFixed(2)}`,
    isMet: ratio <= maxRatio,
  };
}

async function surveyOf(
  folders: readonly string[],
  { explores }: { readonly explores: boolean },
): Promise<{ ms: number; mebibytes: number }> {
  const flags = ["-t", "harbor.example.com:5000", "-s", "*", "--kube-version", kubeVersion];
  const { program, args } = fairlead(
    "survey",
    ...folders,
    ...flags,
    ...(explores ? [] : ["--no-explore"]),
    "--jobs",
    String(workers),
  );
  const startMs = performance.now();
  const { exitCode, stderr } = await run(program, ["--import", tellMemory, ...args], { timeoutMs });
  const ms = performance.now() - startMs;
  // Some charts hold names in their templates, which costs them the threshold.
  if (exitCode !== 0 && exitCode !== 4)
    throw new FairleadError("tool-failed", `the survey failed: ${stderr}`);
  const peaks = [...stderr.matchAll(/^peak (?<kibibytes>\d+)$/gmu)];
  return { ms, mebibytes: Math.max(...peaks.map(({ groups }) => Number(groups?.["kibibytes"]))) / 1024 };
}

async function templatesMs(helm: string, folders: readonly string[]): Promise<number> {
  const startMs = performance.now();
  await mapConcurrent(folders, workers, async (folder) => {
    const { program, args } = templateOf(helm, { path: folder });
    const { exitCode, stderr } = await run(program, args, { timeoutMs });
    if (exitCode !== 0) throw new FairleadError("tool-failed", `helm template failed: ${stderr}`);
  });
  return performance.now() - startMs;
}
