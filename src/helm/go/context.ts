import { FairleadError } from "../../core/error.ts";
import type { Origin } from "../provenance/span.ts";

/** What functions need beside their arguments. */
export interface GoContext {
  readonly budget: RenderBudget;
  readonly random: RandomSource;
  /** The time that `now` gives, in milliseconds since 1970; the same all through one rendering. */
  readonly now: number;
  /** Whether strings carry their spans. */
  readonly tracking: boolean;
  /** Filled, where it is given, with the origins of the values that conditions found empty. */
  readonly emptyConditions?: Set<Origin>;
}

/** Where random bytes come from: the system, or a seed for output that can be reproduced. */
export interface RandomSource {
  /** True where nothing that is drawn is ever used, so that keys may be short and hashes cheap. */
  readonly isRehearsal?: true;
  bytes(count: number): Uint8Array;
}

export interface RenderLimits {
  /** Bytes that templates may write and functions may make, in all; default: 512 MiB. */
  readonly maxBytes?: number | undefined;
  /** Nodes of templates that may be executed, in all; default: 50,000,000. */
  readonly maxSteps?: number | undefined;
}

/** What one rendering may use up. */
export class RenderBudget {
  #bytes: number;
  #steps: number;
  readonly #maxBytes: number;
  readonly #maxSteps: number;

  constructor({ maxBytes = 512 * 1024 * 1024, maxSteps = 50_000_000 }: RenderLimits = {}) {
    this.#maxBytes = maxBytes;
    this.#maxSteps = maxSteps;
    this.#bytes = maxBytes;
    this.#steps = maxSteps;
  }

  /** Called before a text of this many bytes is made. @throws FairleadError `limit-exceeded` */
  spendBytes(count: number): void {
    this.#bytes -= count;
    if (this.#bytes < 0) {
      throw new FairleadError(
        "limit-exceeded",
        `the templates make more than ${this.#maxBytes} bytes of text`,
        { hint: "raise the limit with --max-render-bytes if the chart is to be trusted" },
      );
    }
  }

  /** Called for each step of work. @throws FairleadError `limit-exceeded` */
  spendStep(): void {
    this.#steps -= 1;
    if (this.#steps < 0) {
      throw new FairleadError("limit-exceeded", `the templates take more than ${this.#maxSteps} steps`, {
        hint: "raise the limit with --max-render-steps if the chart is to be trusted",
      });
    }
  }
}
