import { processIo } from "./io.ts";
import { runProgram, type ProgramName } from "./program.ts";

/** Runs a program of the package with its arguments and gives the exit code. */
export async function main(program: ProgramName, args: readonly string[]): Promise<number> {
  return runProgram(program, args, processIo());
}
