import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import type { ApiObject } from "../../src/cluster/api/api-object.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { resourceTypes, type WatchedKind } from "../../src/cluster/api/resource-types.ts";
import type { StatusObject } from "../../src/cluster/controllers/kind-reconciler.ts";
import { NotificationControllers } from "../../src/cluster/controllers/notification.ts";
import { KubernetesEventRecorder } from "../../src/cluster/events/kubernetes-event-recorder.ts";
import { createAddressGuard } from "../../src/core/address-guard.ts";
import { createLogger } from "../../src/core/log.ts";
import { defaultRetryPolicy } from "../../src/notification/outbox/back-off.ts";
import { defaultRetentionPolicy } from "../../src/notification/outbox/retention.ts";
import { webhookPath } from "../../src/notification/receivers/webhook-path.ts";
import { NotificationServer } from "../../src/notification/server/notification-server.ts";
import { installDefinitions } from "../support/custom-resource-definitions.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { notificationEvent } from "../support/notification.ts";
import { type Destination, postEvent, startDestination } from "../support/served-notifications.ts";
import { describeWithTools } from "../support/tools.ts";

type Fields = Readonly<Record<string, unknown>>;

const namespace = "apps";
const loopback = { host: "127.0.0.1", port: 0 };
const waiting = { timeout: 20_000, interval: 50 };
/** A rotated Secret is in force by then. */
const rotating = { ...waiting, timeout: 10_000 };
const secretPart = "v3rys3cretpath0123456789";

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "notification in a cluster", (programs) => {
  let cluster: KubernetesCluster;
  let client: ApiClient;
  let controllers: NotificationControllers;
  let events: KubernetesEventRecorder;
  let server: NotificationServer;
  let chat: Destination;
  /** What the chat answers. */
  let status = 200;
  let count = 0;

  beforeAll(async () => {
    cluster = await startKubernetes(programs);
    await installDefinitions(cluster.api);
    await cluster.createNamespace(namespace);
    client = new ApiClient(await openClusterAccess({ kubeconfig: cluster.kubeconfig }));
    chat = await startDestination((response) => {
      response.statusCode = status;
      response.end("ok");
    });
    const log = createLogger({ level: "error", format: "text", write: () => undefined });
    const reporter = { controller: "notification-controller", instance: "test" };
    events = new KubernetesEventRecorder({ api: client, reporter, log });
    const occurrences = { record: () => undefined };
    controllers = new NotificationControllers({ api: client, occurrences, log, concurrency: 4 });
    controllers.watch();
    controllers.start();
    server = await NotificationServer.start({
      ...controllers.serverPorts,
      kubernetesEvents: events,
      stateFile: undefined,
      listen: { events: loopback, receivers: loopback },
      adminToken: undefined,
      dedupe: { windowMs: 0, ignoresVolatileParts: false },
      noCrossNamespaceRefs: false,
      retry: { ...defaultRetryPolicy, firstDelayMs: 50, maxDelayMs: 100 },
      retention: defaultRetentionPolicy,
      perDestination: 4,
      guard: createAddressGuard({ allowLoopback: true }),
      environment: {},
      log,
    });
    await create("Secret", "chat", { stringData: { address: hook("first") } });
    await create("Provider", "chat", {
      spec: { type: "slack", channel: "ops", secretRef: { name: "chat" } },
    });
    await alert("all", { eventMetadata: { cluster: "prod" } });
  });

  afterAll(async () => {
    await server?.stop(1000);
    await controllers?.stop(1000);
    await events?.close();
    await client?.close();
    await chat?.stop();
    await cluster?.stop();
  });

  const hook = (place: string): string => `${chat.url}/services/${place}/${secretPart}`;

  const create = async (kind: WatchedKind, name: string, fields: Fields): Promise<ApiObject> => {
    const type = resourceTypes[kind];
    const apiVersion = type.group === "" ? type.version : `${type.group}/${type.version}`;
    const { labels, ...rest } = fields;
    return client.create(type, {
      apiVersion,
      kind,
      metadata: { name, namespace, labels },
      ...rest,
    } as ApiObject);
  };

  const change = async (kind: WatchedKind, name: string, body: object): Promise<void> => {
    await client.patch(resourceTypes[kind], { namespace, name }, { type: "merge", body });
  };

  const alert = async (name: string, spec: Fields = {}): Promise<void> => {
    const eventSources = [{ kind: "ImageRepository", name: "*" }];
    await create("Alert", name, { spec: { providerRef: { name: "chat" }, eventSources, ...spec } });
  };

  /** Posts an event about an ImageRepository, each with a text of its own. */
  const post = async (name: string, metadata: Readonly<Record<string, string>> = {}): Promise<string> => {
    const message = `message ${(count += 1)}`;
    const apiVersion = "image.toolkit.fluxcd.io/v1";
    const involvedObject = { apiVersion, kind: "ImageRepository", namespace, name };
    const { addresses } = server;
    const response = await postEvent(
      `http://${addresses.events}/`,
      notificationEvent({ involvedObject, message, metadata }),
    );
    expect(response.status).toBe(202);
    return message;
  };

  /** What the chat got of an event. */
  const arrived = (message: string): Destination["arrivals"] =>
    chat.arrivals.filter(({ body }) => body.includes(`"${message}"`));

  const conditionOf = async (kind: WatchedKind, name: string, type: string): Promise<string> => {
    const { status: found } = await client.get<StatusObject>(resourceTypes[kind], { namespace, name });
    const condition = found?.conditions?.find((each) => each.type === type);
    return `${condition?.status} ${condition?.reason}: ${condition?.message}`;
  };

  const becomes = async (kind: WatchedKind, name: string, expected: string, type = "Ready"): Promise<void> =>
    vi.waitFor(async () => expect(await conditionOf(kind, name, type)).toBe(expected), waiting);

  test("an event reaches a chat whose address is in a Secret, and the Provider tells it", async () => {
    await becomes("Provider", "chat", "True Succeeded: Initialized");
    await becomes("Alert", "all", "True Succeeded: Initialized");
    const message = await post("app", { "event.toolkit.fluxcd.io/image": "a:1" });
    await vi.waitFor(() => expect(arrived(message)).toHaveLength(1), waiting);
    const [arrival] = arrived(message);
    expect(arrival?.path).toBe(`/services/first/${secretPart}`);
    const sent = JSON.parse(arrival?.body ?? "{}") as {
      channel: string;
      attachments: { fields: object[] }[];
    };
    expect(sent.channel).toBe("ops");
    expect(sent.attachments[0]?.fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: "cluster", value: "prod" }),
        expect.objectContaining({ title: "image", value: "a:1" }),
      ]),
    );
    await becomes("Provider", "chat", "True Succeeded: notifications are delivered", "Delivering");
    const provider = await client.get<StatusObject>(resourceTypes.Provider, { namespace, name: "chat" });
    expect(provider.status?.["lastDelivery"]).toMatchObject({ result: "delivered" });
    expect(provider.status?.observedGeneration).toBe(1);
    expect(JSON.stringify(provider)).not.toContain(secretPart);
  });

  test("a rotated Secret is in force soon", async () => {
    await change("Secret", "chat", { stringData: { address: hook("second") } });
    await vi.waitFor(async () => {
      const message = await post("app");
      await vi.waitFor(() => expect(arrived(message)).toHaveLength(1), waiting);
      expect(arrived(message)[0]?.path).toBe(`/services/second/${secretPart}`);
    }, rotating);
  });

  test("a conflict of metadata becomes an Event on the Alert", async () => {
    await post("app", { "event.toolkit.fluxcd.io/cluster": "dev" });
    await vi.waitFor(async () => {
      const { items } = await client.list<ApiObject & { reason: string; involvedObject: object }>(
        resourceTypes.Event,
        { namespace },
      );
      expect(items.find(({ reason }) => reason === "MetadataAppendFailed")).toMatchObject({
        type: "Warning",
        involvedObject: { kind: "Alert", namespace, name: "all" },
        metadata: {
          annotations: { cluster: "involved object annotations, Alert object .spec.eventMetadata" },
        },
      });
    }, waiting);
  });

  test("a changed Alert is in force, and one that is suspended is not", async () => {
    await change("Alert", "all", { spec: { exclusionList: ["message"] } });
    await vi.waitFor(async () => {
      const before = chat.arrivals.length;
      await post("app");
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(chat.arrivals).toHaveLength(before);
    }, waiting);
    await change("Alert", "all", { spec: { exclusionList: ["("] } });
    await becomes(
      "Alert",
      "all",
      "False ValidationFailed: spec.exclusionList[0] is no regular expression and counts for nothing: error parsing regexp: missing closing ): `(`",
    );
    expect(await conditionOf("Alert", "all", "Stalled")).toContain("True ValidationFailed");
    await change("Alert", "all", { spec: { exclusionList: null, suspend: true } });
  });

  test("labels count as they are now", async () => {
    await create("ImageRepository", "labelled", {
      labels: { team: "a" },
      spec: { image: "registry.example/app", interval: "1h" },
    });
    await alert("team-a", {
      eventSources: [{ kind: "ImageRepository", name: "*", matchLabels: { team: "a" } }],
    });
    await vi.waitFor(async () => {
      const message = await post("labelled");
      await vi.waitFor(() => expect(arrived(message)).toHaveLength(1), { timeout: 500 });
    }, waiting);
    await change("ImageRepository", "labelled", { metadata: { labels: { team: "b" } } });
    await vi.waitFor(async () => {
      const before = chat.arrivals.length;
      await post("labelled");
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(chat.arrivals).toHaveLength(before);
    }, waiting);
    await change("ImageRepository", "labelled", { metadata: { labels: { team: "a" } } });
  });

  test("a failing destination shows in the Provider, without its secrets", async () => {
    await create("Provider", "failing", { spec: { type: "slack", address: hook("failing") } });
    await alert("failing", { providerRef: { name: "failing" } });
    await becomes("Alert", "failing", "True Succeeded: Initialized");
    status = 503;
    try {
      const host = new URL(chat.url).host;
      await vi.waitFor(async () => {
        await post("app");
        await vi.waitFor(() => expect(chat.arrivals.at(-1)?.path).toContain("/failing/"), { timeout: 500 });
      }, waiting);
      await becomes("Provider", "failing", `False DeliveryFailed: ${host} answered 503: ok`, "Delivering");
      const provider = await client.get<StatusObject>(resourceTypes.Provider, { namespace, name: "failing" });
      expect(provider.status?.["lastDelivery"]).toMatchObject({
        result: "retry",
        message: `${host} answered 503: ok`,
      });
      expect(JSON.stringify(provider.status)).not.toContain(secretPart);
      expect(await conditionOf("Provider", "failing", "Ready")).toBe("True Succeeded: Initialized");
    } finally {
      status = 200;
    }
  });

  test("an Alert tells that its Provider is gone, and that it is there again", async () => {
    await client.delete(resourceTypes.Provider, { namespace, name: "failing" });
    await becomes("Alert", "failing", "False ProviderNotFound: there is no valid Provider apps/failing");
    await create("Provider", "failing", { spec: { type: "slack", address: hook("failing") } });
    await becomes("Alert", "failing", "True Succeeded: Initialized");
  });

  test("a Provider waits for its Secret", async () => {
    await create("Provider", "waiting", { spec: { type: "slack", secretRef: { name: "later" } } });
    await becomes("Provider", "waiting", "False SecretNotFound: there is no Secret apps/later");
    await create("Secret", "later", { stringData: { address: hook("later") } });
    await becomes("Provider", "waiting", "True Succeeded: Initialized");
  });

  test("a webhook annotates what a Receiver names, and a rotated token moves it", async () => {
    const spec = {
      type: "generic",
      secretRef: { name: "token" },
      resources: [
        { kind: "ImageRepository", name: "labelled" },
        { kind: "ImageRepository", name: "*", matchLabels: { team: "c" } },
      ],
    };
    await create("Receiver", "hook", { spec });
    await becomes("Receiver", "hook", "False TokenNotFound: Secret token is not known");
    await create("ImageRepository", "other", {
      labels: { team: "c" },
      spec: { image: "registry.example/other", interval: "1h" },
    });
    await create("Secret", "token", { stringData: { token: "t0ken" } });
    const first = webhookPath("t0ken", "hook", namespace);
    await becomes("Receiver", "hook", `True Succeeded: Receiver initialized for path: ${first}`);
    await vi.waitFor(async () => expect(await call(first)).toBe(200), rotating);
    for (const name of ["labelled", "other"]) {
      const { metadata } = await client.get(resourceTypes.ImageRepository, { namespace, name });
      expect(Date.parse(metadata.annotations?.["reconcile.fluxcd.io/requestedAt"] ?? "")).toBeGreaterThan(0);
    }
    await change("Secret", "token", { stringData: { token: "n3w" } });
    const second = webhookPath("n3w", "hook", namespace);
    await vi.waitFor(
      async () => expect([await call(first), await call(second)]).toEqual([404, 200]),
      rotating,
    );
    await change("Receiver", "hook", {
      metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": "now" } },
    });
    await becomes("Receiver", "hook", `True Succeeded: Receiver initialized for path: ${second}`);
    const { metadata, status: written } = await client.get<StatusObject>(resourceTypes.Receiver, {
      namespace,
      name: "hook",
    });
    expect(written).toMatchObject({
      webhookPath: second,
      lastHandledReconcileAt: "now",
      observedGeneration: 1,
    });
    expect(metadata.finalizers).toEqual(["finalizers.fluxcd.io"]);
    await client.delete(resourceTypes.Receiver, { namespace, name: "hook" });
    await vi.waitFor(async () => expect(await call(second)).toBe(404), waiting);
  });

  const call = async (path: string): Promise<number> => {
    const response = await fetch(`http://${server.addresses.receivers}${path}`, {
      method: "POST",
      body: "{}",
    });
    return response.status;
  };

  test("a Receiver whose filter is none is stalled", async () => {
    await create("Receiver", "filtered", {
      spec: {
        type: "generic",
        secretRef: { name: "token" },
        resourceFilter: "((",
        resources: [{ kind: "ImageRepository", name: "labelled" }],
      },
    });
    await vi.waitFor(async () => {
      expect(await conditionOf("Receiver", "filtered", "Stalled")).toContain("True InvalidCELExpression");
    }, waiting);
    const path = webhookPath("n3w", "filtered", namespace);
    await vi.waitFor(async () => expect(await call(path)).toBe(503), waiting);
  });
});
