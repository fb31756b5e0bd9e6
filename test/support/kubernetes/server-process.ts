import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../src/core/error.ts";

/** A server of its own process, whose output goes into a file. */
export interface ServerProcess {
  readonly pid: number;
  /** All that it has printed. */
  log(): Promise<string>;
  /** Ends it as an operator does, or by force where that takes too long; gives its exit code where it had one. */
  stop(): Promise<number | null>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Where the log goes. */
  readonly folder: string;
  /** The whole environment of the process. */
  readonly env?: NodeJS.ProcessEnv;
  /** How long it may take to stop; default: 5,000 ms. */
  readonly stopTimeoutMs?: number;
  /** Whether it serves, given all that it has printed; asked until it does. A rejection means not yet. */
  isReady(log: string): Promise<boolean> | boolean;
}

const startTimeoutMs = 120_000;
const defaultStopTimeoutMs = 5_000;
const pollMs = 50;
const tailLines = 25;

/**
 * Starts a server and waits until it serves.
 * @throws Error with the end of its log when it ends, or does not serve within two minutes
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const logFile = path.join(options.folder, `${options.name}.log`);
  const output = openSync(logFile, "a");
  const env = options.env ?? { PATH: process.env["PATH"] };
  const child = spawn(options.program, options.args, { stdio: ["ignore", output, output], env });
  closeSync(output);
  let spawnError: unknown;
  child.once("error", (error) => (spawnError = error));
  const isEnded = (): boolean =>
    child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  // A worker that ends early leaves no servers behind.
  const killNow = (): boolean => child.kill("SIGKILL");
  process.once("exit", killNow);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    process.removeListener("exit", killNow);
    if (isEnded()) return child.exitCode;
    const ended = once(child, "exit");
    child.kill(signal);
    const timer = setTimeout(killNow, options.stopTimeoutMs ?? defaultStopTimeoutMs);
    await ended;
    clearTimeout(timer);
    return child.exitCode;
  };
  const stop = (): Promise<number | null> => end("SIGTERM");
  const kill = async (): Promise<void> => void (await end("SIGKILL"));
  const log = (): Promise<string> => readFile(logFile, "utf8");
  const deadline = Date.now() + startTimeoutMs;
  let reason: unknown = "it did not get ready";
  while (Date.now() < deadline && !isEnded()) {
    try {
      if (await options.isReady(await log())) return { pid: child.pid ?? 0, log, stop, kill };
    } catch (error) {
      reason = error;
    }
    await sleep(pollMs);
  }
  await stop();
  const tail = (await log()).trimEnd().split("\n").slice(-tailLines).join("\n");
  const why =
    isEnded() && spawnError === undefined ? `it ended by ${child.signalCode ?? child.exitCode}` : "";
  throw new Error(`${options.name} did not start: ${why} ${messageOf(spawnError ?? reason)}\n${tail}`);
}
