import { type Clock, rest, steadyClock } from "../../core/clock.ts";
import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { Logger } from "../../core/log.ts";
import { type ClaimResult, LeaseClaim, type LeaseClaimOptions, type LeaseDurations } from "./lease-claim.ts";

export interface LeaderElectionOptions extends Pick<LeaseClaimOptions, "identity" | "lease"> {
  /** Of the lease, for the log. */
  readonly name?: string;
  readonly log: Logger;
  /** It has to go on evenly: a candidate counts a lease's age by it. Default: one that nobody sets. */
  readonly clock?: Clock;
  readonly durations?: Partial<LeaseDurations>;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** What a leader has. */
export interface Leadership {
  /** Aborts when it ends, and before another candidate may lead. */
  readonly signal: AbortSignal;
  /**
   * Ends it, and gives the lease back if that is done within so long. Whoever leads has ended their work before.
   */
  release(timeoutMs: number): Promise<void>;
}

const fluxDurations: LeaseDurations = {
  leaseDurationMs: 35_000,
  renewDeadlineMs: 30_000,
  retryPeriodMs: 5_000,
};

/**
 * A candidate for the leadership that a Lease stands for. There is one leader at most as long as no clock runs faster
 * than another by the ratio of the lease's duration to the deadline of its renewal, and no process is halted unnoticed.
 */
export class LeaderElection {
  readonly #claim: LeaseClaim;
  readonly #clock: Clock;
  readonly #durations: LeaseDurations;
  readonly #log: Logger;
  readonly #name: string | undefined;
  readonly #random: () => number;
  #knownHolder: string | undefined;

  /** @throws FairleadError `config-invalid` for durations that let two lead at once */
  constructor(options: LeaderElectionOptions) {
    const { identity, lease, log, clock = steadyClock, random = Math.random } = options;
    this.#durations = { ...fluxDurations, ...options.durations };
    requireOrder(this.#durations);
    this.#claim = new LeaseClaim({ identity, lease, clock, durations: this.#durations });
    this.#clock = clock;
    this.#log = log;
    this.#name = options.name;
    this.#random = random;
  }

  /**
   * Waits until this candidate leads.
   * @throws the signal's reason when it aborts before
   */
  async acquire(signal: AbortSignal): Promise<Leadership> {
    for (;;) {
      signal.throwIfAborted();
      const startMs = this.#clock.nowMs();
      const result = await this.#attempt(this.#durations.renewDeadlineMs / 2, signal);
      if (result === "held") {
        this.#knownHolder = undefined;
        this.#log.info("this process leads", { lease: this.#name });
        return this.#lead(startMs);
      }
      await rest(this.#clock, this.#pauseMs(result), signal);
    }
  }

  #lead(startMs: number): Leadership {
    const ending = new AbortController();
    const renewing = this.#renew(startMs, ending);
    return {
      signal: ending.signal,
      release: async (timeoutMs) => {
        end(ending, "it was given back");
        await renewing;
        try {
          await this.#within(timeoutMs, undefined, async (signal) => this.#claim.release(signal));
        } catch (error) {
          this.#log.warn("the lease is left to expire", {
            lease: this.#name,
            error: excerpt(messageOf(error)),
          });
        }
      },
    };
  }

  /** Renews the lease until that fails for too long, or it is another's. */
  async #renew(startMs: number, ending: AbortController): Promise<void> {
    const { renewDeadlineMs, retryPeriodMs } = this.#durations;
    const { signal } = ending;
    // Others may have seen the lease as soon as it was asked for.
    let deadlineMs = startMs + renewDeadlineMs;
    const lose = (why: string): void => {
      if (signal.aborted) return;
      this.#log.error("this process leads no more", { lease: this.#name, why });
      end(ending, why);
    };
    const expire = (): void => lose("the lease could not be renewed in time");
    let cancel = this.#clock.after(deadlineMs - this.#clock.nowMs(), expire);
    for (;;) {
      await rest(this.#clock, retryPeriodMs, signal);
      if (signal.aborted) break;
      const attemptMs = this.#clock.nowMs();
      const result = await this.#attempt(renewDeadlineMs / 2, signal);
      if (signal.aborted) break;
      if (typeof result === "object") lose(`the lease was taken by ${excerpt(result.heldBy)}`);
      if (result !== "held") continue;
      cancel();
      deadlineMs = attemptMs + renewDeadlineMs;
      cancel = this.#clock.after(deadlineMs - this.#clock.nowMs(), expire);
    }
    cancel();
  }

  async #attempt(timeoutMs: number, outer: AbortSignal): Promise<ClaimResult | "failed"> {
    try {
      return await this.#within(timeoutMs, outer, async (signal) => this.#claim.take(signal));
    } catch (error) {
      if (!outer.aborted)
        this.#log.warn("the lease cannot be reached", {
          lease: this.#name,
          error: excerpt(messageOf(error)),
        });
      return "failed";
    }
  }

  async #within<Result>(
    timeoutMs: number,
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ending = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => {
      ending.abort(new FairleadError("timeout", `the API server did not answer within ${timeoutMs} ms`));
    });
    try {
      return await work(outer === undefined ? ending.signal : AbortSignal.any([outer, ending.signal]));
    } finally {
      cancel();
    }
  }

  /** A little less than the period, lest candidates that began together go on together. */
  #pauseMs(result: ClaimResult | "failed"): number {
    const pauseMs = this.#durations.retryPeriodMs * (0.8 + this.#random() / 5);
    if (typeof result !== "object") return pauseMs;
    if (result.heldBy !== this.#knownHolder)
      this.#log.info("another process leads", { lease: this.#name, leader: result.heldBy });
    this.#knownHolder = result.heldBy;
    return Math.min(pauseMs, result.freeInMs);
  }
}

function requireOrder({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: LeaseDurations): void {
  if (leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs && retryPeriodMs > 0) return;
  throw new FairleadError("config-invalid", "the durations of the leader election do not fit together", {
    hint: "The lease has to last longer than the deadline of its renewal, and that longer than the retry period.",
  });
}

function end(ending: AbortController, why: string): void {
  ending.abort(new FairleadError("aborted", `the leadership ended: ${why}`));
}
