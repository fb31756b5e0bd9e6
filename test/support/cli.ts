import path from "node:path";
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
function commandLine(name: CommandName, args: readonly string[], nodeArgs: readonly string[] = []): string[] {
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

/** The environment of {@link runCommand}. */
function commandEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env };
}
