import { createHash } from "node:crypto";
import type { Notification } from "../event.ts";
import { messageOf, metadataOf, unixSecondsOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, basic, createRequest, tryLogin, tryToken } from "./request.ts";

const schemaUrl = "https://opentelemetry.io/schemas/1.34.0";
const spanKindInternal = 1;
/** Sampled, with a parent elsewhere (the flags of OTLP's Span). */
const spanFlags = 0x301;
const statusOk = 1;
const statusError = 2;

/**
 * OpenTelemetry, by OTLP over HTTP in JSON: one span an event. All events of one revision are one trace, for each
 * alert. Events of HelmRepositories are left out, as they lead to no deployment.
 */
export const otelProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    if (notification.event.involvedObject.kind === "HelmRepository") return;
    const url = addressOf(settings);
    if (url.pathname === "/") url.pathname = "/v1/traces";
    const login = tryLogin(settings);
    const token = tryToken(settings) ?? settings.secret["password"]?.trim();
    const authorization =
      login === undefined ? token && `Bearer ${token}` : basic(login.username, login.password);
    const request = createRequest(settings, {
      url,
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      json: traceOf(notification, context.now()),
    });
    await exchange(context, request);
  },
};

function traceOf(notification: Notification, nowMs: number): object {
  const { event, alert, idempotencyKey } = notification;
  const { uid = "", kind, name, namespace } = event.involvedObject;
  const alertName = `${alert.namespace}/${alert.name}`;
  const alertId = alert.uid ?? alertName;
  const startNs = BigInt(unixSecondsOf(event)) * 1_000_000_000n;
  const endNs = BigInt(Math.floor(nowMs)) * 1_000_000n;
  const isError = event.severity === "error";
  const span = {
    traceId: sha256(`${alertId}:${revisionOf(notification)}`).slice(0, 32),
    // The same for each attempt, so that a repetition is the same span.
    spanId: sha256(idempotencyKey).slice(0, 16),
    name: `${kind}: ${namespace}/${name}`,
    kind: spanKindInternal,
    flags: spanFlags,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(endNs < startNs ? startNs : endNs),
    attributes: attributes([
      ["object.uid", uid],
      ["object.kind", kind],
      ["object.name", name],
      ["object.namespace", namespace],
      ...metadataOf(notification),
    ]),
    status: isError ? { code: statusError, message: messageOf(notification) } : { code: statusOk },
  };
  const resource = attributes([
    ["service.name", alertName],
    ["service.namespace", alert.namespace],
    ["service.instance.id", alertId],
  ]);
  return {
    resourceSpans: [
      {
        resource: { attributes: resource },
        scopeSpans: [{ scope: { name: "flux:notification-controller" }, spans: [span] }],
        schemaUrl,
      },
    ],
  };
}

/** An OCI artifact's revision is spelled by its own two keys, as others have it. */
function revisionOf({ metadata }: Notification): string {
  const digest = metadata["oci-digest"];
  const version = metadata["app-version"];
  if (digest !== undefined && version !== undefined) return `${version}@${digest}`;
  return metadata["revision"] ?? "unknown";
}

function attributes(pairs: readonly (readonly [string, string])[]): readonly object[] {
  return pairs.map(([key, value]) => ({ key, value: { stringValue: value } }));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
