import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openOutboxFile } from "../../src/notification/outbox/outbox-file.ts";
import { OutboxRecords } from "../../src/notification/outbox/records.ts";
import { buildCommands, commandEnvironment, commandLine } from "../support/cli.ts";
import { notificationEvent } from "../support/notification.ts";
import {
  alert,
  type Destination,
  provider,
  startDestination,
  writeObjects,
} from "../support/served-notifications.ts";
import { createRandom } from "../support/random.ts";
import { createTempDir } from "../support/temp-dir.ts";

const kills = 50;
const senders = 8;
const folder = await createTempDir("notify-kill");
const config = path.join(folder.path);
const stateFile = path.join(folder.path, "state.db");
let destination: Destination;

beforeAll(async () => {
  await buildCommands();
  // One in ten answers is an error, some of them for good.
  destination = await startDestination((response, count) => {
    response.writeHead(count % 50 === 0 ? 400 : count % 10 === 0 ? 500 : 200).end();
  });
  await writeObjects(config, [
    provider("one", { type: "generic", address: `${destination.url}/one` }),
    provider("two", { type: "generic", address: `${destination.url}/two` }),
    alert("one", "one"),
    alert("two", "two"),
  ]);
});

afterAll(async () => {
  await destination.stop();
  await folder.remove();
});

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startServer(): Promise<Server> {
  const loopback = ["--listen", "--receiver-listen", "--metrics-listen", "--admin-listen"].flatMap((flag) => [
    flag,
    "127.0.0.1:0",
  ]);
  const [program = "", ...args] = commandLine("fairlead", [
    "notify",
    "serve",
    "--config",
    config,
    "--state",
    stateFile,
    "--allow-loopback",
    "--log-level",
    "error",
    ...loopback,
  ]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], env: commandEnvironment() });
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: `http://${(JSON.parse(line) as { readonly events: string }).events}`, child };
  }
  throw new Error("the server did not start");
}

describe(`a server that is killed ${kills} times under load`, () => {
  test("has delivered or given up all that it accepted, each at least once", async () => {
    const random = createRandom("kill");
    const accepted = new Set<string>();
    let sent = 0;
    for (let kill = 0; kill < kills; kill++) {
      const { url, child } = await startServer();
      const ending = new AbortController();
      const send = async (): Promise<void> => {
        while (!ending.signal.aborted) {
          const message = `event ${sent++}`;
          const involvedObject = { kind: "HelmRelease", namespace: "apps", name: `app-${sent % 20}` };
          const body = JSON.stringify(notificationEvent({ message, involvedObject }));
          const response = await fetch(url, { method: "POST", body }).catch(() => undefined);
          if (response?.status === 202) accepted.add(message);
        }
      };
      const sending = Promise.all(Array.from({ length: senders }, send));
      const until = accepted.size + 5 + random.below(100);
      while (accepted.size < until) await new Promise(setImmediate);
      child.kill("SIGKILL");
      await once(child, "exit");
      ending.abort();
      await sending;
    }
    const last = await startServer();
    const file = await openOutboxFile(stateFile, { readOnly: true });
    const records = new OutboxRecords(file);
    while (records.queueStatus().depth > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    last.child.kill("SIGTERM");
    await once(last.child, "exit");

    const arrived = { one: new Set<string>(), two: new Set<string>() };
    for (const { path: to, body } of destination.arrivals) {
      arrived[to === "/one" ? "one" : "two"].add((JSON.parse(body) as { readonly message: string }).message);
    }
    const count = (sql: string): number => Number(file.prepare(sql).get()?.["count"]);
    const events = count("SELECT count(*) AS count FROM event");
    const delivered = count("SELECT count(*) AS count FROM delivery WHERE state = 'delivered'");
    const dead = count("SELECT count(*) AS count FROM delivery WHERE state = 'dead'");
    file.close();
    // What was written just before the end may have been accepted without its sender being told.
    expect(events).toBeGreaterThanOrEqual(accepted.size);
    expect(delivered + dead).toBe(events * 2);
    expect([...accepted].filter((message) => !arrived.one.has(message) || !arrived.two.has(message))).toEqual(
      [],
    );
    expect(dead).toBeGreaterThan(0);
  }, 900_000);
});
