import type { Call } from "./call.ts";
import { pause } from "./call.ts";

export interface HostLimitOptions {
  /** Requests at a time; default: 8. */
  readonly maxConcurrent?: number;
  /** Requests a second, once the first {@link burst} are made; default: 50. */
  readonly requestsPerSecond?: number;
  /** Requests that may be made at once after a rest; default: 200. */
  readonly burst?: number;
}

/** Keeps the requests to each host in bounds; clients that share one share the bounds. */
export interface HostLimits {
  /** Does work that is one request to a host, once there is room. @throws the reason of the call's signal */
  run<Result>(host: string, call: Call, work: () => Promise<Result>): Promise<Result>;
  /** Lets no request to a host begin for a while, as it asked for with `Retry-After`. */
  pause(host: string, durationMs: number): void;
}

interface HostState {
  active: number;
  /** Requests that may begin at once, as of `filledAtMs`. */
  tokens: number;
  filledAtMs: number;
  pausedUntilMs: number;
  readonly waiting: Set<() => void>;
}

/** Hosts of redirects come from outside: idle ones are forgotten beyond this. */
const maxHosts = 1_000;

/** Bounds on requests to each host: a number at a time, and a token bucket. */
export function createHostLimits(options: HostLimitOptions = {}): HostLimits {
  const { maxConcurrent = 8, requestsPerSecond = 50, burst = 200 } = options;
  const hosts = new Map<string, HostState>();

  const stateOf = (host: string): HostState => {
    const known = hosts.get(host);
    if (known !== undefined) return known;
    if (hosts.size >= maxHosts) forgetIdle(hosts);
    const state = {
      active: 0,
      tokens: burst,
      filledAtMs: performance.now(),
      pausedUntilMs: 0,
      waiting: new Set<() => void>(),
    };
    hosts.set(host, state);
    return state;
  };

  /** Takes a token, which may be one of the future, and gives how long to wait for it. */
  const takeToken = (state: HostState): number => {
    const nowMs = performance.now();
    const filled = state.tokens + ((nowMs - state.filledAtMs) / 1000) * requestsPerSecond;
    state.tokens = Math.min(burst, filled) - 1;
    state.filledAtMs = nowMs;
    const untilToken = state.tokens >= 0 ? 0 : (-state.tokens / requestsPerSecond) * 1000;
    return Math.max(untilToken, state.pausedUntilMs - nowMs);
  };

  return {
    run: async (host, call, work) => {
      const state = stateOf(host);
      while (state.active >= maxConcurrent) await nextLeave(state, call);
      state.active += 1;
      try {
        const waitMs = takeToken(state);
        if (waitMs > 0) await pause(waitMs, call);
        return await work();
      } finally {
        state.active -= 1;
        const [first] = state.waiting;
        first?.();
      }
    },
    pause: (host, durationMs) => {
      const state = stateOf(host);
      state.pausedUntilMs = Math.max(state.pausedUntilMs, performance.now() + durationMs);
    },
  };
}

async function nextLeave(state: HostState, call: Call): Promise<void> {
  if (call.signal.aborted) throw call.signal.reason;
  await new Promise<void>((resolve, reject) => {
    const settle = (): void => {
      state.waiting.delete(wake);
      call.signal.removeEventListener("abort", onAbort);
    };
    const wake = (): void => {
      settle();
      resolve();
    };
    const onAbort = (): void => {
      settle();
      reject(call.signal.reason);
    };
    state.waiting.add(wake);
    call.signal.addEventListener("abort", onAbort, { once: true });
  });
}

function forgetIdle(hosts: Map<string, HostState>): void {
  for (const [host, { active, waiting, pausedUntilMs }] of hosts) {
    if (active === 0 && waiting.size === 0 && pausedUntilMs < performance.now()) hosts.delete(host);
  }
}
