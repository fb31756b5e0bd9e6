import { expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { notificationEvent } from "../../../test/support/notification.ts";
import { FairleadError } from "../../core/error.ts";
import type { AttemptReport } from "../../notification/outbox/attempt.ts";
import { DeliveryLog } from "./delivery-log.ts";

function attempt(
  result: AttemptReport["result"],
  message?: string,
  destination = "apps/chat",
): AttemptReport {
  const delivery = {
    id: 1,
    destination,
    event: notificationEvent(),
    alert: { namespace: "apps", name: "all" },
    metadata: {},
    idempotencyKey: "1",
    attempts: 0,
  };
  const told = { delivery, result, durationMs: 1 };
  return message === undefined ? told : { ...told, error: new FairleadError("delivery-failed", message) };
}

function start(): { readonly log: DeliveryLog; readonly clock: FakeClock; readonly changed: string[] } {
  const clock = new FakeClock(0);
  const changed: string[] = [];
  const log = new DeliveryLog({
    clock,
    changed: (provider) => {
      const { result = "", message = "" } = { ...log.told(provider) };
      changed.push(`${clock.nowMs()} ${provider} ${result} ${message}`.trim());
    },
  });
  return { log, clock, changed };
}

test("the first delivery is told, and those like it are not", async () => {
  const { log, clock, changed } = start();
  for (let second = 0; second < 120; second++) {
    log.note(attempt("delivered"));
    await clock.advance(1_000);
  }
  expect(changed).toEqual(["0 apps/chat delivered"]);
});

test("another result is told at once after a long time, and else when half a minute is over", async () => {
  const { log, clock, changed } = start();
  log.note(attempt("delivered"));
  await clock.advance(60_000);
  log.note(attempt("retry", "503"));
  await clock.advance(10_000);
  log.note(attempt("dead", "404"));
  log.note(attempt("delivered"));
  expect(log.told("apps/chat")?.result).toBe("retry");
  await clock.advance(60_000);
  expect(changed).toEqual([
    "0 apps/chat delivered",
    "60000 apps/chat retry 503",
    "90000 apps/chat delivered",
  ]);
});

test("what goes to and fro is told as it is in the end", async () => {
  const { log, clock, changed } = start();
  for (let second = 0; second < 60; second++) {
    log.note(second % 2 === 0 ? attempt("retry", `attempt ${second}`) : attempt("delivered"));
    await clock.advance(1_000);
  }
  expect(changed.length).toBeLessThanOrEqual(3);
  await clock.advance(60_000);
  expect(log.told("apps/chat")?.result).toBe("delivered");
});

test("each Provider is told of by itself, and one that is gone no longer", async () => {
  const { log, clock, changed } = start();
  log.note(attempt("delivered"));
  log.note(attempt("dead", "404", "apps/mail"));
  log.note(attempt("retry", "503"));
  log.forget("apps/chat");
  await clock.advance(60_000);
  expect(changed).toEqual(["0 apps/chat delivered", "0 apps/mail dead 404"]);
  expect(log.told("apps/chat")).toBeUndefined();
  expect(log.told("apps/mail")).toEqual({ timeMs: 0, result: "dead", message: "404" });
});

test("nothing is told after the end", async () => {
  const { log, clock, changed } = start();
  log.note(attempt("delivered"));
  log.note(attempt("retry", "503"));
  log.stop();
  await clock.advance(60_000);
  expect(changed).toEqual(["0 apps/chat delivered"]);
});
