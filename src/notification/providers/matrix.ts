import { createHash } from "node:crypto";
import { eventJson, messageOf, metadataOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, segment, tokenOf, unusable } from "./request.ts";
import { truncate } from "./truncate.ts";

/** An event may have 64 KiB. */
const maxBytes = 40_000;

/** Matrix: a text into a room. The transaction is named by the event, so that a repetition is none to the server. */
export const matrixProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    if (settings.channel === "") throw unusable("the provider has no channel");
    const transaction = createHash("sha1").update(eventJson(notification)).digest("hex");
    const url = addressOf(settings);
    // The colon of a room may stay as it is, and does in Flux.
    const room = segment(settings.channel).replaceAll("%3A", ":");
    const path = `/_matrix/client/r0/rooms/${room}/send/m.room.message/${transaction}`;
    url.pathname = `${url.pathname.replace(/\/+$/u, "")}${path}`;
    const emoji = event.severity === "error" ? "🚨" : "💫";
    const metadata = metadataOf(notification)
      .map(([key, value]) => `- ${key}: ${value}\n`)
      .join("");
    const text = truncate(messageOf(notification), maxBytes / 2, "bytes");
    const body = `${emoji} ${objectName(event)}\n${text}\n${truncate(metadata, maxBytes / 4, "bytes")}`;
    const request = createRequest(settings, {
      method: "PUT",
      url,
      headers: { authorization: `Bearer ${tokenOf(settings)}` },
      // No mentions: what an event says wakes nobody (Matrix 1.7).
      json: { body, msgtype: "m.text", "m.mentions": {} },
    });
    await exchange(context, request);
  },
};
