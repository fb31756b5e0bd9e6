import { metadataOf } from "./event-json.ts";
import { escapeHtml, markupMessage } from "./escape-markup.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";
import { truncate } from "./truncate.ts";

/** A message may have 32 KB. */
const maxMessageBytes = 10_000;
const maxFields = 50;

/** Google Chat: a card (version 1), whose texts are HTML. */
export const googlechatProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const text = markupMessage(notification, escapeHtml, maxMessageBytes, "bytes");
    const paragraph = event.severity === "error" ? `<font color="#ff0000">${text}</font>` : text;
    const fields = metadataOf(notification)
      .slice(0, maxFields)
      .map(([topLabel, value]) => ({
        textParagraph: null,
        keyValue: {
          topLabel: truncate(topLabel, 100),
          content: escapeHtml(truncate(value, 100)),
          contentMultiline: false,
          bottomLabel: null,
          icon: null,
        },
      }));
    const card = {
      header: {
        title: objectName(event),
        subtitle: event.reportingController,
        imageUrl: null,
        imageStyle: null,
      },
      sections: [
        { header: "", widgets: [{ textParagraph: { text: paragraph }, keyValue: null }] },
        ...(fields.length === 0 ? [] : [{ header: "", widgets: fields }]),
      ],
    };
    const url = addressOf(settings);
    await exchange(context, createRequest(settings, { url, json: { cards: [card] }, address: "hook" }));
  },
};
