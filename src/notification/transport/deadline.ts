/**
 * Does work that ends when its time is over, or earlier when its caller wants.
 * @param late makes what is thrown when the time is over
 * @throws what `late` makes; the reason of the caller's signal; what the work throws
 */
export async function withDeadline<Result>(
  timeoutMs: number,
  late: () => Error,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) onAbort();
  caller?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => controller.abort(late()), timeoutMs);
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work(signal), aborted.promise]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", onAbort);
  }
}
