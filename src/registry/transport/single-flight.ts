import { type Call, untilAborted } from "./call.ts";

/** Work that several callers want at once and that is done once for all of them. */
export interface SingleFlight<Result> {
  /**
   * Joins the work of a key, or begins it. It is given a call of its own, which ends when all who wait for it
   * have gone.
   * @throws the reason of the caller's own signal, and what the work throws
   */
  run(key: string, call: Call, work: (shared: Call) => Promise<Result>): Promise<Result>;
}

interface Flight<Result> {
  readonly controller: AbortController;
  readonly outcome: Promise<Result>;
  waiting: number;
}

/** A {@link SingleFlight} without work. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();
  const begin = (key: string, call: Call, work: (shared: Call) => Promise<Result>): Flight<Result> => {
    const controller = new AbortController();
    // Who joins later may have more time than who begins, and begins anew if this is not enough.
    const outcome = work({ signal: controller.signal, endsAtMs: call.endsAtMs });
    const flight = { controller, outcome, waiting: 0 };
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    outcome.then(land, land);
    flights.set(key, flight);
    return flight;
  };
  return {
    run: async (key, call, work) => {
      if (call.signal.aborted) throw call.signal.reason;
      const flight = flights.get(key) ?? begin(key, call, work);
      flight.waiting += 1;
      try {
        return await untilAborted(call.signal, flight.outcome);
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          if (flights.get(key) === flight) flights.delete(key);
          flight.controller.abort(call.signal.reason);
        }
      }
    },
  };
}
