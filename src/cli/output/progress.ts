import { escapeLine } from "../../core/escape.ts";
import type { Terminal } from "./terminal.ts";
import { textWidth, truncateMiddle } from "./text-width.ts";

/** A bar at the foot of a terminal. Where nobody watches, only {@link Progress.print} writes anything. */
export interface Progress {
  /** One more is done; `label` names it. */
  step(label: string): void;
  /** Writes a line above the bar. The line must be safe to print; its line end is added. */
  print(line: string): void;
  /** Takes the bar away for good. */
  end(): void;
}

export interface ProgressOptions {
  readonly terminal: Terminal;
  readonly total: number;
  /** What is counted, such as `charts`. */
  readonly noun: string;
  readonly write: (text: string) => void;
  /** Milliseconds from any start. Default: the time since the process started. */
  readonly nowMs?: () => number;
}

const barWidth = 24;
const redrawEveryMs = 100;
const clearLine = "\r\u001b[K";

/** A progress bar over `total` steps. */
export function createProgress(options: ProgressOptions): Progress {
  const { terminal, total, write } = options;
  if (!terminal.interactive || total < 2) {
    return { step: () => undefined, print: (line) => write(`${line}\n`), end: () => undefined };
  }
  const nowMs = options.nowMs ?? ((): number => performance.now());
  let done = 0;
  let label = "";
  let drawnAtMs = -Infinity;
  const draw = (): void => {
    drawnAtMs = nowMs();
    write(clearLine + formatBar({ ...options, done, label }));
  };
  return {
    step(name) {
      done += 1;
      label = name;
      if (nowMs() - drawnAtMs >= redrawEveryMs) draw();
    },
    print(line) {
      write(`${drawnAtMs === -Infinity ? "" : clearLine}${line}\n`);
      if (drawnAtMs !== -Infinity) draw();
    },
    end() {
      if (drawnAtMs !== -Infinity) write(clearLine);
      drawnAtMs = -Infinity;
    },
  };
}

function formatBar(
  state: Pick<ProgressOptions, "terminal" | "total" | "noun"> & {
    readonly done: number;
    readonly label: string;
  },
): string {
  const { colours, width = 80 } = state.terminal;
  const filled = Math.round((barWidth * Math.min(state.done, state.total)) / state.total);
  const bar = colours.green("━".repeat(filled)) + colours.dim("─".repeat(barWidth - filled));
  const count = ` ${state.done}/${state.total} ${state.noun} `;
  // The last column stays free: a full line would wrap and could not be cleared.
  const room = width - barWidth - textWidth(count) - 1;
  return bar + count + (room < 8 ? "" : colours.dim(truncateMiddle(escapeLine(state.label), room)));
}
