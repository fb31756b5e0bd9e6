import type { Notification } from "../event.ts";
import { lengthOf, type LengthUnit, truncate } from "./truncate.ts";

/** Underscores within a word mean nothing. */
const edgeUnderscore = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Writes a text so that a target shows it as it is. */
export type Escape = (text: string) => string;

/**
 * The message for a target with markup, of at most `limit`. What an alert's template makes is markup of its
 * author's; what an event says is text.
 */
export function markupMessage(
  { text, event }: Notification,
  escape: Escape,
  limit: number,
  unit: LengthUnit = "code points",
): string {
  return text === undefined ? escapeWithin(event.message, escape, limit, unit) : truncate(text, limit, unit);
}

/** A text that is at most `limit` long once it is escaped; it is cut before, so that no escape is cut in two. */
export function escapeWithin(
  text: string,
  escape: Escape,
  limit: number,
  unit: LengthUnit = "code points",
): string {
  let room = limit;
  for (;;) {
    const escaped = escape(truncate(text, room, unit));
    const length = lengthOf(escaped, unit);
    if (length <= limit || room <= 1) return escaped;
    room = Math.max(1, Math.min(room - 1, Math.floor((room * limit) / length)));
  }
}

/** Text in HTML, also in attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Text in Slack's mrkdwn: the three characters that begin mentions, links and entities. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Text in Telegram's MarkdownV2. */
export function escapeTelegram(text: string): string {
  return text.replace(/[\\._[\]()~>`#+=|{}!*-]/gu, String.raw`\$&`);
}

/** Text in Lark's lark_md, whose special characters are written as entities. */
export function escapeLark(text: string): string {
  return text.replace(/[&<>*~`[\]]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

/**
 * Text in CommonMark: no formatting, links, images, HTML, headings or lists come from it, and no mentions of
 * users, which GitHub, GitLab and Gitea look for after they have rendered it.
 */
export function escapeMarkdown(text: string): string {
  return withoutMentions(
    text
      .replace(/[\\`*~[\]|]/gu, String.raw`\$&`)
      .replace(edgeUnderscore, String.raw`\$&`)
      .replace(/&(?=#?\w+;)/gu, "&amp;")
      .replaceAll("<", "&lt;")
      .replace(/^([ \t]*)([#>+=-])/gmu, String.raw`$1\$2`)
      .replace(/^([ \t]*\d+)([.)])/gmu, String.raw`$1\$2`),
  );
}

/** Text in Discord's or Zulip's Markdown, which know no entities. */
export function escapeChatMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]]/gu, String.raw`\$&`)
    .replace(edgeUnderscore, String.raw`\$&`)
    .replace(/^([ \t]*)([#>])/gmu, String.raw`$1\$2`);
}

/** Text in the Markdown of Teams' cards, of which links are what can deceive. */
export function escapeCardMarkdown(text: string): string {
  return text.replace(/\[/gu, String.raw`\$&`);
}

/** A code span of Markdown; no backtick can end it. */
export function codeSpan(text: string): string {
  return `\`${text.replace(/[`\r\n]/gu, "'")}\``;
}

function withoutMentions(text: string): string {
  // A word joiner, which is not seen, stands between the sign and the name.
  return text.replace(/(^|[^\w@])@(?=\w)/gmu, "$1@\u2060");
}
