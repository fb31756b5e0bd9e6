import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { Leadership, LeaderElection } from "../lease/leader-election.ts";
import type { ControllerGroup } from "./controller-group.ts";

export interface ControllerManagerOptions {
  readonly groups: readonly ControllerGroup[];
  /** Undefined: this process is the only one. */
  readonly election?: Pick<LeaderElection, "acquire"> | undefined;
  /** Told whether this process leads. */
  readonly onLeading?: (isLeading: boolean) => void;
  readonly log: Logger;
}

/** How long giving the lease back may take. */
const releaseMs = 5_000;

/** Runs groups of controllers, while this process leads. */
export class ControllerManager {
  readonly #options: ControllerManagerOptions;
  readonly #ending = new AbortController();
  #leadership: Leadership | undefined;
  #isStarted = false;

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
  }

  /** Why requests to this process would go wrong; undefined: they do not. A process that waits to lead is ready. */
  get unreadyReason(): string | undefined {
    if (this.#ending.signal.aborted) return "the controllers are stopping";
    const waiting = this.#options.groups.find(({ hasSynced }) => !hasSynced);
    return waiting === undefined ? undefined : `${waiting.name} does not know its objects yet`;
  }

  /** Begins to watch; once. */
  watch(): void {
    for (const group of this.#options.groups) group.watch();
  }

  /**
   * Waits for its turn, and reconciles, until {@link stop} is called; {@link watch} comes before.
   * @throws FairleadError `aborted` where the leadership is lost: the process has to end
   */
  async run(): Promise<void> {
    const { groups, election, onLeading, log } = this.#options;
    const { signal } = this.#ending;
    await this.#untilStopped(Promise.all(groups.map(async ({ synced }) => synced)));
    if (signal.aborted) return;
    if (election !== undefined) {
      try {
        this.#leadership = await election.acquire(signal);
        // Also where the end has begun already: who leads no more has no grace.
        this.#leadership.signal.addEventListener("abort", () => void this.#stopGroups(0), { once: true });
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
    }
    onLeading?.(true);
    this.#isStarted = true;
    for (const group of groups) group.start();
    log.info("controllers are running", { controllers: groups.map(({ name }) => name).join(", ") });
    const lost = this.#leadership === undefined ? undefined : untilAborted(this.#leadership.signal);
    await this.#untilStopped(lost ?? new Promise<never>(() => undefined));
    if (signal.aborted) return;
    onLeading?.(false);
    // Another process may lead from now on: what is under way is broken off, and nothing is written any more.
    await this.#stopGroups(0);
    throw new FairleadError("aborted", "another process leads from now on");
  }

  /** Waits for what is under way, gives the lease back, and ends. @param graceMs what takes longer is broken off */
  async stop(graceMs: number): Promise<void> {
    this.#ending.abort();
    await this.#stopGroups(graceMs);
    if (this.#isStarted) this.#options.onLeading?.(false);
    await this.#leadership?.release(releaseMs);
  }

  async #stopGroups(graceMs: number): Promise<void> {
    await Promise.all(this.#options.groups.map(async (group) => group.stop(graceMs)));
  }

  async #untilStopped(event: Promise<unknown>): Promise<void> {
    await Promise.race([event, untilAborted(this.#ending.signal)]);
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
