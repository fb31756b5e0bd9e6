import { FairleadError, messageOf } from "../core/error.ts";
import { describeTerminal, type Terminal } from "./output/terminal.ts";

/** What a command tells its caller: the exit code of document 002, §6.1.2. */
export type Exit = (code: number) => void;

/** The most that is read of standard input. */
const maxInputBytes = 256 * 1024 * 1024;

/** The world outside the process, as the commands see it; only {@link processIo} touches the real one. */
export interface CliIo {
  /** All of standard input. @throws FairleadError `limit-exceeded`, `input-unreadable` */
  readonly stdin: () => Promise<Uint8Array>;
  /** Values and tables; the text is written as it is. */
  readonly stdout: (text: string) => void;
  /** Everything else. */
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdoutTerminal: Terminal;
  readonly stderrTerminal: Terminal;
  /** Aborted when the user interrupts the program. */
  readonly signal: AbortSignal;
}

/**
 * The process's own streams, environment and signals.
 * @param onWriteError called when standard output cannot be written, but not for a reader that has gone
 */
export function processIo(onWriteError: (error: Error) => void): CliIo {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (!isClosedPipe(error)) onWriteError(error);
  });
  // Nobody is left to be told.
  process.stderr.on("error", () => undefined);
  return {
    stdin: readStandardInput,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    env: process.env,
    stdoutTerminal: describeTerminal(process.stdout, process.env),
    stderrTerminal: describeTerminal(process.stderr, process.env),
    signal: controller.signal,
  };
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of process.stdin) {
      const bytes = chunk as Buffer;
      length += bytes.length;
      if (length > maxInputBytes) {
        throw new FairleadError("limit-exceeded", `standard input is larger than ${maxInputBytes} bytes`);
      }
      chunks.push(bytes);
    }
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw new FairleadError("input-unreadable", `cannot read standard input: ${messageOf(cause)}`, { cause });
  }
  return Buffer.concat(chunks);
}

/** A reader that closes the pipe early, such as `head`, has what it wants. */
function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
}
