import path from "node:path";
import { FairleadError } from "../src/core/error.ts";
import { mapConcurrent } from "../src/core/pool.ts";
import { run } from "../src/core/process.ts";
import { corpusFolder, prepareCorpus } from "../test/corpus/corpus.ts";
import { kubeVersion, selectRenderable } from "../test/corpus/renderable.ts";
import { timesOf } from "./process-pair.ts";
import { fairlead, templateOf } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

const workers = 2;
const rounds = 3;
const maxExploringRatio = 5;
const maxMebibytes = 1536;
const timeoutMs = 15 * 60_000;

/** Tells how much memory the process has taken at most, in KiB, when it ends. */
const tellMemory = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`\\npeak ${process.resourceUsage().maxRSS}\\n`));',
)}`;

/** The survey of the whole corpus as it is, proofs included, beside rendering each chart of it once with helm; exploring it once. */
export async function benchWholeCorpus(helm: string): Promise<BenchRow[]> {
  const { charts } = await selectRenderable(await prepareCorpus(() => undefined));
  const folders = charts.map(({ folder }) => path.join(corpusFolder, folder));
  const times: [number, number][] = [];
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const survey = await surveyOf(folders, { explores: false });
    peaks.push(survey.mebibytes);
    times.push([survey.ms, await templatesMs(helm, folders)]);
  }
  const { firstMs, secondMs, ratio } = timesOf(times);
  const exploring = await surveyOf(folders, { explores: true });
  const exploringRatio = exploring.ms / secondMs;
  const chart = `all ${charts.length}, ${workers} workers`;
  const peak = Math.max(...peaks, exploring.mebibytes);
  return [
    {
      what: "survey --no-explore",
      chart,
      fairlead: formatMs(firstMs),
      helm: formatMs(secondMs),
      measured: `${ratio.toFixed(2)} of helm's time`,
      bar: "≤ 1.00",
      isMet: ratio <= 1,
    },
    {
      what: "survey, exploring",
      chart,
      fairlead: formatMs(exploring.ms),
      helm: formatMs(secondMs),
      measured: `${exploringRatio.toFixed(2)} of helm's time`,
      bar: `≤ ${maxExploringRatio.toFixed(2)}`,
      isMet: exploringRatio <= maxExploringRatio,
    },
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
