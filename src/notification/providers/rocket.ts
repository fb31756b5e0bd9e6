import { exchange, memberOf, parseAnswer, refusal, textOf } from "./exchange.ts";
import { escapeChatMarkdown } from "./escape-markup.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";
import { slackMessage } from "./slack-message.ts";

/** Rocket.Chat, by an incoming webhook. */
export const rocketProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const json = slackMessage(notification, {
      channel: settings.channel,
      username: settings.username,
      colors: { info: "#0076D7", error: "#FF0000" },
      escape: escapeChatMarkdown,
      maxText: 4_000,
      maxFields: 100,
      maxValue: 1_000,
    });
    const request = createRequest(settings, { url: addressOf(settings), json, address: "hook" });
    const response = await exchange(context, request);
    // Its scripts may answer with anything; only what says no is one.
    if (!response.body.startsWith("{")) return;
    const answer = parseAnswer(request, response);
    if (memberOf(answer, "success") === false) throw refusal(request, textOf(answer, "error") || "no reason");
  },
};
