import type { Notification } from "../event.ts";
import { metadataOf } from "./event-json.ts";
import { escapeCardMarkdown, markupMessage } from "./escape-markup.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";
import { truncate } from "./truncate.ts";

/** Teams takes 28 KB; what stands around the message has the rest. */
const maxMessageBytes = 10_000;
const maxFacts = 20;

/** Microsoft Teams: adaptive cards for workflows, message cards for the connectors they replace. */
export const msteamsProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const url = addressOf(settings);
    const json = url.hostname.endsWith(".webhook.office.com")
      ? messageCard(notification)
      : adaptiveCard(notification);
    await exchange(context, createRequest(settings, { url, json, address: "hook" }));
  },
};

function adaptiveCard(notification: Notification): object {
  const { event } = notification;
  const facts = factsOf(notification).toSorted(
    ([left], [right]) => Number(right === "summary") - Number(left === "summary"),
  );
  const items = [
    { type: "TextBlock", text: objectName(event), size: "large", weight: "bolder", wrap: true },
    {
      type: "TextBlock",
      text: messageText(notification),
      ...(event.severity === "error" ? { color: "attention" } : {}),
      wrap: true,
    },
    {
      type: "FactSet",
      ...(facts.length === 0 ? {} : { facts: facts.map(([title, value]) => ({ title, value })) }),
    },
  ];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ type: "Container", items }],
    msteams: { width: "Full" },
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
  };
}

function messageCard(notification: Notification): object {
  const { event } = notification;
  const section = {
    activityTitle: messageText(notification),
    activitySubtitle: objectName(event),
    facts: factsOf(notification).map(([name, value]) => ({ name, value })),
  };
  return {
    "@type": "MessageCard",
    "@context": "http://schema.org/extensions",
    themeColor: event.severity === "error" ? "FF0000" : "0076D7",
    summary: objectName(event),
    sections: [section],
  };
}

function messageText(notification: Notification): string {
  return markupMessage(notification, escapeCardMarkdown, maxMessageBytes, "bytes");
}

function factsOf(notification: Notification): readonly (readonly [string, string])[] {
  return metadataOf(notification)
    .slice(0, maxFacts)
    .map(([key, value]) => [truncate(key, 100), escapeCardMarkdown(truncate(value, 250, "bytes"))]);
}
