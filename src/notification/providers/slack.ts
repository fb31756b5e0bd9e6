import { messageOf } from "./event-json.ts";
import { escapeSlack } from "./escape-markup.ts";
import { exchange, memberOf, parseAnswer, refusal, textOf } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, tryToken } from "./request.ts";
import { slackMessage } from "./slack-message.ts";

/** Errors of Slack's that pass by themselves. */
const transientErrors: ReadonlySet<string> = new Set([
  "fatal_error",
  "internal_error",
  "ratelimited",
  "request_timeout",
  "service_unavailable",
]);

/** Slack, by an incoming webhook or `chat.postMessage` with the token of a bot. */
export const slackProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const token = tryToken(settings);
    const url = addressOf(settings);
    const message = slackMessage(notification, {
      channel: settings.channel,
      username: settings.username || event.reportingController,
      colors: { info: "good", error: "danger" },
      escape: escapeSlack,
      fallback: `${objectName(event)}: ${messageOf(notification).split("\n", 1)[0] ?? ""}`,
      maxText: 30_000,
      maxFields: 100,
      maxValue: 2_000,
    });
    const isApi = url.pathname.startsWith("/api/");
    const request = createRequest(settings, {
      url,
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      json: message,
      ...(isApi ? {} : { address: "hook" as const }),
      sampleResponse: '{"ok":true}',
    });
    const response = await exchange(context, request);
    // A webhook answers with the word ok; the API answers 200 to everything.
    if (!isApi) return;
    const answer = parseAnswer(request, response);
    if (memberOf(answer, "ok") === true) return;
    const error = textOf(answer, "error") || "no reason";
    throw refusal(request, error, { retryable: transientErrors.has(error) });
  },
};
