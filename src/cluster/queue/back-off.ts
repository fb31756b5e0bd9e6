/** How long a key rests after a failure: twice as long each time. */
export interface BackOff {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** The defaults of `--min-retry-delay` and `--max-retry-delay` of Flux's controllers. */
export const fluxBackOff: BackOff = { firstDelayMs: 750, maxDelayMs: 15 * 60_000 };
