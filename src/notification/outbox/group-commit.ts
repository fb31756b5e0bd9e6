import type { Clock } from "../../core/clock.ts";
import type { OutboxFile } from "./outbox-file.ts";

interface PendingWork {
  readonly work: () => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** How long a write waits for others where nobody waits for it. */
const lazyDelayMs = 20;

/**
 * Writes that come together go to disk together: each is told of when the one commit that holds it is done. What
 * arrives while the disk works waits for the next.
 */
export class GroupCommit {
  readonly #file: OutboxFile;
  readonly #clock: Clock;
  #pending: PendingWork[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(file: OutboxFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * Does work within the next transaction and gives its result once it is on disk.
   * @param urgency `lazy` work waits a little for other work, which it goes to disk with
   * @throws FairleadError `state-invalid` where it cannot be written; then nothing of it is
   */
  async run<Result>(work: () => Result, urgency: "prompt" | "lazy" = "prompt"): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      this.#pending.push({
        work: () => {
          result = work();
        },
        settle: () => resolve(result),
        fail: reject,
      });
      if (urgency === "prompt") this.#scheduled ??= setImmediate(() => this.flush());
      else this.#cancelTimer ??= this.#clock.after(lazyDelayMs, () => this.flush());
    });
  }

  /** Commits at once what waits. */
  flush(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#cancelTimer?.();
    this.#scheduled = undefined;
    this.#cancelTimer = undefined;
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
