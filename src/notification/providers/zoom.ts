import { messageOf, metadataOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tokenOf } from "./request.ts";
import { truncate } from "./truncate.ts";

/** Zoom Team Chat, by its Incoming Webhook; the verification token stands bare in the header. */
export const zoomProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const url = addressOf(settings);
    if ((url.searchParams.get("format") ?? "") === "") url.searchParams.set("format", "full");
    const items = metadataOf(notification).map(([key, value]) => ({ key, value: truncate(value, 500) }));
    const content = {
      head: { text: objectName(event), sub_head: { text: event.severity } },
      body: [
        { type: "message", text: truncate(messageOf(notification), 4_000) },
        ...(items.length === 0 ? [] : [{ type: "fields", items: items.slice(0, 50) }]),
      ],
    };
    const headers = { authorization: tokenOf(settings) };
    await exchange(context, createRequest(settings, { url, headers, json: { content }, address: "hook" }));
  },
};
