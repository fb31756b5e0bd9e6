import { escapeChatMarkdown } from "./escape-markup.ts";
import { exchange, parseAnswer, refusal, textOf } from "./exchange.ts";
import { markdownPost } from "./markdown-post.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, basic, createRequest, tryLogin, unusable } from "./request.ts";
import { truncate } from "./truncate.ts";

/** What Zulip takes of a message and of a topic. */
const maxContent = 10_000;
const maxTopic = 60;

/** Zulip: a message to the channel `stream/topic`, by the address and key of a bot. */
export const zulipProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const slash = settings.channel.indexOf("/");
    const [stream, topic] = [
      settings.channel.slice(0, Math.max(slash, 0)),
      settings.channel.slice(slash + 1),
    ];
    if (stream === "" || topic === "") throw unusable("the channel of the provider is not <channel>/<topic>");
    const login = tryLogin(settings);
    if (login === undefined) throw unusable("the Secret of the provider has no username and password");
    const url = addressOf(settings);
    url.pathname = "/api/v1/messages";
    const form = new URLSearchParams([
      ["content", markdownPost(notification, escapeChatMarkdown, maxContent)],
      ["to", stream],
      ["topic", truncate(topic, maxTopic)],
      ["type", "stream"],
    ]);
    const request = createRequest(settings, {
      url,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: basic(login.username, login.password),
      },
      body: form.toString(),
      sampleResponse: '{"result":"success"}',
    });
    const answer = parseAnswer(request, await exchange(context, request));
    if (textOf(answer, "result") === "success") return;
    throw refusal(request, textOf(answer, "msg") || "no reason", {
      retryable: textOf(answer, "code") === "RATE_LIMIT_HIT",
    });
  },
};
