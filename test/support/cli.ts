import path from "node:path";
import type { CliIo } from "../../src/cli/io.ts";
import { describeTerminal } from "../../src/cli/output/terminal.ts";
import { runProgram } from "../../src/cli/program.ts";
import { run, type RunResult } from "../../src/core/process.ts";
import { repositoryRoot } from "./checkout.ts";

export type CommandName = "fairlead" | "helm-image-override";

export interface CommandOptions {
  /** Where it runs; default: the repository. */
  readonly cwd?: string;
  /** Added to an environment of PATH and HOME alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** Builds the commands of this checkout; several test files may do so at once. */
export async function buildCommands(): Promise<void> {
  const built = await run(process.execPath, ["scripts/build.ts"], { cwd: repositoryRoot });
  if (built.exitCode !== 0) throw new Error(`the commands cannot be built: ${built.stderr}`);
}

/** The program and arguments that start a built command. */
export function commandLine(
  name: CommandName,
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): string[] {
  return [process.execPath, ...nodeArgs, path.join(repositoryRoot, "bin", `${name}.js`), ...args];
}

/** Runs a built command as a process of its own. */
export async function runCommand(
  name: CommandName,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<RunResult> {
  const [program = "", ...rest] = commandLine(name, args, options.nodeArgs);
  return run(program, rest, {
    cwd: options.cwd ?? repositoryRoot,
    env: commandEnvironment(options.env),
    timeoutMs: 60_000,
  });
}

/** Runs a command within this process, which takes a tenth of the time; it sees this process's folder. */
export async function runInProcess(
  name: CommandName,
  args: readonly string[],
  stdin: Uint8Array = new Uint8Array(),
): Promise<RunResult> {
  let stdout = "";
  let stderr = "";
  const io: CliIo = {
    stdin: async () => Promise.resolve(stdin),
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    env: {},
    stdoutTerminal: describeTerminal({}, {}),
    stderrTerminal: describeTerminal({}, {}),
    signal: new AbortController().signal,
  };
  const exitCode = await runProgram(name, args, io);
  return { exitCode, stdout, stderr };
}

/** The environment of {@link runCommand}. */
export function commandEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env };
}
