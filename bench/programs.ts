import path from "node:path";
import { kubeVersion } from "../test/corpus/renderable.ts";
import type { BenchChart } from "./charts.ts";
import type { Command } from "./process-pair.ts";

/** The built program with arguments. */
export function fairlead(...args: readonly string[]): Command {
  return { program: process.execPath, args: [path.join(import.meta.dirname, "../bin/fairlead.js"), ...args] };
}

/** `helm template` of a chart with its defaults. */
export function templateOf(helm: string, { path: folder }: Pick<BenchChart, "path">): Command {
  return { program: helm, args: ["template", folder, "--kube-version", kubeVersion] };
}
