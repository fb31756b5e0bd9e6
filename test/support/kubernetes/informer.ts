import { run } from "../../../src/core/process.ts";
import { buildGoProgram } from "./go-program.ts";

/** What the informer program of test/conformance/kubernetes says of one run. */
export interface InformerSummary {
  readonly objects: number;
  readonly writes: number;
  /** How long the writes took. */
  readonly seconds: number;
  /** Writes that failed. */
  readonly failures: readonly string[];
  readonly observers: readonly ObserverSummary[];
}

/** What one informer or chain of watches saw. */
export interface ObserverSummary {
  readonly name: string;
  readonly resource: "pods" | "deployments";
  readonly late: boolean;
  readonly events: number;
  readonly bookmarks: number;
  readonly watches: number;
  readonly differences: readonly string[];
}

export interface InformerLoad {
  readonly objects: number;
  readonly writesPerSecond: number;
  readonly seconds: number;
}

const settleMs = 150_000;

/**
 * Runs the program through a gateway that stands before the server of the second kubeconfig.
 * @param folder where the program is built
 * @throws Error where the program could not do its work; a difference is in the summary
 */
export async function runInformer(
  go: string,
  folder: string,
  kubeconfigs: { readonly gateway: string; readonly server: string },
  load: InformerLoad,
): Promise<InformerSummary> {
  const program = await buildGoProgram(go, "informer", folder);
  const { exitCode, stdout, stderr } = await run(
    program,
    [
      `--watched=${kubeconfigs.gateway}`,
      `--written=${kubeconfigs.server}`,
      "--image-spec",
      `--objects=${load.objects}`,
      `--writes-per-second=${load.writesPerSecond}`,
      `--seconds=${load.seconds}`,
    ],
    { timeoutMs: load.seconds * 2000 + settleMs },
  );
  if (stdout === "") throw new Error(`the informer program ended by ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as InformerSummary;
}
