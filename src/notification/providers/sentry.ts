import { createHash } from "node:crypto";
import type { Notification } from "../event.ts";
import { messageOf, metadataOf, timestampOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider, ProviderSettings } from "./provider.ts";
import { addressOf, createRequest, unusable } from "./request.ts";
import { truncate } from "./truncate.ts";

/** Sentry, by a DSN: errors as events, information as transactions. The channel is the environment. */
export const sentryProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { severity } = notification.event;
    if (severity === "trace") return;
    const dsn = parseDsn(settings);
    const id = digest(notification.idempotencyKey, 32);
    const item = severity === "error" ? errorEvent(notification) : transaction(notification);
    const environment = settings.channel || "production";
    const payload = JSON.stringify({ event_id: id, platform: "other", environment, ...item });
    const sentAt = new Date(context.now()).toISOString();
    const length = Buffer.byteLength(payload);
    const lines = [
      JSON.stringify({ event_id: id, sent_at: sentAt }),
      JSON.stringify({ type: item["type"] ?? "event", length }),
      payload,
    ];
    const secret = dsn.secret === "" ? "" : `, sentry_secret=${dsn.secret}`;
    const seconds = Math.floor(context.now() / 1000);
    const request = createRequest(settings, {
      url: dsn.url,
      headers: {
        "content-type": "application/x-sentry-envelope",
        "x-sentry-auth": `Sentry sentry_version=7, sentry_timestamp=${seconds}, sentry_client=fairlead/1, sentry_key=${dsn.key}${secret}`,
      },
      body: `${lines.join("\n")}\n`,
      secrets: [dsn.key, dsn.secret].filter((text) => text !== ""),
    });
    await exchange(context, request);
  },
};

function parseDsn(settings: ProviderSettings): {
  readonly url: URL;
  readonly key: string;
  readonly secret: string;
} {
  const url = addressOf(settings);
  const { username: key, password: secret } = url;
  const cut = url.pathname.lastIndexOf("/");
  const [path, project] = [url.pathname.slice(0, cut), url.pathname.slice(cut + 1)];
  if (key === "" || project === "" || !/^[\w-]+$/u.test(`${key}${secret}`)) {
    throw unusable("the address of the provider is no DSN", "it is https://<key>@<host>/<project>");
  }
  return { url: new URL(`${path}/api/${project}/envelope/`, url.origin), key, secret };
}

type EnvelopeItem = Readonly<Record<string, unknown>>;

function errorEvent(notification: Notification): EnvelopeItem {
  const { event } = notification;
  return {
    contexts: { metadata: Object.fromEntries(metadataOf(notification)) },
    level: "error",
    message: truncate(messageOf(notification), 8_192),
    server_name: event.reportingController,
    timestamp: timestampOf(event),
    transaction: summaryOf(notification),
  };
}

function transaction(notification: Notification): EnvelopeItem {
  const { event, idempotencyKey } = notification;
  const { kind, namespace, name } = event.involvedObject;
  const tags = Object.fromEntries(
    [
      ["flux_involved_object_kind", kind],
      ["flux_involved_object_namespace", namespace],
      ["flux_involved_object_name", name],
      ["flux_reporting_controller", event.reportingController],
      ["flux_reporting_instance", event.reportingInstance ?? ""],
      ["flux_reason", event.reason],
      ...metadataOf(notification),
    ].map(([key = "", value = ""]) => [key, truncate(value, 200)]),
  );
  const time = timestampOf(event);
  const trace = {
    trace_id: digest(`trace ${idempotencyKey}`, 32),
    span_id: digest(`span ${idempotencyKey}`, 16),
    op: "event",
  };
  return {
    type: "transaction",
    contexts: { trace },
    level: "info",
    message: truncate(messageOf(notification), 8_192),
    spans: [{ ...trace, origin: "manual", tags, start_timestamp: time, timestamp: time }],
    start_timestamp: time,
    tags,
    timestamp: time,
    transaction: summaryOf(notification),
  };
}

function summaryOf({ event: { involvedObject } }: Notification): string {
  return `${involvedObject.kind}: ${involvedObject.namespace}/${involvedObject.name}`;
}

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
