import { parentPort, workerData } from "node:worker_threads";
import { compareRendering } from "./compare-rendering.ts";
import type { Helm, RenderCase } from "./helm-output.ts";

/** Compares one case after another, as the other thread asks for them. */
const { helm, corpusKey } = workerData as { readonly helm: Helm; readonly corpusKey: string };
parentPort?.on("message", (render: RenderCase) => {
  void compareRendering(helm, render, corpusKey).then((comparison) => parentPort?.postMessage(comparison));
});
