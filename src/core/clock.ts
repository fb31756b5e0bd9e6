/** Time as what waits sees it, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Calls back after a while, unless what it gives is called before. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The longest that a timer of Node counts. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's own time; what waits for it does not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), maxTimerMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Time that only goes on: where somebody sets the machine's own, it goes its own way from then on. */
export const steadyClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  after: (delayMs, callback) => systemClock.after(delayMs, callback),
};

/** Waits for a while; ends early, and in peace, when the signal aborts. */
export async function rest(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const rested = Promise.withResolvers<void>();
  const end = (): void => rested.resolve();
  const cancel = clock.after(delayMs, end);
  signal.addEventListener("abort", end);
  await rested.promise;
  // Signals may live as long as the process.
  signal.removeEventListener("abort", end);
  cancel();
}
