import { type Clock, steadyClock } from "../../core/clock.ts";
import type { AttemptReport } from "../../notification/outbox/attempt.ts";

/** How a delivery to a Provider went. */
export interface DeliveryOutcome {
  readonly timeMs: number;
  /** `dead`: it was given up. */
  readonly result: AttemptReport["result"];
  /** Why it failed, free of secrets; empty where it did not. */
  readonly message: string;
}

export interface DeliveryLogOptions {
  /** Told of a Provider, as `namespace/name`, of which there is something else to be told. */
  readonly changed: (provider: string) => void;
  /** How long what is told of a Provider stays so; default: 30,000. */
  readonly minIntervalMs?: number;
  readonly clock?: Clock;
}

interface Entry {
  last: DeliveryOutcome;
  told: DeliveryOutcome;
  toldMs: number;
  cancelTimer?: () => void;
}

const maxProviders = 10_000;

/** How deliveries to Providers go, as their statuses tell it: each change of the result, and not too often. */
export class DeliveryLog {
  readonly #options: DeliveryLogOptions;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(options: DeliveryLogOptions) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
  }

  /** Takes how an attempt went. */
  note({ delivery, result, error }: AttemptReport): void {
    const provider = delivery.destination;
    const timeMs = this.#clock.nowMs();
    const outcome = { timeMs, result, message: error?.message ?? "" };
    const entry = this.#entries.get(provider);
    if (entry !== undefined) {
      entry.last = outcome;
      if (result !== entry.told.result) this.#tellInTime(provider, entry);
    } else if (this.#entries.size < maxProviders) {
      this.#entries.set(provider, { last: outcome, told: outcome, toldMs: timeMs });
      this.#options.changed(provider);
    }
  }

  /** What is to be told of a Provider; undefined where nothing is known. @param provider `namespace/name` */
  told(provider: string): DeliveryOutcome | undefined {
    return this.#entries.get(provider)?.told;
  }

  /** Forgets a Provider that is gone. */
  forget(provider: string): void {
    this.#entries.get(provider)?.cancelTimer?.();
    this.#entries.delete(provider);
  }

  /** Tells nothing more. */
  stop(): void {
    for (const provider of this.#entries.keys()) this.forget(provider);
  }

  #tellInTime(provider: string, entry: Entry): void {
    if (entry.cancelTimer !== undefined) return;
    const { minIntervalMs = 30_000 } = this.#options;
    const waitMs = entry.toldMs + minIntervalMs - this.#clock.nowMs();
    if (waitMs <= 0) this.#tell(provider, entry);
    else {
      entry.cancelTimer = this.#clock.after(waitMs, () => {
        delete entry.cancelTimer;
        if (entry.last.result !== entry.told.result) this.#tell(provider, entry);
      });
    }
  }

  #tell(provider: string, entry: Entry): void {
    entry.told = entry.last;
    entry.toldMs = this.#clock.nowMs();
    this.#options.changed(provider);
  }
}
