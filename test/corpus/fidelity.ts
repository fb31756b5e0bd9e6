import { readdir } from "node:fs/promises";
import path from "node:path";
import { FairleadError } from "../../src/core/error.ts";
import { run } from "../../src/core/process.ts";
import type { Comparison } from "./compare-rendering.ts";
import { corpusFolder, type Corpus } from "./corpus.ts";
import type { FidelityPart } from "./fidelity-part.ts";
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

const processes = 2;
const partTimeoutMs = 60 * 60_000;

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

/** Renders all cases with helm and with the embedded engine, in two processes, and compares. */
export async function measureFidelity(
  helm: Helm,
  cases: readonly RenderCase[],
  corpusKey: string,
): Promise<FidelityFigures> {
  const comparisons: Comparison[] = [];
  const work = async (part: number): Promise<void> => {
    const indexes = cases.map((_, index) => index).filter((index) => index % processes === part);
    const own = indexes.flatMap((index) => cases[index] ?? []);
    const found = await comparePart({ helm, corpusKey, cases: own });
    for (const [position, comparison] of found.entries()) comparisons[indexes[position] ?? -1] = comparison;
  };
  await Promise.all(Array.from({ length: processes }, (_, part) => work(part)));
  return figuresOf(comparisons);
}

async function comparePart(part: FidelityPart): Promise<readonly Comparison[]> {
  const script = path.join(import.meta.dirname, "fidelity-part.ts");
  const { exitCode, stdout, stderr } = await run(process.execPath, [script], {
    stdin: JSON.stringify(part),
    timeoutMs: partTimeoutMs,
  });
  if (exitCode !== 0) throw new FairleadError("tool-failed", `the comparison with helm failed: ${stderr}`);
  return JSON.parse(stdout) as readonly Comparison[];
}

/** Sums up what was compared. */
function figuresOf(comparisons: readonly Comparison[]): FidelityFigures {
  const refusals = comparisons.filter(({ isRefusal }) => isRefusal);
  const renders = comparisons.filter(({ isRefusal }) => !isRefusal);
  return {
    renders: renders.length,
    equal: countEqual(renders),
    refusals: refusals.length,
    sameMessage: countEqual(refusals),
    exceptions: comparisons.flatMap(({ id, isRefusal, difference }) =>
      difference === undefined ? [] : [{ id, isRefusal, ...difference }],
    ),
  };
}

function countEqual(comparisons: readonly Comparison[]): number {
  return comparisons.filter(({ difference }) => difference === undefined).length;
}
