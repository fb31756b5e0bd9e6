import { excerpt } from "../../core/escape.ts";
import { FairleadError } from "../../core/error.ts";
import { run, type RunResult } from "../../core/process.ts";
import type { Redactor } from "../../core/redaction.ts";

/** How git is run for one remote repository. */
export interface GitContext {
  /** The whole environment, as of {@link gitEnvironment}. */
  readonly env: Readonly<Record<string, string>>;
  readonly redact: Redactor;
  /** What one command may take. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitCommandOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const maxOutputBytes = 64 * 1024 * 1024;
const maxToldLength = 1000;

/**
 * Runs git and gives its exit code and output.
 * @throws FairleadError `tool-missing`, `timeout`, `aborted`, `limit-exceeded`
 */
export async function tryGit(
  args: readonly string[],
  context: GitContext,
  options: GitCommandOptions = {},
): Promise<RunResult> {
  return run("git", args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    env: { ...context.env, ...options.env },
    timeoutMs: context.timeoutMs,
    signal: context.signal,
    maxOutputBytes,
    ownGroup: true,
  });
}

/** The first git that takes its configuration from the environment and signs with ssh keys. */
const oldestGit: readonly [number, number] = [2, 34];

/** Makes sure that git is there and heeds how it is told to run. @throws FairleadError `tool-missing` */
export async function checkGit(context: GitContext): Promise<void> {
  const { stdout } = await tryGit(["version"], context);
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/u.exec(stdout)?.map(Number) ?? [];
  const [oldestMajor, oldestMinor] = oldestGit;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new FairleadError("tool-missing", `git is too old: ${excerpt(stdout.trim())}`, {
    hint: `install git ${oldestGit.join(".")} or newer`,
  });
}

/** Runs git and gives its standard output. @throws FairleadError as {@link tryGit}, and `git-failed` */
export async function git(
  args: readonly string[],
  context: GitContext,
  options: GitCommandOptions = {},
): Promise<string> {
  const result = await tryGit(args, context, options);
  if (result.exitCode !== 0) throw gitFailure(args, result, context);
  return result.stdout;
}

/** The error for a git that ended with a failure, in its own words without the secrets. */
export function gitFailure(
  args: readonly string[],
  { stderr, exitCode }: RunResult,
  context: GitContext,
): FairleadError {
  const told = context
    .redact(stderr)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:hint|warning|From |To )/u.test(line))
    .join("; ");
  const reason = told === "" ? `exit code ${exitCode}` : excerpt(told, maxToldLength);
  return new FairleadError("git-failed", `git ${args[0] ?? ""} failed: ${reason}`, { retryable: true });
}
