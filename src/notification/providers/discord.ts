import { escapeChatMarkdown } from "./escape-markup.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";
import { slackMessage } from "./slack-message.ts";

/** Discord, by the form of its webhooks that takes Slack's messages. The limits are those of an embed. */
export const discordProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const url = addressOf(settings);
    if (!url.pathname.endsWith("/slack")) url.pathname = `${url.pathname.replace(/\/+$/u, "")}/slack`;
    const json = slackMessage(notification, {
      channel: "",
      username: settings.username || notification.event.reportingController,
      colors: { info: "good", error: "danger" },
      escape: escapeChatMarkdown,
      maxText: 2_000,
      maxFields: 25,
      maxValue: 100,
    });
    await exchange(context, createRequest(settings, { url, json, address: "hook" }));
  },
};
