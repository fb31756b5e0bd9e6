import { Worker, type ResourceLimits } from "node:worker_threads";
import { FairleadError, messageOf } from "./error.ts";

export interface WorkerPoolOptions {
  /** The module that a worker runs; it answers each message with one. */
  readonly script: URL;
  /** What each worker is given when it starts; it must be data. */
  readonly data: unknown;
  readonly limits: ResourceLimits;
  /** Ends all workers when it is aborted. */
  readonly signal: AbortSignal;
}

/** Threads that each do one task at a time. */
export interface WorkerPool<Task, Answer> {
  /**
   * Gives a task to a worker that is free, or to a new one.
   * @throws FairleadError `limit-exceeded` where the task takes more memory than a worker may have, `aborted`,
   *   `internal` where the worker breaks down otherwise. Such a worker is not used again.
   */
  run(task: Task): Promise<Answer>;
  /** Ends the workers. */
  close(): Promise<void>;
}

/** A pool with as many workers as there are tasks at a time; none before the first task. */
export function createWorkerPool<Task, Answer>(options: WorkerPoolOptions): WorkerPool<Task, Answer> {
  const { script, data: workerData, limits: resourceLimits, signal } = options;
  const workers = new Set<Worker>();
  const free: Worker[] = [];
  const start = (): Worker => {
    const worker = new Worker(script, { workerData, resourceLimits });
    workers.add(worker);
    worker.once("exit", () => workers.delete(worker));
    return worker;
  };
  const close = async (): Promise<void> => {
    await Promise.all([...workers].map(async (worker) => worker.terminate()));
  };
  signal.addEventListener("abort", () => void close(), { once: true });
  return {
    run: async (task) => {
      if (signal.aborted) throw stopped();
      const worker = free.pop() ?? start();
      try {
        const answer = await ask<Answer>(worker, task);
        free.push(worker);
        return answer;
      } catch (cause) {
        await worker.terminate();
        throw signal.aborted ? stopped() : failureOf(cause, resourceLimits.maxOldGenerationSizeMb);
      }
    },
    close,
  };
}

function ask<Answer>(worker: Worker, task: unknown): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onExit = (code: number): void => reject(new Error(`the worker ended with code ${code}`));
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  worker.postMessage(task, []);
  return promise.finally(() => {
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  });
}

function stopped(): FairleadError {
  return new FairleadError("aborted", "the work was stopped");
}

function failureOf(cause: unknown, memoryMb: number | undefined): FairleadError {
  if (cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    const limit = memoryMb === undefined ? "than there is" : `than ${memoryMb} MiB`;
    return new FairleadError("limit-exceeded", `it takes more memory ${limit}`, { cause });
  }
  return new FairleadError("internal", messageOf(cause), { cause });
}
