import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { buildCommands } from "../support/cli.ts";
import {
  type EventDestination,
  type GenericEvent,
  startEventDestination,
} from "../support/event-destination.ts";
import { type EventRelay, startEventRelay } from "../support/event-relay.ts";
import { alert, fluxObjects, provider } from "../support/flux-objects.ts";
import { type NotifyServer, startNotifyServer } from "../support/notify-server.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const senderFolder = path.join(repositoryRoot, "test/conformance/notification");
const samples = readFileSync(path.join(senderFolder, "samples.json"), "utf8");
/** What the sender's bodies are known to be, their times and its name aside. */
const bodies = readFileSync(path.join(senderFolder, "requests.jsonl"), "utf8")
  .trim()
  .split("\n")
  .flatMap((line) => (JSON.parse(line) as { readonly body?: string }).body ?? []);
const buildTimeoutMs = 10 * 60_000;

await describeWithTools(["go"], "Flux's own recorder", ({ go }) => {
  let folder: TempDir;
  let sender = "";
  let destination: EventDestination;
  let server: NotifyServer;
  let relay: EventRelay;

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("sender");
    sender = path.join(folder.path, "sender");
    const build = ["build", "-buildvcs=false", "-mod=readonly", "-o", sender, "."];
    const built = await run(go, build, {
      cwd: senderFolder,
      env: { ...process.env, GOWORK: "off" },
      timeoutMs: buildTimeoutMs,
    });
    expect(built).toMatchObject({ exitCode: 0 });
    destination = await startEventDestination();
  });

  afterAll(async () => {
    await destination.stop();
    await folder.remove();
  });

  beforeEach(async ({ onTestFinished }) => {
    const config = path.join(folder.path, "alerts.yaml");
    const kinds = ["HelmRelease", "Kustomization"];
    const namespace = "flux-system";
    await writeFile(
      config,
      fluxObjects([
        provider({ name: "hook", namespace }, { type: "generic", address: destination.url }),
        alert(
          { name: "all", namespace },
          { providerRef: { name: "hook" }, eventSources: kinds.map((kind) => ({ kind, name: "*" })) },
        ),
      ]),
    );
    server = await startNotifyServer(config);
    relay = await startEventRelay(server.url);
    onTestFinished(async () => {
      await relay.stop();
      expect(await server.stop()).toBe("");
    });
  });

  async function sendSamples(): Promise<void> {
    const { exitCode, stderr } = await run(sender, [relay.url], { stdin: samples });
    expect({ exitCode, problems: stderr.split("\n").filter((line) => line.includes("http")) }).toEqual({
      exitCode: 0,
      problems: [],
    });
  }

  const statuses = (): readonly number[] => relay.relayed.map(({ status }) => status);

  async function keptEvents(): Promise<readonly string[]> {
    const response = await fetch(`${server.adminUrl}/v1/events`);
    const { items } = (await response.json()) as { readonly items: readonly { readonly message: string }[] };
    return items.map(({ message }) => message).toReversed();
  }

  test("is understood, and its events arrive intact", async () => {
    await sendSamples();
    expect(statuses()).toEqual([202, 202, 202, 202, 202]);
    expect(relay.relayed.map(({ body }) => withoutRun(body))).toEqual(bodies);
    expect(await keptEvents()).toEqual(relay.relayed.map(({ event }) => event.message));
    const arrived = (await destination.take(3)).toSorted(byMessage);
    expect(arrived.map(withoutMetadata)).toEqual(
      relay.relayed
        .slice(0, 3)
        .map(({ body }) => JSON.parse(body) as GenericEvent)
        .toSorted(byMessage)
        .map(withoutMetadata),
    );
    expect(arrived.map(({ metadata }) => metadata)).toEqual([
      { image: "ghcr.io/stefanprodan/podinfo:6.5.0" },
      { deploymentID: "e076e315-5a48-41c3-81c8-8d8bdee7d74d", revision: "6.5.0" },
      { "": "empty", key: "annotation" },
    ]);
  });

  test("is told of duplicates by 429, and does not try again", async () => {
    await sendSamples();
    const first = relay.relayed.length;
    await sendSamples();
    const again = relay.relayed.slice(first);
    expect(again.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    expect(again[0]?.headers).toMatchObject({
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
      "retry-after": expect.stringMatching(/GMT$/u) as string,
    });
    expect(await keptEvents()).toHaveLength(5);
    await destination.take(3);
  });

  test("tries again after 503, and the event is kept once", async () => {
    relay.failNext(2);
    await sendSamples();
    expect(statuses()).toEqual([503, 503, 202, 202, 202, 202, 202]);
    const [first, second, third] = relay.relayed.map(({ body }) => body);
    expect([second, third]).toEqual([first, first]);
    expect(await keptEvents()).toHaveLength(5);
    await destination.take(3);
  });
});

/** A body with the time and the machine's name of the samples. */
function withoutRun(body: string): string {
  return body
    .replace(/"timestamp":"[^"]*"/u, '"timestamp":"2026-11-22T08:00:00Z"')
    .replace(/"reportingInstance":"[^"]*"/u, '"reportingInstance":"sample-instance"');
}

function byMessage({ message: left }: GenericEvent, { message: right }: GenericEvent): number {
  return left < right ? -1 : 1;
}

/** What alerts and providers leave as it is. */
function withoutMetadata(event: GenericEvent): object {
  return { ...event, metadata: undefined };
}
