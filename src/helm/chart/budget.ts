import { FairleadError } from "../../core/error.ts";

/** What one chart may unpack to, its packed subcharts included. */
export interface Budget {
  /** Takes bytes from what is left; `file` is what they belong to, for the message. */
  spendBytes(count: number, file: string): void;
  /** Takes one file or folder from what is left. */
  spendFile(file: string): void;
  /** Throws when the caller's signal asks to stop. */
  check(): void;
}

export interface BudgetOptions {
  /** Bytes; default: 100 MiB, as Helm's own limit. */
  readonly maxBytes?: number | undefined;
  /** Files and folders; default: 20,000. */
  readonly maxFiles?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A budget that every part of one chart shares, so that nesting archives gains nothing.
 * Its methods throw FairleadError `chart-invalid` when it is used up, `aborted` when the signal says so.
 */
export function createBudget(options: BudgetOptions = {}): Budget {
  const maxBytes = options.maxBytes ?? 100 * 1024 * 1024;
  const maxFiles = options.maxFiles ?? 20_000;
  let bytes = 0;
  let files = 0;
  return {
    spendBytes(count, file) {
      bytes += count;
      if (bytes > maxBytes) {
        throw new FairleadError("chart-invalid", `the chart unpacks to more than ${maxBytes} bytes`, {
          where: { file },
          hint: "raise the limit with --max-chart-bytes if the chart is to be trusted",
        });
      }
    },
    spendFile(file) {
      files += 1;
      if (files > maxFiles) {
        throw new FairleadError("chart-invalid", `the chart holds more than ${maxFiles} files and folders`, {
          where: { file },
        });
      }
    },
    check() {
      if (options.signal?.aborted === true) throw new FairleadError("aborted", "loading was stopped");
    },
  };
}
