import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { pause } from "./call.ts";
import type { HostLimits } from "./host-limits.ts";
import { describeUrl, type HttpAnswer, type Send } from "./http-exchange.ts";
import { tryParseRetryAfter } from "./retry-after.ts";

export interface RetryOptions {
  /** Default: 4. */
  readonly maxAttempts?: number;
  /** The longest wait before the second attempt; it doubles with each; default: 500 ms. */
  readonly baseDelayMs?: number;
  /** Default: 10 s. */
  readonly maxDelayMs?: number;
  /** A registry that asks for more time than this is not waited for; default: 60 s. */
  readonly maxRetryAfterMs?: number;
}

/** What is worth another try: a server that is busy or out of order, and one that does not support it is not. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/**
 * Sends again what failed for a while: 408, 429, 5xx, and connections that were refused, reset or too slow.
 * Waits are drawn at random below a bound that doubles, and last at least as long as `Retry-After` says, which
 * holds for all requests to that host. Every request here may be repeated: reads, and asking for a token.
 * @returns the last answer, whatever it is
 */
export function withRetries(
  send: Send,
  options: RetryOptions & { readonly limits: HostLimits; readonly log?: Logger | undefined },
): Send {
  const { maxAttempts = 4, maxRetryAfterMs = 60_000, limits, log } = options;
  return async (request, call) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await limits.run(request.url.host, call, () => attemptOnce(send, request, call));
      if (!isWorthRetry(outcome)) return outcomeOf(outcome);
      const askedMs = retryAfterOf(outcome) ?? 0;
      const waitMs = Math.max(askedMs, backOff(attempt, options));
      const givesUp =
        attempt >= maxAttempts || askedMs > maxRetryAfterMs || performance.now() + waitMs > call.endsAtMs;
      if (givesUp) return outcomeOf(outcome);
      if (askedMs > 0) limits.pause(request.url.host, askedMs);
      log?.debug("request is sent again", {
        url: describeUrl(request.url),
        attempt,
        waitMs: Math.round(waitMs),
        status: outcome instanceof FairleadError ? undefined : outcome.status,
        error: outcome instanceof FairleadError ? outcome.message : undefined,
      });
      await pause(waitMs, call);
    }
  };
}

type Outcome = HttpAnswer | FairleadError;

async function attemptOnce(send: Send, ...[request, call]: Parameters<Send>): Promise<Outcome> {
  try {
    return await send(request, call);
  } catch (error) {
    if (error instanceof FairleadError && error !== call.signal.reason) return error;
    throw error;
  }
}

function isWorthRetry(outcome: Outcome): boolean {
  return outcome instanceof FairleadError ? outcome.retryable : isRetryableStatus(outcome.status);
}

function outcomeOf(outcome: Outcome): HttpAnswer {
  if (outcome instanceof FairleadError) throw outcome;
  return outcome;
}

function retryAfterOf(outcome: Outcome): number | undefined {
  return outcome instanceof FairleadError
    ? undefined
    : tryParseRetryAfter(outcome.headers["retry-after"], Date.now());
}

function backOff(attempt: number, { baseDelayMs = 500, maxDelayMs = 10_000 }: RetryOptions): number {
  const bound = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return bound * (0.5 + Math.random() / 2);
}
