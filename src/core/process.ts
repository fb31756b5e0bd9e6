import { FairleadError, messageOf } from "./error.ts";

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment of the process; default: this process's own. */
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** Default: 120,000 ms. */
  readonly timeoutMs?: number;
  /** What standard output and standard error may hold, each; default: 256 MiB. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the program leads a process group of its own: what it starts itself is ended with it, and the
   * terminal's interrupt reaches this process alone.
   */
  readonly ownGroup?: boolean;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program without a shell and gives its exit code and output.
 * @throws FairleadError `tool-missing` when it cannot be started, `timeout`, `aborted`, or `limit-exceeded`
 *   when it prints too much; a non-zero exit code is a result, not an error.
 */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const timeoutMs = options.timeoutMs ?? 120_000;
  const maxOutputBytes = options.maxOutputBytes ?? 256 * 1024 * 1024;
  // Loaded for those who run a program: it costs a twentieth of the start-up.
  const { spawn } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: options.ownGroup ?? false,
    });
    let failure: FairleadError | undefined;
    const stop = (error: FairleadError): void => {
      failure ??= error;
      if (options.ownGroup !== true || !tryKillGroup(child.pid)) child.kill("SIGKILL");
      // What the program started itself may live on and hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(
      () => stop(new FairleadError("timeout", `${program} did not finish within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const onAbort = (): void => stop(new FairleadError("aborted", `${program} was stopped`));
    if (options.signal?.aborted === true) onAbort();
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const collect = (stream: NodeJS.ReadableStream): Buffer[] => {
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxOutputBytes) {
          stop(new FairleadError("limit-exceeded", `${program} printed more than ${maxOutputBytes} bytes`));
        } else chunks.push(chunk);
      });
      return chunks;
    };
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    // A program that ends before it reads its input breaks the pipe; its exit code tells what happened.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.stdin ?? "");
    const settle = (): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    };
    child.on("error", (cause) => {
      settle();
      reject(new FairleadError("tool-missing", `cannot start ${program}: ${messageOf(cause)}`, { cause }));
    });
    child.on("close", (exitCode, signal) => {
      settle();
      if (failure !== undefined) reject(failure);
      else {
        resolve({
          exitCode: exitCode ?? (signal === null ? 1 : 128),
          stdout: Buffer.concat(stdout).toString("utf8"),
          stderr: Buffer.concat(stderr).toString("utf8"),
        });
      }
    });
  });
}

function tryKillGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, "SIGKILL");
  } catch {
    return false;
  }
}
