import type { FairleadError } from "../../core/error.ts";

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Some two hours: a destination may be down for one and loses nothing. */
export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 30,
  firstDelayMs: 1000,
  maxDelayMs: 5 * 60_000,
};

/** A destination that asks for more is asked again after this. */
export const maxRetryAfterMs: number = 60 * 60_000;

/**
 * How long to rest after a failed attempt, or undefined where no other is made: twice as long each time, a quarter
 * more or less, and never less than the destination asks for.
 * @param attempts those made, this one included
 * @param random from 0 to 1
 */
export function nextDelayMs(
  { retryable, retryAfterMs }: Pick<FairleadError, "retryable" | "retryAfterMs">,
  attempts: number,
  { maxAttempts, firstDelayMs, maxDelayMs }: RetryPolicy,
  random: number,
): number | undefined {
  if (!retryable || attempts >= maxAttempts) return undefined;
  const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 30));
  const askedMs = Math.min(retryAfterMs ?? 0, maxRetryAfterMs);
  return Math.round(Math.max(delayMs * (0.75 + random / 2), askedMs));
}
