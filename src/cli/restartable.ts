import { stackExhausted } from "../helm/render/stack-exhausted.ts";
import type { CliIo } from "./io.ts";

/** A run that can begin anew with more stack until it reads standard input or prints a result. */
export interface RestartableRun {
  /** Its streams, which are silent from when it is to begin anew; its signal stops it then. */
  readonly io: CliIo;
  /** Whether templates have run out of stack before that. */
  readonly mustRestart: () => boolean;
}

/** Watches a run, once in a process; what it tells on standard error before, the next one tells again. */
export function createRestartableRun(io: CliIo): RestartableRun {
  const restart = new AbortController();
  let hasBegun = false;
  stackExhausted.subscribe(() => {
    if (!hasBegun) restart.abort();
  });
  return {
    io: {
      ...io,
      stdin: async () => {
        hasBegun = true;
        return io.stdin();
      },
      stdout: (text) => {
        if (restart.signal.aborted) return;
        hasBegun = true;
        io.stdout(text);
      },
      stderr: (text) => {
        if (!restart.signal.aborted) io.stderr(text);
      },
      signal: AbortSignal.any([io.signal, restart.signal]),
    },
    mustRestart: () => restart.signal.aborted,
  };
}
