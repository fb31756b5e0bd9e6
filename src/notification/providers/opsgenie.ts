import { createHash } from "node:crypto";
import { messageOf, metadataOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tokenOf } from "./request.ts";
import { truncate } from "./truncate.ts";

/** Opsgenie: an alert. One object and reason are one alias, so that repetitions are one alert. */
export const opsgenieProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const { uid = "", kind, namespace, name } = event.involvedObject;
    const key = [uid, kind, namespace, name, event.reason].join("/");
    const details = Object.fromEntries(
      metadataOf(notification)
        .slice(0, 100)
        .map(([detail, value]) => [detail, truncate(value, 1_000)]),
    );
    const request = createRequest(settings, {
      url: addressOf(settings),
      headers: { authorization: `GenieKey ${tokenOf(settings)}` },
      json: {
        message: truncate(`${kind}/${name}`, 130),
        alias: createHash("sha256").update(key).digest("hex"),
        description: truncate(messageOf(notification), 15_000),
        details: { ...details, severity: event.severity },
      },
    });
    await exchange(context, request);
  },
};
