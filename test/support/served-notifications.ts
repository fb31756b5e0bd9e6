import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import type { Diagnostic } from "../../src/core/diagnostic.ts";
import { createLogger } from "../../src/core/log.ts";
import { defaultRetryPolicy } from "../../src/notification/outbox/back-off.ts";
import { defaultRetentionPolicy } from "../../src/notification/outbox/retention.ts";
import type { TriggeredObject } from "../../src/notification/receivers/handle-webhook.ts";
import { FolderConfig } from "../../src/notification/server/folder-config.ts";
import { NotificationServer } from "../../src/notification/server/notification-server.ts";
import type { NotificationServerOptions } from "../../src/notification/server/server-options.ts";
import { createAddressGuard } from "../../src/core/address-guard.ts";
import { fluxObjects } from "./flux-objects.ts";
import { startHttpServer, type TestServer } from "./http-server.ts";

const loopback = { host: "127.0.0.1", port: 0 };

export interface RunningServer {
  readonly server: NotificationServer;
  readonly events: string;
  readonly receivers: string;
  readonly metrics: string;
  readonly admin: string;
  readonly log: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly triggered: readonly TriggeredObject[];
}

/** A notification server within this process, over the objects of a folder. */
export async function startNotificationServer(
  folder: string,
  changes: Partial<NotificationServerOptions> = {},
): Promise<RunningServer> {
  const log: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const triggered: TriggeredObject[] = [];
  const logger = createLogger({ level: "info", format: "text", write: (line) => void log.push(line) });
  const onDiagnostics = (found: readonly Diagnostic[]): void => void diagnostics.push(...found);
  const server = await NotificationServer.start({
    config: new FolderConfig({ paths: [folder], pollMs: 100, onDiagnostics, log: logger }),
    stateFile: undefined,
    listen: { events: loopback, receivers: loopback, metrics: loopback, admin: loopback },
    adminToken: undefined,
    dedupe: { windowMs: 300_000, ignoresVolatileParts: false },
    noCrossNamespaceRefs: false,
    retry: { ...defaultRetryPolicy, firstDelayMs: 10, maxDelayMs: 50 },
    retention: defaultRetentionPolicy,
    perDestination: 4,
    guard: createAddressGuard({ allowLoopback: true }),
    environment: {},
    trigger: async (object) => {
      await Promise.resolve();
      triggered.push(object);
    },
    log: logger,
    ...changes,
  });
  const { events = "", receivers = "", metrics = "", admin = "" } = server.addresses;
  return {
    server,
    events: `http://${events}`,
    receivers: `http://${receivers}`,
    metrics: `http://${metrics}`,
    admin: `http://${admin}`,
    log,
    diagnostics,
    triggered,
  };
}

/** What a destination was sent. */
export interface Arrival {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A destination that notes what arrives and answers as it is told. */
export interface Destination extends TestServer {
  readonly arrivals: Arrival[];
  /** Resolves when so many have arrived. */
  arrived(count: number): Promise<void>;
}

/** @param answer default: 200 */
export async function startDestination(
  answer: (response: ServerResponse, count: number) => void = (response) => void response.end(),
): Promise<Destination> {
  const arrivals: Arrival[] = [];
  const started = await startHttpServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => void (body += chunk));
    request.on("end", () => {
      arrivals.push({ path: request.url ?? "", headers: request.headers, body });
      answer(response, arrivals.length);
      started.server.emit("arrival");
    });
  });
  return {
    host: started.host,
    url: started.url,
    stop: async () => started.stop(),
    arrivals,
    arrived: async (count) => {
      while (arrivals.length < count) await once(started.server, "arrival");
    },
  };
}

const group = "notification.toolkit.fluxcd.io";

export function provider(name: string, spec: object): object {
  return { apiVersion: `${group}/v1beta3`, kind: "Provider", metadata: { name, namespace: "apps" }, spec };
}

export function alert(name: string, providerName: string, spec: object = {}): object {
  const eventSources = [{ kind: "HelmRelease", name: "*" }];
  return {
    apiVersion: `${group}/v1beta3`,
    kind: "Alert",
    metadata: { name, namespace: "apps" },
    spec: { providerRef: { name: providerName }, eventSources, ...spec },
  };
}

export function receiver(name: string, spec: object): object {
  return { apiVersion: `${group}/v1`, kind: "Receiver", metadata: { name, namespace: "apps" }, spec };
}

/** Writes objects into a file of a folder. */
export async function writeObjects(
  folder: string,
  objects: readonly object[],
  file = "objects.json",
): Promise<void> {
  await writeFile(path.join(folder, file), fluxObjects(objects));
}

/** Sends an event as JSON. */
export async function postEvent(url: string, event: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(event),
  });
}
