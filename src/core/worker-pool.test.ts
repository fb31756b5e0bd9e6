import { describe, expect, test } from "vitest";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId, workerData } from "node:worker_threads";
    parentPort.on("message", (task) => {
      if (task === "throw") throw new Error("a defect");
      if (task === "exit") process.exit(3);
      if (task === "fill") for (const all = []; ; ) all.push(new Array(100_000).fill(all.length));
      if (task !== "wait") parentPort.postMessage({ task, threadId, workerData });
    });
  `)}`,
);

interface Answer {
  readonly task: string;
  readonly threadId: number;
  readonly workerData: unknown;
}

function poolOf(signal: AbortSignal = new AbortController().signal): WorkerPool<string, Answer> {
  return createWorkerPool({ script, data: { flag: 1 }, limits: { maxOldGenerationSizeMb: 32 }, signal });
}

describe("a pool of workers", () => {
  test("uses a worker again, and starts another one where it is busy", async () => {
    const pool = poolOf();
    const [first, second] = await Promise.all([pool.run("a"), pool.run("b")]);
    const third = await pool.run("c");
    expect([first.task, second.task, third.task]).toEqual(["a", "b", "c"]);
    expect(first.workerData).toEqual({ flag: 1 });
    expect(first.threadId).not.toBe(second.threadId);
    expect([first.threadId, second.threadId]).toContain(third.threadId);
    await pool.close();
  });

  test.each([
    ["throws", "throw", { code: "internal", message: "a defect" }],
    ["ends", "exit", { code: "internal", message: "the worker ended with code 3" }],
    [
      "takes too much memory",
      "fill",
      { code: "limit-exceeded", message: "it takes more memory than 32 MiB" },
    ],
  ])("replaces a worker that %s", async (_name, task, error) => {
    const pool = poolOf();
    const { threadId } = await pool.run("a");
    await expect(pool.run(task)).rejects.toMatchObject(error);
    const next = await pool.run("b");
    expect(next.task).toBe("b");
    expect(next.threadId).not.toBe(threadId);
    await pool.close();
  });

  test("is stopped by its signal", async () => {
    const controller = new AbortController();
    const pool = poolOf(controller.signal);
    await pool.run("a");
    const waiting = pool.run("wait");
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(pool.run("b")).rejects.toMatchObject({ code: "aborted" });
  });
});
