import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeClock } from "../support/fake-clock.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import { outboxEntry } from "../support/notification.ts";
import { createTempDir } from "../support/temp-dir.ts";
import { startNotifyServer } from "../support/notify-server.ts";
import {
  alert,
  postEvent,
  provider,
  startDestination,
  writeObjects,
} from "../support/served-notifications.ts";
import { notificationEvent } from "../support/notification.ts";
import { openOutboxFile } from "../../src/notification/outbox/outbox-file.ts";
import { Outbox } from "../../src/notification/outbox/outbox.ts";

const folder = await createTempDir("notify-admin");
const state = path.join(folder.path, "state.db");

beforeAll(async () => {
  await buildCommands();
  const clock = new FakeClock();
  const outbox = new Outbox(await openOutboxFile(state), clock);
  for (const name of ["one", "two"]) await outbox.accept(outboxEntry(name, `about ${name}`));
  const finished = outbox.finish(1, { kind: "dead", error: "no such channel" });
  await clock.advance(1000);
  await finished;
  outbox.close();
});

afterAll(() => folder.remove());

async function notify(
  ...args: readonly string[]
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return runCommand("fairlead", ["notify", ...args]);
}

describe("the file of a server that does not run", () => {
  test("is listed", async () => {
    const events = await notify("events", "--state", state);
    expect(events.stdout).toMatch(/^ID +RECEIVED +OBJECT +SEVERITY +REASON +DELIVERIES +MESSAGE\n/u);
    expect(events.stdout).toMatch(
      / 1 +2026-08-01T00:00:00.000Z +HelmRelease\/apps\/one .* 1 dead +about one\n/u,
    );
    const dead = await notify("deliveries", "--status", "dead", "--state", state, "--output", "json");
    expect(JSON.parse(dead.stdout)).toMatchObject({
      items: [{ id: 1, error: "no such channel", attempts: 1 }],
    });
  });

  test("is shown, by number", async () => {
    const shown = await notify("show", "event", "2", "--state", state);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      event: { message: "about two" },
      deliveries: [{ state: "ready" }],
    });
    const missing = await notify("show", "delivery", "99", "--state", state);
    expect(missing).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("there is no delivery 99") as string,
    });
  });

  test("is worked on", async () => {
    expect((await notify("replay", "--dead", "--state", state)).stdout).toBe("1 delivery put back\n");
    expect((await notify("drop", "1", "2", "77", "--state", state)).stdout).toBe("2 deliveries dropped\n");
    expect((await notify("drop", "--state", state)).stderr).toContain("no deliveries are named");
  });
});

test("a server is asked, and ends with what is queued", async () => {
  const destination = await startDestination((response) => void response.writeHead(500).end());
  await writeObjects(folder.path, [
    provider("hook", { type: "generic", address: destination.url }),
    alert("all", "hook"),
  ]);
  const own = path.join(folder.path, "served.db");
  const server = await startNotifyServer(folder.path, "--state", own);
  expect((await postEvent(server.url, notificationEvent())).status).toBe(202);
  const listed = await notify("deliveries", "--server", server.adminUrl);
  expect(listed.stdout).toMatch(/ 1 +1 +ready +apps\/hook +apps\/all /u);
  const busy = await notify("drop", "1", "--state", own);
  expect(busy).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("in use by another process") as string,
  });
  await server.stop();
  await destination.stop();
  const left = await notify("deliveries", "--state", own, "--output", "json");
  expect(JSON.parse(left.stdout)).toMatchObject({ items: [{ state: "ready" }] });
  const unanswered = await notify("events", "--server", server.adminUrl);
  expect(unanswered).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("does not answer") as string,
  });
});
