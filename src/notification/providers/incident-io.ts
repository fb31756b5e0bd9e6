import { messageOf, metadataOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import { isProgressing, objectKey, objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tokenOf } from "./request.ts";

/** incident.io, by an HTTP alert source: an error fires the alert of its object, anything else resolves it. */
export const incidentIoProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    if (isProgressing(event)) return;
    const controller = event.reportingController;
    const metadata = {
      ...Object.fromEntries(metadataOf(notification)),
      severity: event.severity,
      reason: event.reason,
      ...(controller === "" ? {} : { reportingController: controller }),
    };
    const description = messageOf(notification);
    const request = createRequest(settings, {
      url: addressOf(settings),
      headers: { authorization: `Bearer ${tokenOf(settings)}` },
      json: {
        title: `${objectName(event)}: ${event.reason}`,
        status: event.severity === "error" ? "firing" : "resolved",
        deduplication_key: objectKey(event),
        ...(description === "" ? {} : { description }),
        metadata,
      },
      address: "hook",
    });
    await exchange(context, request);
  },
};
