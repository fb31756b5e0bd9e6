import { FairleadError } from "../../core/error.ts";
import type { RequestOptions } from "../registry-api.ts";

/** One call of the client, with all requests that it takes. */
export interface Call {
  /** Aborted with a FairleadError as its reason: `aborted` or `timeout`. */
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly endsAtMs: number;
}

const defaultTimeoutMs = 60_000;

/**
 * Does work that ends when its caller wants or its time is over.
 * @param subject what the work is about, for the message
 * @throws FairleadError `aborted`, `timeout`, and what `work` throws
 */
export async function withCall<Result>(
  subject: string,
  options: RequestOptions,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const { signal, timeoutMs = defaultTimeoutMs } = options;
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(new FairleadError("aborted", `${subject} was stopped`));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(
    () =>
      controller.abort(
        new FairleadError("timeout", `${subject} took longer than ${timeoutMs / 1000} s`, {
          retryable: true,
        }),
      ),
    timeoutMs,
  );
  try {
    return await untilAborted(
      controller.signal,
      work({ signal: controller.signal, endsAtMs: performance.now() + timeoutMs }),
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** The outcome of `work`, or the reason of the signal as soon as it is aborted. */
export async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Waits. @throws the reason of the call's signal */
export async function pause(durationMs: number, call: Call): Promise<void> {
  if (call.signal.aborted) throw call.signal.reason;
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(call.signal.reason);
    };
    const timer = setTimeout(() => {
      call.signal.removeEventListener("abort", onAbort);
      resolve();
    }, durationMs);
    call.signal.addEventListener("abort", onAbort, { once: true });
  });
}
