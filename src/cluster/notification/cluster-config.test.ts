import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createLogger } from "../../core/log.ts";
import { alertKind, providerKind, receiverKind } from "../../notification/objects/notification-kinds.ts";
import type { NotificationSnapshot } from "../../notification/objects/notification-snapshot.ts";
import type { KubernetesObject, ObjectKind } from "../../objects/object-kind.ts";
import type { StatusObject } from "../controllers/kind-reconciler.ts";
import { ObjectReader } from "../controllers/object-reader.ts";
import { ObservedStore } from "../informer/observed-store.ts";
import { ClusterConfig } from "./cluster-config.ts";
import type { ObjectFeed } from "./followed-objects.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });
const secrets = { get: async () => undefined };
const sources = { labelsOf: async () => undefined, select: async () => [] };
const settledMs = 100;

/** The objects of a kind, as a test changes them. */
class Objects<Read extends KubernetesObject> {
  readonly store = new ObservedStore<StatusObject>(undefined, log);
  readonly synced = Promise.withResolvers<void>();
  readonly feed: ObjectFeed<Read>;
  #version = 0;
  readonly #kind: string;

  constructor(kind: string, reads: ObjectKind<Read>) {
    const reader = new ObjectReader(kind, reads);
    this.#kind = kind;
    this.feed = {
      synced: this.synced.promise,
      subscribe: (handler) => void this.store.subscribe(handler),
      tryGet: (namespace, name) => {
        const raw = this.store.objects.get(namespace, name);
        return raw === undefined ? undefined : reader.read(raw).object;
      },
    };
  }

  put(name: string, spec: object, changes: object = {}, status: object = {}): void {
    const version = this.#kind === "Receiver" ? "v1" : "v1beta3";
    this.#version += 1;
    const metadata = { name, namespace: "apps", uid: `uid-${name}`, resourceVersion: `${this.#version}` };
    this.store.put({
      apiVersion: `notification.toolkit.fluxcd.io/${version}`,
      kind: this.#kind,
      metadata: { ...metadata, generation: 1, ...changes },
      spec,
      status,
    } as StatusObject);
  }
}

const alertSpec = { providerRef: { name: "chat" }, eventSources: [{ kind: "HelmRelease", name: "*" }] };
const providerSpec = { type: "slack", address: "https://hooks.example/x" };
const receiverSpec = {
  type: "generic",
  secretRef: { name: "token" },
  resources: [{ kind: "ImageRepository", name: "app" }],
};

let clock: FakeClock;
let alerts: Objects<ReturnType<typeof alertKind.read>>;
let providers: Objects<ReturnType<typeof providerKind.read>>;
let receivers: Objects<ReturnType<typeof receiverKind.read>>;
let config: ClusterConfig;
let told: NotificationSnapshot[];
let failures: unknown[];

beforeEach(() => {
  clock = new FakeClock();
  alerts = new Objects("Alert", alertKind);
  providers = new Objects("Provider", providerKind);
  receivers = new Objects("Receiver", receiverKind);
  const feeds = { alerts: alerts.feed, providers: providers.feed, receivers: receivers.feed };
  config = new ClusterConfig({ ...feeds, secrets, sources, clock });
  told = [];
  failures = [];
});

afterEach(async () => {
  await config.stop();
  expect(failures).toEqual([]);
});

async function start(): Promise<void> {
  for (const objects of [alerts, providers, receivers]) objects.synced.resolve();
  await config.start({
    loaded: async (snapshot) => void told.push(snapshot),
    failed: (error) => void failures.push(error),
  });
}

function last(): NotificationSnapshot {
  const snapshot = told.at(-1);
  if (snapshot === undefined) throw new Error("nothing was told");
  return snapshot;
}

test("what is there at the beginning is told before it has started", async () => {
  alerts.put("all", alertSpec);
  providers.put("chat", providerSpec);
  receivers.put("hook", receiverSpec);
  await start();
  expect(told).toHaveLength(1);
  expect([...last().alerts.keys(), ...last().providers.keys(), ...last().receivers.keys()]).toEqual([
    "apps/all",
    "apps/chat",
    "apps/hook",
  ]);
});

test("a change of one of a thousand leaves the others as they are, and many in one go are one", async () => {
  for (let index = 0; index < 1000; index++) alerts.put(`a${index}`, alertSpec);
  await start();
  const before = last();
  for (let generation = 2; generation < 50; generation++) {
    alerts.put("a7", { ...alertSpec, eventSeverity: "error" }, { generation });
    providers.put("chat", providerSpec, { generation });
  }
  await clock.advance(settledMs);
  expect(told).toHaveLength(2);
  expect(last().alerts.get("apps/a7")?.spec.eventSeverity).toBe("error");
  const changed = [...last().alerts].filter(([key, alert]) => before.alerts.get(key) !== alert);
  expect(changed.map(([key]) => key)).toEqual(["apps/a7"]);
  expect(before.alerts.get("apps/a7")?.spec.eventSeverity).toBe("info");
});

test.each<[name: string, change: () => void, isTold: boolean]>([
  ["a status", () => providers.put("chat", providerSpec, {}, { lastDelivery: { result: "retry" } }), false],
  ["the path of a webhook", () => receivers.put("hook", receiverSpec, {}, { webhookPath: "/hook/1" }), true],
  ["an annotation", () => alerts.put("all", alertSpec, { annotations: { template: "x" } }), true],
  ["a specification", () => alerts.put("all", alertSpec, { generation: 2 }), true],
  ["another object of the same name", () => alerts.put("all", alertSpec, { uid: "other" }), true],
])("%s counts or not", async (_name, change, isTold) => {
  alerts.put("all", alertSpec);
  providers.put("chat", providerSpec);
  receivers.put("hook", receiverSpec);
  await start();
  change();
  await clock.advance(settledMs);
  expect(told).toHaveLength(isTold ? 2 : 1);
});

test.each<[name: string, change: () => void]>([
  ["deleted", () => alerts.store.replace(new Map())],
  ["being deleted", () => alerts.put("all", alertSpec, { deletionTimestamp: "2026-08-01T00:00:00Z" })],
  ["invalid", () => alerts.put("all", { providerRef: {} }, { generation: 2 })],
])("an Alert that is %s is no longer in force", async (_name, change) => {
  alerts.put("all", alertSpec);
  await start();
  change();
  await clock.advance(settledMs);
  expect([...last().alerts.keys()]).toEqual([]);
});

test("a listener that fails is told so, and is told of the next change", async () => {
  const refusal = new Error("no");
  for (const objects of [alerts, providers, receivers]) objects.synced.resolve();
  await config.start({
    loaded: async (snapshot) => {
      told.push(snapshot);
      if (told.length === 2) throw refusal;
    },
    failed: (error) => void failures.push(error),
  });
  for (const generation of [2, 3]) {
    alerts.put("all", alertSpec, { generation });
    await clock.advance(settledMs);
  }
  expect(told).toHaveLength(3);
  expect(failures.splice(0)).toEqual([refusal]);
});

test("it waits for what is there, until it is stopped, and tells nothing after it", async () => {
  const starting = failureFrom(
    config.start({
      loaded: async (snapshot) => void told.push(snapshot),
      failed: (error) => void failures.push(error),
    }),
  );
  await config.stop();
  expect((await starting).code).toBe("aborted");
  alerts.put("all", alertSpec);
  await clock.advance(settledMs);
  expect(told).toEqual([]);
});
