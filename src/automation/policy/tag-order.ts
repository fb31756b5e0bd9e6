/** How a policy compares tags, or what its filter extracts of them. */
export interface TagOrder<Rank> {
  /**
   * The rank of a text; undefined for one that cannot be chosen.
   * @throws FairleadError `policy-unresolved` where a text spoils the whole policy
   */
  readonly tryRank: (text: string) => Rank | undefined;
  /** Positive where the left rank is the later one. */
  readonly compare: (left: Rank, right: Rank) => number;
  /** Whether the greater of two texts wins, byte by byte, where ranks are equal; else the smaller does. */
  readonly greaterTextWins: boolean;
  /** Why a text has no rank. */
  readonly explainUnranked: (text: string) => Unranked;
}

export interface Unranked {
  readonly reason: "unparsable" | "out-of-range";
  readonly detail: string;
}
