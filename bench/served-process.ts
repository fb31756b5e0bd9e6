import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { FairleadError } from "../src/core/error.ts";

/** A command of fairlead that serves until it is ended, as a process of its own. */
export interface ServedProcess {
  /** Where it listens, as it prints it. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The most memory that it has had. */
  peakMebibytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a command of the built program. @throws FairleadError `tool-failed` where it ends instead of listening */
export async function startServed(args: readonly string[]): Promise<ServedProcess> {
  const child = fork(
    path.join(import.meta.dirname, "../bin/fairlead.js"),
    [...args, "--log-level", "error"],
    {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    },
  );
  const status = `/proc/${child.pid}/status`;
  return {
    addresses: await firstLine(child),
    peakMebibytes: async () => {
      const text = await readFile(status, "utf8");
      return Number(/^VmHWM:\s+(?<kibibytes>\d+)/mu.exec(text)?.groups?.["kibibytes"]) / 1024;
    },
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function firstLine(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes("\n")) return JSON.parse(text.split("\n")[0] ?? "") as Record<string, string>;
  }
  throw new FairleadError("tool-failed", "the server did not start");
}
