import path from "node:path";
import { run, type RunResult } from "../../../src/core/process.ts";

export interface KubectlOptions {
  /** Text as it is, anything else as JSON. */
  readonly input?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the kubeconfig it was made with. */
  readonly kubeconfig?: string;
}

export interface Kubectl {
  /** Runs kubectl with arguments that are divided by spaces, or listed where they hold some. */
  (args: string | readonly string[], options?: KubectlOptions): Promise<RunResult>;
}

/**
 * kubectl as one user.
 * @param folder where it keeps what it learns of servers
 */
export function createKubectl(program: string, kubeconfig: string, folder: string): Kubectl {
  return (args, { input, env = {}, kubeconfig: other = kubeconfig } = {}) => {
    const list = typeof args === "string" ? args.split(" ") : args;
    const stdin = typeof input === "string" ? input : JSON.stringify(input);
    return run(program, list, {
      ...(stdin === undefined ? {} : { stdin }),
      env: { PATH: process.env["PATH"], HOME: path.join(folder, "home"), KUBECONFIG: other, ...env },
    });
  };
}
