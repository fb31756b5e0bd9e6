import type { Clock } from "../../src/core/clock.ts";
import type { LeasePort, LeaseRecord, StoredLease } from "../../src/cluster/lease/lease.ts";

/** What happens to one request. */
export interface RequestFate {
  /** How long it is under way; undefined: it is lost. */
  readonly thereMs: number | undefined;
  /** The same of its answer. */
  readonly backMs: number | undefined;
}

/** A Lease at an API server that is reached over a network that delays and loses. */
export class SimulatedLease {
  readonly #clock: Clock;
  #version = 0;
  stored: StoredLease | undefined;
  /** Requests that came, by their verbs. */
  readonly requests: string[] = [];
  /** Called before a record takes the place of another. */
  onWrite: (record: LeaseRecord, before: LeaseRecord | undefined) => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Writes as somebody else would. */
  put(record: LeaseRecord): void {
    this.stored = { record, resourceVersion: String(++this.#version) };
  }

  /** The way of one candidate to it. */
  port(fate: () => RequestFate = () => ({ thereMs: 0, backMs: 0 })): LeasePort {
    const send = async <Answer>(verb: string, signal: AbortSignal, serve: () => Answer): Promise<Answer> => {
      const { thereMs, backMs } = fate();
      const answer = Promise.withResolvers<Answer>();
      const arrive = (): void => {
        this.requests.push(verb);
        const served = serve();
        if (backMs === 0) answer.resolve(served);
        else if (backMs !== undefined) this.#clock.after(backMs, () => answer.resolve(served));
      };
      const onAbort = (): void => answer.reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      else if (thereMs === 0) arrive();
      else if (thereMs !== undefined) this.#clock.after(thereMs, arrive);
      return answer.promise;
    };
    const write = (record: LeaseRecord): StoredLease => {
      this.onWrite(record, this.stored?.record);
      this.put(record);
      return { record, resourceVersion: String(this.#version) };
    };
    return {
      get: async (signal) => send("get", signal, () => this.stored),
      create: async (record, signal) =>
        send("create", signal, () => (this.stored === undefined ? write(record) : undefined)),
      update: async (record, version, signal) =>
        send("update", signal, () => (this.stored?.resourceVersion === version ? write(record) : undefined)),
    };
  }
}
