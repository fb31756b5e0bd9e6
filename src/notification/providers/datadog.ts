import { messageOf, metadataOf, unixSecondsOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tokenOf } from "./request.ts";
import { truncate } from "./truncate.ts";

/** Datadog: an event (API v1) with tags in lower case. */
export const datadogProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const { kind, name, namespace } = event.involvedObject;
    const tags = [
      `flux_reporting_controller:${event.reportingController}`,
      `flux_reason:${event.reason}`,
      `kube_kind:${kind}`,
      `kube_name:${name}`,
      `kube_namespace:${namespace}`,
      ...metadataOf(notification).map(([key, value]) => `${key}:${value}`),
    ];
    const request = createRequest(settings, {
      url: new URL("/api/v1/events", addressOf(settings).origin),
      headers: { "dd-api-key": tokenOf(settings) },
      json: {
        alert_type: event.severity === "error" ? "error" : "info",
        date_happened: unixSecondsOf(event),
        source_type_name: "fluxcd",
        tags: tags.map((tag) => truncate(tag.toLowerCase(), 200)),
        text: truncate(messageOf(notification), 4_000),
        title: `Events from the ${kind} ${name}/${namespace}`,
      },
    });
    await exchange(context, request);
  },
};
