import type { Clock } from "../../core/clock.ts";
import { equalRecords, type LeasePort, type LeaseRecord, type StoredLease } from "./lease.ts";

/** How long things take; the defaults are those of Flux's `--leader-election-*` flags. */
export interface LeaseDurations {
  /** How long a lease is left to a holder from whom nothing is heard; default: 35,000. */
  readonly leaseDurationMs: number;
  /** How long a holder goes on without having renewed it; shorter; default: 30,000. */
  readonly renewDeadlineMs: number;
  /** How long to rest between two attempts; default: 5,000. */
  readonly retryPeriodMs: number;
}

export interface LeaseClaimOptions {
  /** Nobody else's, nor that of this program when it ran before. */
  readonly identity: string;
  readonly lease: LeasePort;
  readonly clock: Clock;
  readonly durations: LeaseDurations;
}

/** What came of an attempt. */
export type ClaimResult = "held" | "lost-race" | { readonly heldBy: string; readonly freeInMs: number };

interface Observed extends StoredLease {
  /** When this record was first seen, by the clock of who saw it. */
  readonly seenMs: number;
}

/** One candidate's view of a lease: what it has seen of it, and when by its own clock. */
export class LeaseClaim {
  readonly #options: LeaseClaimOptions;
  #observed: Observed | undefined;

  constructor(options: LeaseClaimOptions) {
    this.#options = options;
  }

  /**
   * Takes the lease, or renews it.
   * @throws what the port throws
   */
  async take(signal: AbortSignal): Promise<ClaimResult> {
    const { identity, lease } = this.#options;
    if (this.#observed?.record.holderIdentity === identity && (await this.#write(this.#observed, signal))) {
      return "held";
    }
    const stored = await lease.get(signal);
    if (stored === undefined) {
      const created = await lease.create(this.#nextRecord(undefined), signal);
      if (created === undefined) return "lost-race";
      this.#observe(created);
      return "held";
    }
    const freeInMs = this.#freeInMs(this.#observe(stored));
    if (freeInMs > 0) return { heldBy: stored.record.holderIdentity, freeInMs };
    return (await this.#write(stored, signal)) ? "held" : "lost-race";
  }

  /**
   * Gives the lease back, if it is still this candidate's, so that another may take it at once.
   * @throws what the port throws
   */
  async release(signal: AbortSignal): Promise<void> {
    const { identity, lease } = this.#options;
    const stored = await lease.get(signal);
    if (stored?.record.holderIdentity !== identity) return;
    const renewTime = this.#now();
    const released = { ...stored.record, holderIdentity: "", leaseDurationSeconds: 1, renewTime };
    await lease.update(released, stored.resourceVersion, signal);
    this.#observed = undefined;
  }

  async #write(stored: StoredLease, signal: AbortSignal): Promise<boolean> {
    const record = this.#nextRecord(stored.record);
    const updated = await this.#options.lease.update(record, stored.resourceVersion, signal);
    if (updated === undefined) return false;
    this.#observe(updated);
    return true;
  }

  #nextRecord(before: LeaseRecord | undefined): LeaseRecord {
    const { identity, durations } = this.#options;
    const now = this.#now();
    const isHolder = before?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(durations.leaseDurationMs / 1000),
      acquireTime: isHolder ? before.acquireTime : now,
      renewTime: now,
      leaseTransitions: before === undefined ? 0 : before.leaseTransitions + (isHolder ? 0 : 1),
    };
  }

  /** A record that was seen before is as old as it was; the times in it are another's. */
  #observe(stored: StoredLease): Observed {
    const known = this.#observed;
    const isSame = known !== undefined && equalRecords(known.record, stored.record);
    const observed = { ...stored, seenMs: isSame ? known.seenMs : this.#options.clock.nowMs() };
    this.#observed = observed;
    return observed;
  }

  #freeInMs({ record, seenMs }: Observed): number {
    const { identity, durations, clock } = this.#options;
    if (record.holderIdentity === "" || record.holderIdentity === identity) return 0;
    // Its holder counts on what it has written.
    const promisedMs = record.leaseDurationSeconds * 1000;
    const leftMs = promisedMs > 0 ? promisedMs : durations.leaseDurationMs;
    return seenMs + leftMs - clock.nowMs();
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}
