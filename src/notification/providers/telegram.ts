import type { Notification } from "../event.ts";
import { metadataOf } from "./event-json.ts";
import { escapeTelegram } from "./escape-markup.ts";
import { exchange, memberOf, parseAnswer, refusal, textOf } from "./exchange.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, createRequest, segment, tokenOf, unusable } from "./request.ts";
import { truncate } from "./truncate.ts";

const defaultAddress = "https://api.telegram.org";
/** What a message may hold, its markup not counted. */
const maxLength = 4_096;
const maxMetadataLength = 1_000;

/** Telegram's Bot API; the channel is `chat` or `chat:thread`. */
export const telegramProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    if (settings.channel === "") throw unusable("the provider has no channel");
    // A token is digits, a colon and letters, and the colon stays as it is.
    const token = segment(tokenOf(settings)).replaceAll("%3A", ":");
    const url = addressOf({ address: settings.address || defaultAddress });
    url.pathname = `${url.pathname.replace(/\/+$/u, "")}/bot${token}/sendMessage`;
    const colon = settings.channel.indexOf(":");
    const [chat, thread] =
      colon < 0
        ? [settings.channel, undefined]
        : [settings.channel.slice(0, colon), settings.channel.slice(colon + 1)];
    const json = {
      chat_id: chat,
      ...(thread === undefined || thread === "" ? {} : { message_thread_id: thread }),
      text: markdownOf(notification),
      parse_mode: "MarkdownV2",
    };
    const request = createRequest(settings, { url, json, address: "hook", sampleResponse: '{"ok":true}' });
    const answer = parseAnswer(request, await exchange(context, request));
    if (memberOf(answer, "ok") !== true) throw refusal(request, textOf(answer, "description") || "no reason");
  },
};

function markdownOf(notification: Notification): string {
  const { event, text } = notification;
  const { kind, name, namespace } = event.involvedObject;
  const emoji = event.severity === "error" ? "🚨" : "💫";
  const heading = truncate(`${emoji} ${kind.toLowerCase()}/${name}/${namespace}`, 400, "utf-16");
  let room = maxMetadataLength;
  const fields: string[] = [];
  for (const [key, value] of metadataOf(notification)) {
    const [shownKey, shownValue] = [truncate(key, 100, "utf-16"), truncate(value, 300, "utf-16")];
    room -= shownKey.length + shownValue.length + 5;
    if (room < 0) break;
    fields.push(String.raw`\- *${escapeTelegram(shownKey)}*: ${escapeTelegram(shownValue)}` + "\n");
  }
  const rest = maxLength - heading.length - (maxMetadataLength - Math.max(room, 0)) - 4;
  // Escapes do not count, as Telegram measures what is shown.
  const shown = truncate(text ?? event.message, rest, "utf-16");
  const message = text === undefined ? escapeTelegram(shown) : shown;
  return `*${escapeTelegram(heading)}*\n${message}\n${fields.join("")}`;
}
