import { escapeLine } from "../core/escape.ts";
import { processIo } from "./io.ts";
import { runProgram, type ProgramName } from "./program.ts";
import { createRestartableRun } from "./restartable.ts";

/**
 * Runs a program of the package with its arguments.
 * @param canRestart whether the caller can run it once more with more stack
 * @returns the exit code; undefined where it must run once more, and has printed no result
 */
export async function main(
  program: ProgramName,
  args: readonly string[],
  { canRestart }: { readonly canRestart: boolean } = { canRestart: false },
): Promise<number | undefined> {
  let failed = false;
  const io = processIo((error) => {
    if (!failed) io.stderr(`${escapeLine(`error: cannot write to standard output: ${error.message}`)}\n`);
    failed = true;
    process.exitCode = 1;
  });
  const run = canRestart ? createRestartableRun(io) : undefined;
  const exitCode = await runProgram(program, args, run?.io ?? io);
  if (run?.mustRestart() === true) return io.signal.aborted ? 1 : undefined;
  return failed && exitCode === 0 ? 1 : exitCode;
}
