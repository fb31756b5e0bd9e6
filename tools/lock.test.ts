import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withFileLock } from "./lock.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fairlead-lock-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("lets one in at a time", async () => {
  const steps: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    steps.push(`${name} in`);
    await sleep(20);
    steps.push(`${name} out`);
  };
  const file = path.join(folder, "shared");
  await Promise.all(["a", "b"].map((name) => withFileLock(file, work(name))));
  expect(steps.join(", ")).toMatch(/^(?<one>[ab]) in, \k<one> out, (?<two>[ab]) in, \k<two> out$/u);
});

test("is free again after a failure", async () => {
  const file = path.join(folder, "failing");
  await expect(withFileLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(file, () => Promise.resolve("yes"))).toBe("yes");
});

test("is taken over from a process that has died", async () => {
  const file = path.join(folder, "stale");
  await writeFile(file, "2147483647");
  expect(await withFileLock(file, () => Promise.resolve("yes"))).toBe("yes");
});

test("gives up on a lock that stays", async () => {
  const file = path.join(folder, "held");
  await writeFile(file, String(process.pid));
  await expect(withFileLock(file, () => Promise.resolve("yes"), 0)).rejects.toThrow(/stays locked/u);
});
