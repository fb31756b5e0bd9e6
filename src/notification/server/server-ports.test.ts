import { afterEach, beforeEach, expect, test } from "vitest";
import { notificationEvent } from "../../../test/support/notification.ts";
import {
  alert,
  type Destination,
  postEvent,
  provider,
  type RunningServer,
  startDestination,
  startNotificationServer,
  writeObjects,
} from "../../../test/support/served-notifications.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { FairleadError } from "../../core/error.ts";
import { folderSnapshot } from "../objects/folder-snapshot.ts";
import { loadNotificationObjects } from "../objects/load-notification-objects.ts";
import type { SourceReader } from "../objects/notification-snapshot.ts";
import type { AttemptReport } from "../outbox/attempt.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";
import type { NotificationConfig } from "./notification-config.ts";

let folder: TempDir;
let destination: Destination;
let status: number;
let running: RunningServer | undefined;
let told: KubernetesEvent[];
let attempts: AttemptReport[];
/** Objects whose labels were asked for. */
let asked: string[];

beforeEach(async () => {
  folder = await createTempDir("server-ports");
  status = 200;
  told = [];
  attempts = [];
  asked = [];
  destination = await startDestination((response) => {
    response.statusCode = status;
    response.end();
  });
});

afterEach(async () => {
  await running?.server.stop(1000);
  await destination.stop();
  await folder.remove();
  running = undefined;
});

/** A server over objects that are not read from files, with the labels that are given. */
async function serve(
  labelsOf: SourceReader["labelsOf"],
  listen: object = { events: { host: "127.0.0.1", port: 0 } },
): Promise<RunningServer> {
  const teamA = { eventSources: [{ kind: "HelmRelease", name: "*", matchLabels: { team: "a" } }] };
  await writeObjects(folder.path, [
    provider("hook", { type: "generic", address: destination.url }),
    alert("team-a", "hook", { ...teamA, eventMetadata: { cluster: "prod" } }),
    alert("errors", "hook", { ...teamA, eventSeverity: "error" }),
  ]);
  const { objects } = await loadNotificationObjects([folder.path]);
  const snapshot = folderSnapshot(objects);
  const sources: SourceReader = {
    ...snapshot.sources,
    labelsOf: async (object) => {
      asked.push(object.name);
      return labelsOf(object);
    },
  };
  const config: NotificationConfig = {
    start: async (listener) => listener.loaded({ ...snapshot, sources }),
    stop: async () => undefined,
  };
  running = await startNotificationServer(folder.path, {
    config,
    listen,
    kubernetesEvents: { record: (event) => void told.push(event) },
    onAttempt: (report) => void attempts.push(report),
  });
  return running;
}

async function send(
  { events }: RunningServer,
  changes: Parameters<typeof notificationEvent>[0] = {},
): Promise<number> {
  return (await postEvent(events, notificationEvent(changes))).status;
}

test("labels are asked for once an event, and only where an Alert needs them", async () => {
  const on = await serve(async () => ({ team: "a" }));
  const involvedObject = { kind: "Kustomization", namespace: "apps", name: "other" };
  expect(await send(on, { involvedObject })).toBe(202);
  expect(asked).toEqual([]);
  expect(await send(on, { severity: "error" })).toBe(202);
  await destination.arrived(2);
  expect(asked).toEqual(["podinfo"]);
});

test("an event is refused for now where labels cannot be read, and taken when they can", async () => {
  let isThere = false;
  const on = await serve(async () => {
    if (isThere) return { team: "a" };
    throw new FairleadError("upstream-unreachable", "no", { retryable: true });
  });
  expect(await send(on)).toBe(503);
  isThere = true;
  expect(await send(on)).toBe(202);
  await destination.arrived(1);
});

test("what owners should know goes to the cluster as well, and each attempt is told", async () => {
  const on = await serve(async () => ({ team: "a" }));
  status = 400;
  await send(on, { metadata: { "event.toolkit.fluxcd.io/cluster": "dev" } });
  await expect.poll(() => told).toHaveLength(2);
  expect(told.map(({ reason, involvedObject: { name } }) => `${name} ${reason}`)).toEqual([
    "team-a MetadataAppendFailed",
    "team-a NotificationDispatchFailed",
  ]);
  expect(attempts.map(({ result, delivery }) => `${delivery.destination} ${result}`)).toEqual([
    "apps/hook dead",
  ]);
  const kept = (): number =>
    on.server.records.kubernetesEvents({ limit: 10, before: undefined }).items.length;
  await expect.poll(kept).toBe(2);
});

test("a duplicate tells the cluster nothing", async () => {
  const on = await serve(async () => undefined);
  expect([await send(on), await send(on)]).toEqual([202, 429]);
  expect(told.map(({ reason }) => reason)).toEqual(["SourceFetchFailed"]);
});

test("without a listener of its own, its metrics and readiness are there to be asked for", async () => {
  const { server } = await serve(async () => ({}));
  expect(server.addresses.metrics).toBeUndefined();
  expect(server.metrics.format()).toContain("fairlead_notification_queue_depth 0\n");
  expect(server.unreadyReason()).toBeUndefined();
  await server.stop(0);
  running = undefined;
  expect(server.unreadyReason()).toBe("the server is stopping");
});
