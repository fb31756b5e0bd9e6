import type { Notification } from "../event.ts";
import { metadataOf } from "./event-json.ts";
import { type Escape, markupMessage } from "./escape-markup.ts";
import { objectName } from "./object-name.ts";
import { truncate } from "./truncate.ts";

/** How Slack, and those who take its messages, want theirs. */
export interface SlackDialect {
  readonly channel: string;
  readonly username: string;
  readonly colors: { readonly info: string; readonly error: string };
  readonly escape: Escape;
  /** The start of the message, for where only text is shown. */
  readonly fallback?: string;
  readonly maxText: number;
  readonly maxFields: number;
  readonly maxValue: number;
}

/** A message with one attachment, as Flux sends it to Slack, Discord and Rocket.Chat. */
export function slackMessage(notification: Notification, dialect: SlackDialect): object {
  const { event } = notification;
  const { colors, escape, maxText, maxFields, maxValue } = dialect;
  const fields = metadataOf(notification)
    .slice(0, maxFields)
    .map(([title, value]) => ({
      title: truncate(title, 250),
      value: escape(truncate(value, maxValue)),
      short: false,
    }));
  return {
    channel: dialect.channel,
    username: dialect.username,
    icon_url: "",
    icon_emoji: "",
    attachments: [
      {
        fallback: dialect.fallback ?? "",
        color: event.severity === "error" ? colors.error : colors.info,
        author_name: truncate(objectName(event), 250),
        text: markupMessage(notification, escape, maxText),
        mrkdwn_in: ["text"],
        fields,
      },
    ],
  };
}
