import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError } from "../src/core/error.ts";

const pollMs = 250;

/**
 * Runs `work` while holding a lock file that other processes on this machine respect.
 * The lock of a process that has died is taken over.
 * @throws FairleadError `timeout` when the lock is not free within `timeoutMs` (default: 30 minutes).
 */
export async function withFileLock<Result>(
  file: string,
  work: () => Promise<Result>,
  timeoutMs: number = 30 * 60_000,
): Promise<Result> {
  await mkdir(path.dirname(file), { recursive: true });
  const deadline = Date.now() + timeoutMs;
  while (!(await tryAcquire(file))) {
    if (Date.now() > deadline) throw new FairleadError("timeout", `${file} stays locked`);
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryAcquire(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
  return false;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
