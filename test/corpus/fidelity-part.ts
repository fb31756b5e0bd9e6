import { text } from "node:stream/consumers";
import { compareRendering, type Comparison } from "./compare-rendering.ts";
import type { Helm, RenderCase } from "./helm-output.ts";

/** What a process compares on its own: one on each processor makes all of them sooner. */
export interface FidelityPart {
  readonly helm: Helm;
  readonly corpusKey: string;
  readonly cases: readonly RenderCase[];
}

// Takes its part as JSON on standard input and gives the comparisons as JSON on standard output.
const { helm, corpusKey, cases } = JSON.parse(await text(process.stdin)) as FidelityPart;
const comparisons: Comparison[] = [];
for (const render of cases) comparisons.push(await compareRendering(helm, render, corpusKey));
console.log(JSON.stringify(comparisons));
