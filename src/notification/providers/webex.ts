import { metadataOf } from "./event-json.ts";
import { escapeMarkdown, markupMessage } from "./escape-markup.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tokenOf } from "./request.ts";
import { truncate } from "./truncate.ts";

/** What Webex takes of a message. */
const maxBytes = 7_439;

/** Webex: Markdown into the room that the channel names, by the token of a bot. */
export const webexProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const emoji = event.severity === "error" ? "💣" : "✅";
    const metadata = metadataOf(notification)
      .map(([key, value]) => `>**${escapeMarkdown(key)}**: ${escapeMarkdown(value)}\n`)
      .join("");
    const fields = truncate(metadata, 2_000, "bytes");
    const head = `${emoji} **${escapeMarkdown(objectName(event))}**\n`;
    const room = maxBytes - Buffer.byteLength(head) - Buffer.byteLength(fields) - 1;
    const message = truncate(markupMessage(notification, escapeMarkdown), room, "bytes");
    const request = createRequest(settings, {
      url: addressOf(settings),
      headers: { authorization: `Bearer ${tokenOf(settings)}` },
      json: { roomId: settings.channel, markdown: `${head}${message}\n${fields}` },
    });
    await exchange(context, request);
  },
};
