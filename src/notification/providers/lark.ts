import { metadataOf } from "./event-json.ts";
import { escapeLark, escapeWithin, markupMessage } from "./escape-markup.ts";
import { exchange, memberOf, parseAnswer, refusal, textOf } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";
import { truncate } from "./truncate.ts";

/** A request may have 20 KB. */
const maxMessageBytes = 10_000;
const maxFields = 20;
/** Too many requests, to a hook or to the whole system. */
const transientCodes: ReadonlySet<unknown> = new Set([9499, 11232, 11233, 99991400]);

/** Lark and Feishu, by the hook of a bot. */
export const larkProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const isError = event.severity === "error";
    const metadata = metadataOf(notification)
      .slice(0, maxFields)
      .map(([key, value]) => `${escapeLark(truncate(key, 60))}: ${escapeWithin(value, escapeLark, 200)}\n`)
      .join("");
    const message = markupMessage(notification, escapeLark, maxMessageBytes, "bytes");
    const content = `**${message}**\n\n${metadata}`;
    const card = {
      config: { wide_screen_mode: true },
      header: {
        title: { tag: "plain_text", content: `${isError ? "🚨" : "💫"} ${objectName(event)}` },
        template: isError ? "red" : "turquoise",
      },
      elements: [{ tag: "div", text: { tag: "lark_md", content } }],
    };
    const request = createRequest(settings, {
      url: addressOf(settings),
      json: { msg_type: "interactive", card },
      address: "hook",
      sampleResponse: '{"code":0}',
    });
    const answer = parseAnswer(request, await exchange(context, request));
    const code = memberOf(answer, "code") ?? memberOf(answer, "StatusCode") ?? 0;
    if (code === 0) return;
    const reason = textOf(answer, "msg") || textOf(answer, "StatusMessage") || "no reason";
    throw refusal(request, reason, { retryable: transientCodes.has(code) });
  },
};
