import { expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { outboxEntry } from "../../../test/support/notification.ts";
import { openOutboxFile } from "./outbox-file.ts";
import { Outbox } from "./outbox.ts";
import { OutboxRecords } from "./records.ts";
import { Retention, type RetentionPolicy } from "./retention.ts";

const dayMs = 24 * 60 * 60_000;

interface Case {
  readonly clock: FakeClock;
  readonly outbox: Outbox;
  readonly retention: Retention;
  readonly messages: () => readonly string[];
  readonly deliver: (id: number) => Promise<void>;
}

async function openCase(policy: RetentionPolicy): Promise<Case> {
  const clock = new FakeClock();
  const outbox = new Outbox(await openOutboxFile(undefined), clock);
  const records = new OutboxRecords(outbox.file);
  return {
    clock,
    outbox,
    retention: new Retention(outbox.file, clock, policy),
    messages: () => records.events({ limit: 1000 }).items.map(({ message }) => message.slice(0, 9).trim()),
    deliver: async (id) => {
      const finished = outbox.finish(id, { kind: "delivered" });
      await clock.advance(100);
      await finished;
    },
  };
}

test("what has ended is removed by its age, and what is queued never", async () => {
  const { clock, outbox, retention, messages, deliver } = await openCase({ maxAgeMs: dayMs, maxBytes: 1e9 });
  await outbox.accept(outboxEntry("a", "old"));
  await outbox.accept(outboxEntry("b", "queued"));
  await outbox.accept({ ...outboxEntry("c", "unwanted"), deliveries: [] });
  await deliver(1);
  await clock.advance(dayMs + 1000);
  await outbox.accept({ ...outboxEntry("d", "new"), deliveries: [] });
  expect(retention.prune()).toBe(false);
  expect(messages()).toEqual(["new", "queued"]);
});

test("the oldest that have ended make room, and nothing else does", async () => {
  const { clock, outbox, retention, messages, deliver } = await openCase({
    maxAgeMs: dayMs,
    maxBytes: 1_000_000,
  });
  await outbox.accept(outboxEntry("a", "queued   ".padEnd(39_000)));
  for (let index = 0; index < 30; index++)
    await outbox.accept(outboxEntry(`o${index}`, `m${index} `.padEnd(39_000)));
  for (let id = 2; id <= 31; id++) await deliver(id);
  expect(retention.isFull()).toBe(true);
  while (retention.prune());
  await clock.advance(1000);
  expect(retention.isFull()).toBe(false);
  expect(messages()).toContain("queued");
});

test("a window that is long over is forgotten", async () => {
  const { clock, outbox, retention } = await openCase({ maxAgeMs: dayMs, maxBytes: 1e9 });
  const entry = { ...outboxEntry("a", "m"), window: { key: "k", durationMs: 1000 } };
  await outbox.accept(entry);
  await clock.advance(dayMs);
  retention.prune();
  expect(outbox.file.prepare("SELECT count(*) AS count FROM dedupe").get()).toEqual({ count: 0 });
});

test("the windows of a key follow one another from when it was seen first", async () => {
  const { clock, outbox } = await openCase({ maxAgeMs: dayMs, maxBytes: 1e9 });
  const entry = { ...outboxEntry("a", "m"), window: { key: "k", durationMs: 1000 } };
  const startMs = clock.nowMs();
  await outbox.accept(entry);
  await clock.advance(2500);
  expect(await outbox.accept(entry)).toMatchObject({ kind: "accepted", resetMs: startMs + 3000 });
});
