import { metadataOf } from "./event-json.ts";
import { escapeMarkdown, escapeWithin, markupMessage } from "./escape-markup.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tokenOf } from "./request.ts";
import { truncate } from "./truncate.ts";

/** What Webex takes of a message. */
const maxBytes = 7_439;
const maxFields = 10;

/** Webex: Markdown into the room that the channel names, by the token of a bot. */
export const webexProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const emoji = event.severity === "error" ? "💣" : "✅";
    const fields = metadataOf(notification)
      .slice(0, maxFields)
      .map(
        ([key, value]) =>
          `>**${escapeMarkdown(truncate(key, 50))}**: ${escapeWithin(value, escapeMarkdown, 150)}\n`,
      )
      .join("");
    const head = `${emoji} **${escapeMarkdown(objectName(event))}**\n`;
    const room = maxBytes - Buffer.byteLength(head) - Buffer.byteLength(fields) - 1;
    const message = markupMessage(notification, escapeMarkdown, room, "bytes");
    const request = createRequest(settings, {
      url: addressOf(settings),
      headers: { authorization: `Bearer ${tokenOf(settings)}` },
      json: { roomId: settings.channel, markdown: `${head}${message}\n${fields}` },
    });
    await exchange(context, request);
  },
};
