import type { OutboxFile } from "./outbox-file.ts";

interface PendingWork {
  readonly work: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes that come together go to disk together: each is told of when the one commit that holds it is done. What
 * arrives while the disk works waits for the next.
 */
export class GroupCommit {
  readonly #file: OutboxFile;
  #pending: PendingWork[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(file: OutboxFile) {
    this.#file = file;
  }

  /**
   * Does work within the next transaction and gives its result once it is on disk.
   * @throws FairleadError `state-invalid` where it cannot be written; then nothing of it is
   */
  async run<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      this.#pending.push({
        work: () => {
          result = work();
        },
        settle: () => resolve(result),
        fail: reject,
      });
      this.#scheduled ??= setImmediate(() => this.flush());
    });
  }

  /** Commits at once what waits. */
  flush(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length > 0) this.#commit(batch);
  }

  #commit(batch: readonly PendingWork[]): void {
    try {
      this.#file.transaction(() => {
        for (const { work } of batch) work();
      });
    } catch (error) {
      const [only] = batch;
      // One that fails, such as one too large for the disk, fails alone.
      if (batch.length > 1) for (const single of batch) this.#commit([single]);
      else only?.fail(error);
      return;
    }
    for (const { settle } of batch) settle();
  }
}
