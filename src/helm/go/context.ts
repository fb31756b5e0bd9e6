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
  /**
   * Bytes that templates may write and functions may make, in all; default: 256 MiB, which is less than the
   * longest text that JavaScript can hold.
   */
  readonly maxBytes?: number | undefined;
  /**
   * Nodes of templates that may be executed, in all, and what else takes as long as a node, about half a
   * microsecond; default: 50,000,000.
   */
  readonly maxSteps?: number | undefined;
}

/** What an item of a list, an entry of a map or a piece of a text takes up in memory beside its content, about. */
export const bytesOfItem = 64;

/** What one rendering may use up. */
export class RenderBudget {
  #bytes: number;
  #steps: number;
  readonly #maxBytes: number;
  readonly #maxSteps: number;

  constructor({ maxBytes = 256 * 1024 * 1024, maxSteps = 50_000_000 }: RenderLimits = {}) {
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

  /** Called before that many steps of work. @throws FairleadError `limit-exceeded` */
  spendSteps(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) {
      throw new FairleadError("limit-exceeded", `the templates take more than ${this.#maxSteps} steps`, {
        hint: "raise the limit with --max-render-steps if the chart is to be trusted",
      });
    }
  }

  /** Called for each step of work. @throws FairleadError `limit-exceeded` */
  spendStep(): void {
    this.spendSteps(1);
  }

  /** Called for each item that is made, or written out. @throws FairleadError `limit-exceeded` */
  spendItem(): void {
    this.spendSteps(1);
    this.spendBytes(bytesOfItem);
  }

  /** Called before so many items are copied from one list or map to another. @throws FairleadError `limit-exceeded` */
  spendCopies(count: number): void {
    this.spendSteps(count >> 4);
    this.spendBytes(bytesOfReference * count);
  }
}

const bytesOfReference = 8;
