import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { createLogger } from "../../core/log.ts";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { outboxEntry } from "../../../test/support/notification.ts";
import type { AttemptReport, Deliver } from "./attempt.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./back-off.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { DueDelivery } from "./entry.ts";
import { openOutboxFile } from "./outbox-file.ts";
import { Outbox } from "./outbox.ts";
import { OutboxRecords } from "./records.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });
const minuteMs = 60_000;

interface Case {
  readonly clock: FakeClock;
  readonly outbox: Outbox;
  readonly records: OutboxRecords;
  readonly dispatcher: Dispatcher;
  readonly reports: AttemptReport[];
  readonly send: (name: string, message: string, destinations?: readonly string[]) => Promise<void>;
}

/** A clock that goes on whenever somebody looks at it. */
class CreepingClock extends FakeClock {
  #looks = 0;

  override nowMs(): number {
    return super.nowMs() + this.#looks++;
  }
}

async function dispatch(
  deliver: Deliver,
  retry: RetryPolicy = defaultRetryPolicy,
  clock: FakeClock = new FakeClock(),
): Promise<Case> {
  const outbox = new Outbox(await openOutboxFile(undefined), clock);
  const reports: AttemptReport[] = [];
  const dispatcher = new Dispatcher({
    outbox,
    deliver,
    clock,
    retry,
    perDestination: 4,
    log,
    random: () => 0.5,
    onAttempt: (report) => void reports.push(report),
  });
  dispatcher.start();
  return {
    clock,
    outbox,
    records: new OutboxRecords(outbox.file),
    dispatcher,
    reports,
    send: async (name, message, destinations) => {
      const accepted = await outbox.accept(outboxEntry(name, message, destinations));
      if (accepted.kind === "accepted") dispatcher.wake(accepted.destinations);
    },
  };
}

function failure(options: { retryable?: boolean; retryAfterMs?: number } = {}): FairleadError {
  return new FairleadError("delivery-failed", "the server says 500", { retryable: true, ...options });
}

describe("a destination", () => {
  test("that answers 500 for an hour gets everything once, in order", async () => {
    const arrived: string[] = [];
    const { clock, send, records } = await dispatch(async ({ event }) => {
      await Promise.resolve();
      if (clock.nowMs() < startMs + 60 * minuteMs) throw failure();
      arrived.push(`${event.involvedObject.name} ${event.message}`);
    });
    const startMs = clock.nowMs();
    for (const message of ["1", "2", "3"]) for (const name of ["a", "b"]) await send(name, message);
    await clock.advance(59 * minuteMs);
    expect(arrived).toEqual([]);
    expect(records.queueStatus()).toMatchObject({ depth: 6, dead: 0 });
    expect(records.deliveries({ limit: 1, state: "ready" }).items[0]?.error).toBe("the server says 500");
    await clock.advance(10 * minuteMs);
    expect(arrived.toSorted()).toEqual(["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"]);
    expect(arrived.filter((text) => text.startsWith("a"))).toEqual(["a 1", "a 2", "a 3"]);
    expect(records.queueStatus()).toEqual({ depth: 0, dead: 0 });
  });

  test.each(Array.from({ length: 30 }, (_, index) => index + 1))(
    "misses nothing that becomes due while it is looked for, %i ms after a failure",
    async (delayMs) => {
      let attempts = 0;
      const retry = { maxAttempts: 3, firstDelayMs: delayMs, maxDelayMs: delayMs };
      const deliver = async (): Promise<void> => {
        attempts += 1;
        await Promise.resolve();
        if (attempts === 1) throw failure();
      };
      const { clock, send, records } = await dispatch(deliver, retry, new CreepingClock());
      await send("a", "1");
      await clock.advance(minuteMs);
      expect(records.queueStatus()).toEqual({ depth: 0, dead: 0 });
      expect(attempts).toBe(2);
    },
  );

  test("that never works gets dead letters with the last error, after all attempts", async () => {
    const { clock, send, records, reports } = await dispatch(
      async () => {
        throw failure();
      },
      { maxAttempts: 3, firstDelayMs: 1000, maxDelayMs: 5000 },
    );
    await send("a", "1");
    await send("a", "2");
    await clock.advance(minuteMs);
    expect(reports.map(({ result }) => result)).toEqual(["retry", "retry", "dead", "retry", "retry", "dead"]);
    expect(records.deliveries({ limit: 9, state: "dead" }).items).toMatchObject([
      { attempts: 3, error: "the server says 500" },
      { attempts: 3, error: "the server says 500" },
    ]);
  });

  test("that refuses for good gets one attempt", async () => {
    const { clock, send, reports } = await dispatch(async () => {
      throw failure({ retryable: false });
    });
    await send("a", "1");
    await clock.advance(minuteMs);
    expect(reports.map(({ result }) => result)).toEqual(["dead"]);
  });

  test("that asks to be left alone is, for all its objects", async () => {
    const times: number[] = [];
    const { clock, send } = await dispatch(async () => {
      times.push(clock.nowMs() - startMs);
      if (times.length === 1) throw failure({ retryAfterMs: 30_000 });
    });
    const startMs = clock.nowMs();
    await send("a", "1");
    await clock.advance(10);
    await send("b", "1");
    await clock.advance(29_000);
    expect(times).toEqual([0]);
    await clock.advance(2000);
    expect(times).toEqual([0, 30_000, 30_000]);
  });

  test("gets so many deliveries at a time, and does not hold up others", async () => {
    let active = 0;
    let peak = 0;
    const release: (() => void)[] = [];
    const quick: string[] = [];
    const { clock, send, dispatcher, records } = await dispatch(async ({ destination, event }) => {
      if (destination === "apps/quick") {
        quick.push(event.involvedObject.name);
        return;
      }
      active += 1;
      peak = Math.max(peak, active);
      await new Promise<void>((resolve) => void release.push(resolve));
      active -= 1;
    });
    for (let index = 0; index < 10; index++) await send(`o${index}`, "1", ["apps/slow", "apps/quick"]);
    await clock.advance(10);
    expect(peak).toBe(4);
    expect(quick).toHaveLength(10);
    expect(dispatcher.active).toBe(4);
    while (release.length > 0) {
      release.pop()?.();
      await clock.advance(1);
    }
    expect(peak).toBe(4);
    expect(records.queueStatus().depth).toBe(0);
  });
});

test("what cannot be written down is held until the disk takes it, and not sent again", async () => {
  let sent = 0;
  const { clock, outbox, send, records } = await dispatch(async () => {
    sent += 1;
    outbox.file.prepare("PRAGMA query_only = ON").get();
  });
  await send("a", "1");
  await clock.advance(5000);
  expect(sent).toBe(1);
  expect(records.queueStatus().depth).toBe(1);
  outbox.file.prepare("PRAGMA query_only = OFF").get();
  await clock.advance(2000);
  expect(sent).toBe(1);
  expect(records.queueStatus().depth).toBe(0);
});

test("stopping waits for what is being sent, breaks off what takes longer, and begins nothing", async () => {
  const seen: DueDelivery[] = [];
  const { clock, send, dispatcher, records } = await dispatch(async (delivery, signal) => {
    seen.push(delivery);
    await new Promise<void>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new FairleadError("aborted", "stopped")));
    });
  });
  for (const name of ["a", "b", "c", "d", "e"]) await send(name, "1");
  await clock.advance(10);
  const stopped = dispatcher.stop(5000);
  await clock.advance(5000);
  await stopped;
  await send("f", "1");
  expect(seen).toHaveLength(4);
  expect(records.queueStatus().depth).toBe(6);
});
