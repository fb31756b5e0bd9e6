import { escapeLine } from "../core/escape.ts";
import { processIo } from "./io.ts";
import { runProgram, type ProgramName } from "./program.ts";

/** Runs a program of the package with its arguments and gives the exit code. */
export async function main(program: ProgramName, args: readonly string[]): Promise<number> {
  let failed = false;
  const io = processIo((error) => {
    if (!failed) io.stderr(`${escapeLine(`error: cannot write to standard output: ${error.message}`)}\n`);
    failed = true;
    process.exitCode = 1;
  });
  const exitCode = await runProgram(program, args, io);
  return failed && exitCode === 0 ? 1 : exitCode;
}
