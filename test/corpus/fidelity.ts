import { readdir } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { corpusFolder, type Corpus } from "./corpus.ts";
import type { Comparison } from "./compare-rendering.ts";
import type { Helm, RenderCase } from "./helm-output.ts";

/** How the embedded engine does beside one helm. */
export interface FidelityFigures {
  /** Renders that helm makes. */
  readonly renders: number;
  readonly equal: number;
  /** Renders that helm refuses. */
  readonly refusals: number;
  readonly sameMessage: number;
  /** What is not equal, in the order of the cases. */
  readonly exceptions: readonly FidelityException[];
}

export interface FidelityException {
  /** See {@link RenderCase.id}. */
  readonly id: string;
  readonly isRefusal: boolean;
  readonly expected: string;
  readonly actual: string;
}

const workerCount = 2;

/** Every chart of the corpus with its defaults, and with each `ci/*-values.yaml` that it ships. */
export async function listRenderCases(corpus: Corpus): Promise<RenderCase[]> {
  const cases = corpus.charts.map(async ({ id, folder }): Promise<RenderCase[]> => {
    const files = await readdir(path.join(corpusFolder, folder, "ci")).catch((): string[] => []);
    const valuesFiles = files.filter((name) => name.endsWith("-values.yaml")).sort();
    return [
      { id, chartFolder: folder },
      ...valuesFiles.map((name) => ({
        id: `${id} ci/${name}`,
        chartFolder: folder,
        valuesFile: `ci/${name}`,
      })),
    ];
  });
  return (await Promise.all(cases)).flat();
}

/** Renders all cases with helm and with the embedded engine, on two threads, and compares. */
export async function measureFidelity(
  helm: Helm,
  cases: readonly RenderCase[],
  corpusKey: string,
): Promise<FidelityFigures> {
  const comparisons: Comparison[] = [];
  const queue = cases.map((render, index) => ({ render, index }));
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL("fidelity-worker.ts", import.meta.url), {
      workerData: { helm, corpusKey },
    });
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        comparisons[next.index] = await ask(worker, next.render);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workerCount }, work));
  return figuresOf(comparisons);
}

function ask(worker: Worker, render: RenderCase): Promise<Comparison> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (comparison: Comparison) => {
      worker.removeListener("error", reject);
      resolve(comparison);
    });
    worker.postMessage(render);
  });
}

/** Sums up what was compared. */
export function figuresOf(comparisons: readonly Comparison[]): FidelityFigures {
  const refusals = comparisons.filter(({ isRefusal }) => isRefusal);
  const renders = comparisons.filter(({ isRefusal }) => !isRefusal);
  const equal = (list: readonly Comparison[]): number =>
    list.filter(({ difference }) => difference === undefined).length;
  return {
    renders: renders.length,
    equal: equal(renders),
    refusals: refusals.length,
    sameMessage: equal(refusals),
    exceptions: comparisons.flatMap(({ id, isRefusal, difference }) =>
      difference === undefined ? [] : [{ id, isRefusal, ...difference }],
    ),
  };
}
