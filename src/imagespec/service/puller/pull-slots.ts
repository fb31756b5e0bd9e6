/** Lets work begin in the order of its coming, some at a time. */
export interface PullSlots {
  /** Does work once there is room. @throws the reason of the signal, where it ends before */
  run<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result>;
}

/** @param count how much runs at a time */
export function createPullSlots(count: number): PullSlots {
  let free = count;
  const waiting = new Set<() => void>();
  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted === true) throw signal.reason;
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        waiting.delete(admit);
        reject(signal?.reason);
      };
      const admit = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      waiting.add(admit);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  };
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    run: async (signal, work) => {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
