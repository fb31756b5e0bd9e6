/** Why a tag was not chosen. */
export type LossReason =
  | "invalid-tag"
  | "excluded"
  | "filtered"
  | "unparsable"
  | "out-of-range"
  | "older"
  | "tie";

/** A tag that was not chosen. */
export interface Loss {
  readonly tag: string;
  readonly reason: LossReason;
  /** What the filter extracted of it, where that is not the tag. */
  readonly extracted?: string;
  readonly detail?: string;
}

/** Why the tags that were not chosen lost, in the order in which they were given. */
export interface Explanation {
  readonly losses: readonly Loss[];
  /** How many tags lost for each reason. */
  readonly counts: Readonly<Record<LossReason, number>>;
  /** How many losses are beyond the limit of the list. */
  readonly omitted: number;
}

const maxLosses = 10_000;

/** Gathers losses; beyond the limit it counts only. */
export class LossList {
  readonly #losses: Loss[] = [];
  readonly #counts: Record<LossReason, number> = {
    "invalid-tag": 0,
    excluded: 0,
    filtered: 0,
    unparsable: 0,
    "out-of-range": 0,
    older: 0,
    tie: 0,
  };
  #omitted = 0;

  /** Notes a loss, whose other parts are made only if it is kept. */
  add(tag: string, reason: LossReason, describe?: () => Omit<Loss, "tag" | "reason">): void {
    this.#counts[reason]++;
    if (this.#losses.length < maxLosses) this.#losses.push({ tag, reason, ...describe?.() });
    else this.#omitted++;
  }

  /** How many lost for a reason. */
  count(reason: LossReason): number {
    return this.#counts[reason];
  }

  /** What was gathered. */
  toExplanation(): Explanation {
    return { losses: this.#losses, counts: this.#counts, omitted: this.#omitted };
  }
}
