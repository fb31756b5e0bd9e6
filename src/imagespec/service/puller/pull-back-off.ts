/** Waits after failed pulls, for each pod and image. */
export interface PullBackOff {
  /** Whether the last failure is too fresh for another pull. */
  isWaiting(key: string): boolean;
  /** Notes a failure: the next wait is twice as long. */
  fail(key: string, reason: string): void;
  /** Why the last pull failed. */
  lastFailure(key: string): string | undefined;
  /** Forgets why the last pull failed, and all that has been at rest for long. */
  begin(key: string): void;
}

interface Entry {
  waitMs: number;
  failedAtMs: number;
  reason: string | undefined;
}

/** Kubelet's (k8s.io/kubernetes, pkg/kubelet/kubelet.go: imageBackOffPeriod, MaxImageBackOff). */
const firstWaitMs = 10_000;
const longestWaitMs = 5 * 60_000;

/**
 * Kubelet's back-off (k8s.io/client-go, util/flowcontrol/backoff.go): 10 s after the first failure, twice as long
 * after each further one, at most 5 min; after 10 min without a failure it begins anew. A success changes nothing.
 * @param nowMs milliseconds of any clock that does not go back
 */
export function createPullBackOff(nowMs: () => number): PullBackOff {
  const entries = new Map<string, Entry>();
  const freshEntry = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    return entry === undefined || nowMs() - entry.failedAtMs > 2 * longestWaitMs ? undefined : entry;
  };
  return {
    isWaiting: (key) => {
      const entry = freshEntry(key);
      return entry !== undefined && nowMs() - entry.failedAtMs < entry.waitMs;
    },
    fail: (key, reason) => {
      const before = freshEntry(key)?.waitMs;
      const waitMs = before === undefined ? firstWaitMs : Math.min(2 * before, longestWaitMs);
      entries.set(key, { waitMs, failedAtMs: nowMs(), reason });
    },
    lastFailure: (key) => entries.get(key)?.reason,
    begin: (key) => {
      for (const old of entries.keys()) if (freshEntry(old) === undefined) entries.delete(old);
      const entry = entries.get(key);
      if (entry !== undefined) entry.reason = undefined;
    },
  };
}
