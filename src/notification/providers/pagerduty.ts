import type { Notification } from "../event.ts";
import { messageOf, metadataOf, timestampOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import { isProgressing, objectKey, reasonWords } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";
import { truncate } from "./truncate.ts";

/**
 * PagerDuty (Events API v2): an error triggers the incident of its object, anything else resolves it; what is
 * information is a change event as well. The channel is the routing key.
 */
export const pagerdutyProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    if (isProgressing(event)) return;
    const { origin } = addressOf(settings);
    const secrets = [settings.channel];
    const post = async (path: string, json: object): Promise<void> => {
      await exchange(context, createRequest(settings, { url: new URL(path, origin), json, secrets }));
    };
    const isError = event.severity === "error";
    await post("/v2/enqueue", {
      routing_key: settings.channel,
      event_action: isError ? "trigger" : "resolve",
      dedup_key: truncate(objectKey(event), 255),
      ...(isError ? { payload: incident(notification) } : {}),
    });
    if (event.severity !== "info") return;
    await post("/v2/change/enqueue", { routing_key: settings.channel, payload: change(notification) });
  },
};

function incident(notification: Notification): object {
  const { involvedObject } = notification.event;
  const { custom_details, ...head } = change(notification);
  return {
    summary: head.summary,
    source: head.source,
    severity: "error",
    timestamp: head.timestamp,
    component: involvedObject.name,
    group: involvedObject.kind,
    custom_details,
  };
}

interface Change {
  readonly summary: string;
  readonly source: string;
  readonly timestamp: string;
  readonly custom_details: object;
}

function change(notification: Notification): Change {
  const { event } = notification;
  const { kind, name } = event.involvedObject;
  return {
    summary: truncate(`${reasonWords(event.reason)}: ${`${kind}/${name}`.toLowerCase()}`, 1_024),
    source: `Flux ${event.reportingController}`,
    timestamp: timestampOf(event),
    custom_details: {
      message: messageOf(notification),
      metadata: Object.fromEntries(metadataOf(notification)),
    },
  };
}
