import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { notificationEvent, outboxEntry } from "../../../test/support/notification.ts";
import { createTempDir } from "../../../test/support/temp-dir.ts";
import { systemClock, type Clock } from "../../core/clock.ts";
import { openOutboxFile } from "./outbox-file.ts";
import { Outbox } from "./outbox.ts";
import { OutboxRecords } from "./records.ts";

const folder = await createTempDir("outbox");
let count = 0;
const freshFile = (): string => join(folder.path, `${count++}.db`);
afterAll(() => folder.remove());

async function openOutbox(file?: string, clock: Clock = systemClock): Promise<Outbox> {
  return new Outbox(await openOutboxFile(file), clock);
}

describe("an outbox", () => {
  test("keeps what it accepted, across processes", async () => {
    const file = freshFile();
    const first = await openOutbox(file);
    await first.accept(outboxEntry("podinfo", "upgraded"));
    const [id = 0] = first.dueIds("apps/chat", 10);
    const due = first.tryLoad(id);
    first.close();
    const second = await openOutbox(file);
    expect(second.destinations()).toEqual(["apps/chat"]);
    expect(second.tryLoad(id)).toEqual(due);
    expect(due).toMatchObject({ attempts: 0, metadata: { revision: "1" }, event: { message: "upgraded" } });
    second.close();
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  test("keeps the order of an object and a destination", async () => {
    const outbox = await openOutbox();
    for (const message of ["first", "second"]) {
      await outbox.accept(outboxEntry("a", message, ["apps/chat", "apps/mail"]));
      await outbox.accept(outboxEntry("b", message));
    }
    const dueMessages = (): readonly string[] =>
      outbox.dueIds("apps/chat", 10).map((id) => {
        const delivery = outbox.tryLoad(id);
        return `${delivery?.event.involvedObject.name} ${delivery?.event.message}`;
      });
    expect(dueMessages()).toEqual(["a first", "b first"]);
    const [id = 0] = outbox.dueIds("apps/chat", 1);
    await outbox.finish(id, { kind: "delivered" });
    expect(dueMessages()).toEqual(["b first", "a second"]);
    outbox.close();
  });

  test("tells a duplicate until the window is over, also after a restart", async () => {
    const clock = new FakeClock();
    const file = freshFile();
    const entry = { ...outboxEntry("a", "same"), window: { key: "k", durationMs: 300_000 } };
    const first = await openOutbox(file, clock);
    const [accepted, duplicate] = await Promise.all([first.accept(entry), first.accept(entry)]);
    expect([accepted.kind, duplicate.kind]).toEqual(["accepted", "duplicate"]);
    first.close();
    const second = await openOutbox(file, clock);
    await clock.advance(299_999);
    expect(await second.accept(entry)).toMatchObject({ kind: "duplicate", resetMs: clock.nowMs() + 1 });
    await clock.advance(1);
    expect(await second.accept(entry)).toMatchObject({ kind: "accepted" });
    second.close();
  });

  test("tells no duplicate of a time to come, where the clock was set back", async () => {
    const entry = { ...outboxEntry("a", "same"), window: { key: "k", durationMs: 300_000 } };
    const nowMs = Date.parse("2026-08-01T00:00:00Z");
    const file = freshFile();
    const wrong = await openOutbox(file, new FakeClock(nowMs + 86_400_000));
    await wrong.accept(entry);
    wrong.close();
    const right = await openOutbox(file, new FakeClock(nowMs));
    expect(await right.accept(entry)).toMatchObject({ kind: "accepted", resetMs: nowMs + 300_000 });
    expect(await right.accept(entry)).toMatchObject({ kind: "duplicate" });
    right.close();
  });

  test("refuses what the disk does not take, whole, and takes what fits", async () => {
    const outbox = await openOutbox(freshFile());
    await outbox.accept(outboxEntry("a", "fits"));
    outbox.file.limitPages(Math.ceil(outbox.file.usedBytes() / 4096) + 4);
    const large = { ...outboxEntry("a", "x".repeat(200_000)), window: { key: "large", durationMs: 1000 } };
    const [refused, taken] = await Promise.allSettled([
      outbox.accept(large),
      outbox.accept(outboxEntry("a", "small")),
    ]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "state-invalid" } });
    expect(taken).toMatchObject({ status: "fulfilled" });
    expect(outbox.openWindow(large.window)).toBeUndefined();
    outbox.file.limitPages(1_000_000);
    expect(await outbox.accept(large)).toMatchObject({ kind: "accepted" });
    expect(new OutboxRecords(outbox.file).queueStatus().depth).toBe(3);
    outbox.close();
  });

  test("puts dead letters back at their place, and delivered ones out under another key", async () => {
    const outbox = await openOutbox();
    await outbox.accept(outboxEntry("a", "first"));
    await outbox.accept(outboxEntry("a", "second"));
    const [first = 0] = outbox.dueIds("apps/chat", 1);
    const key = outbox.tryLoad(first)?.idempotencyKey;
    await outbox.finish(first, { kind: "dead", error: "no such channel" });
    const [second = 0] = outbox.dueIds("apps/chat", 1);
    expect(second).toBe(first + 1);
    // The second may be on its way: it goes first.
    expect(await outbox.replay([first, 99])).toEqual({ count: 1, destinations: ["apps/chat"] });
    expect(outbox.dueIds("apps/chat", 10)).toEqual([second]);
    await outbox.finish(second, { kind: "delivered" });
    expect(outbox.tryLoad(first)).toMatchObject({ attempts: 0, idempotencyKey: key });
    await outbox.finish(first, { kind: "delivered" });
    await outbox.replay([first]);
    expect(outbox.tryLoad(first)?.idempotencyKey).not.toBe(key);
    outbox.close();
  });

  test("drops what is queued, and lets the next of the lane go on", async () => {
    const outbox = await openOutbox();
    await outbox.accept(outboxEntry("a", "first"));
    await outbox.accept(outboxEntry("a", "second"));
    const [first = 0] = outbox.dueIds("apps/chat", 1);
    expect(await outbox.drop([first])).toMatchObject({ count: 1 });
    expect(outbox.dueIds("apps/chat", 10)).toEqual([first + 1]);
    // What was being sent when it was dropped stays dropped.
    await outbox.finish(first, { kind: "delivered" });
    const records = new OutboxRecords(outbox.file);
    expect(records.tryDelivery(first)?.state).toBe("dropped");
    expect(records.queueStatus()).toMatchObject({ depth: 1, dead: 0 });
    outbox.close();
  });

  test("lists by pages", async () => {
    const outbox = await openOutbox();
    for (let index = 1; index <= 5; index++) await outbox.accept(outboxEntry(`o${index}`, `m${index}`));
    const records = new OutboxRecords(outbox.file);
    const first = records.events({ limit: 2 });
    expect(first.items.map(({ message }) => message)).toEqual(["m5", "m4"]);
    const second = records.events({ limit: 3, before: first.next });
    expect(second.items.map(({ message }) => message)).toEqual(["m3", "m2", "m1"]);
    expect(second.next).toBeUndefined();
    expect(records.deliveries({ limit: 9, state: "ready", provider: "apps/chat" }).items).toHaveLength(5);
    expect(records.tryEvent(1)).toMatchObject({
      event: notificationEvent({
        message: "m1",
        involvedObject: { kind: "HelmRelease", namespace: "apps", name: "o1" },
      }),
      deliveries: [{ event: 1, alert: "apps/all" }],
    });
    expect(records.tryEvent(77)).toBeUndefined();
    outbox.close();
  });
});

describe("a file is refused", () => {
  test.each<[name: string, make: (file: string) => Promise<void>, message: RegExp]>([
    ["of a newer fairlead", (file) => change(file, "PRAGMA user_version = 99"), /version 99, from a newer/u],
    ["of another program", (file) => change(file, "PRAGMA application_id = 7"), /of something else/u],
    ["that is no database", (file) => writeFile(file, "no database".repeat(1000)), /not a database/u],
  ])("%s", async (_name, make, message) => {
    const file = freshFile();
    await make(file);
    await expect(openOutboxFile(file)).rejects.toThrow(message);
    await expect(openOutboxFile(file)).rejects.toThrow(
      expect.objectContaining({ code: "state-invalid", where: { file } }),
    );
  });

  test("that another process serves, but not for reading", async () => {
    const file = freshFile();
    const served = await openOutboxFile(file);
    await expect(openOutboxFile(file)).rejects.toThrow(/in use by another process/u);
    const read = await openOutboxFile(file, { readOnly: true });
    expect(new OutboxRecords(read).queueStatus().depth).toBe(0);
    read.close();
    served.close();
    (await openOutboxFile(file)).close();
  });

  test("that is not there, where it is only read", async () => {
    await expect(openOutboxFile(freshFile(), { readOnly: true })).rejects.toThrow(
      expect.objectContaining({ code: "state-invalid" }),
    );
  });
});

async function change(file: string, sql: string): Promise<void> {
  (await openOutboxFile(file)).close();
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
