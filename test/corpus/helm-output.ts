import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { HelmVersion } from "../../src/helm/chart/chart.ts";
import { run } from "../../src/core/process.ts";
import { corpusFolder } from "./corpus.ts";
import { kubeVersion } from "./renderable.ts";

/** A chart with one set of values. */
export interface RenderCase {
  /** The chart's id and, where there is one, the values file in the chart: what exceptions name. */
  readonly id: string;
  /** Below {@link corpusFolder}. */
  readonly chartFolder: string;
  /** A file of the chart for `-f`. */
  readonly valuesFile?: string;
}

/** A real helm. */
export interface Helm {
  readonly version: HelmVersion;
  readonly path: string;
  /** Changes whenever the program does. */
  readonly hash: string;
}

/** What helm printed, and when; or the message with which it refused the chart. */
export type HelmOutput =
  | { readonly ok: true; readonly text: string; readonly startedAtMs: number }
  | { readonly ok: false; readonly message: string };

const renderTimeoutMs = 120_000;

/**
 * Renders as `helm template` does; what came out is kept until the corpus or the helm changes.
 * @param corpusKey see {@link Corpus.key}
 * @param count counts the runs: each prints its own random words
 */
export async function renderWithHelm(
  helm: Helm,
  render: RenderCase,
  corpusKey: string,
  count: 1 | 2,
): Promise<HelmOutput> {
  const identity = [corpusKey, helm.hash, kubeVersion, render.chartFolder, render.valuesFile ?? null, count];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
  const file = path.join(corpusFolder, "fidelity", `${hash}.json.gz`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined) return JSON.parse((await promisify(gunzip)(kept)).toString("utf8")) as HelmOutput;
  // What tells the time differs from run to run too.
  if (count === 2) await setTimeout(1100);
  const output = await runHelm(helm.path, render);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, await promisify(gzip)(JSON.stringify(output)));
  await rename(`${file}.${process.pid}`, file);
  return output;
}

async function runHelm(program: string, { chartFolder, valuesFile }: RenderCase): Promise<HelmOutput> {
  const home = path.join(corpusFolder, "helm-home");
  const folder = path.join(corpusFolder, chartFolder);
  const values = valuesFile === undefined ? [] : ["-f", path.join(folder, valuesFile)];
  const startedAtMs = Date.now();
  const args = ["template", "release", folder, "--kube-version", kubeVersion, ...values];
  const { exitCode, stdout, stderr } = await run(program, args, {
    env: { PATH: process.env["PATH"], HOME: home, KUBECONFIG: path.join(home, "none"), TZ: "UTC" },
    timeoutMs: renderTimeoutMs,
  });
  return exitCode === 0 ? { ok: true, text: stdout, startedAtMs } : { ok: false, message: refusalIn(stderr) };
}

/** The message of helm's own error, without what it logged before and the advice after it. */
function refusalIn(stderr: string): string {
  const start = /^Error: /mu.exec(stderr);
  const message = start === null ? stderr : stderr.slice(start.index + start[0].length);
  return message.replace(/\n\nUse --debug flag to render out invalid YAML\s*$/u, "").trimEnd();
}
