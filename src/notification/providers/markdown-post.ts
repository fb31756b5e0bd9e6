import type { Notification } from "../event.ts";
import { metadataOf } from "./event-json.ts";
import { codeSpan, type Escape, markupMessage } from "./escape-markup.ts";
import { truncate } from "./truncate.ts";

/** A post in Markdown as Flux writes it for Zulip and for comments; `limit` counts code points. */
export function markdownPost(notification: Notification, escape: Escape, limit: number): string {
  const { event } = notification;
  const { kind, namespace, name } = event.involvedObject;
  const emoji = event.severity === "error" ? "⚠️" : "ℹ️";
  const lines = metadataOf(notification)
    .filter(([key]) => key !== "change_request")
    .map(([key, value]) => `* ${codeSpan(truncate(key, 250))}: ${escape(oneLine(truncate(value, 1_000)))}\n`);
  const head = `## Flux Status\n\n${emoji} ${escape(`${kind}/${namespace}/${name}`)}\n\n`;
  const metadata = truncate(`\n\nMetadata:\n${lines.join("")}`, Math.floor(limit / 3));
  const room = limit - Array.from(head).length - Array.from(metadata).length;
  return `${head}${markupMessage(notification, escape, room)}${metadata}`;
}

/** A value stays in its line of the list. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/gu, " ");
}
