import { describeTerminal, type Terminal } from "./output/terminal.ts";

/** What a command tells its caller: the exit code of document 002, §6.1.2. */
export type Exit = (code: number) => void;

/** The world outside the process, as the commands see it; only {@link processIo} touches the real one. */
export interface CliIo {
  /** Values and tables; the text is written as it is. */
  readonly stdout: (text: string) => void;
  /** Everything else. */
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdoutTerminal: Terminal;
  readonly stderrTerminal: Terminal;
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

/** The process's own streams, environment and signals. */
export function processIo(): CliIo {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  // A reader that closes the pipe early, such as `head`, has what it wants.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    stdoutTerminal: describeTerminal(process.stdout, process.env),
    stderrTerminal: describeTerminal(process.stderr, process.env),
    signal: controller.signal,
  };
}
