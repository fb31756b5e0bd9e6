import path from "node:path";
import { run, type RunResult } from "../../src/core/process.ts";

export interface FluxCli {
  /**
   * Runs Flux's CLI; its own waits end after a minute unless arguments say otherwise.
   * @param words arguments that are divided by spaces
   * @param rest those that hold some
   */
  (words: string, rest?: readonly string[]): Promise<RunResult>;
}

/**
 * Flux's CLI as one user, in namespace flux-system.
 * @param folder where it keeps what it learns of servers
 */
export function createFluxCli(program: string, kubeconfig: string, folder: string): FluxCli {
  const env = { PATH: process.env["PATH"], HOME: path.join(folder, "home"), KUBECONFIG: kubeconfig };
  return (words, rest = []) => run(program, ["--timeout=1m", ...words.split(" "), ...rest], { env });
}

/** The cells of what the CLI prints as tables, line by line. */
export function cellsOf(printed: string): string[][] {
  return printed
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.replace(/\t$/u, "").split("\t"))
    .map((cells) => cells.map((cell) => cell.trim()));
}
