import { createHash } from "node:crypto";
import type { Notification } from "../event.ts";
import { messageOf, metadataOf, timestampOf } from "./event-json.ts";
import { escapeHtml } from "./escape-markup.ts";
import { objectName, reasonWords } from "./object-name.ts";
import type { NotificationProvider, ProviderSettings } from "./provider.ts";
import { tryLogin, unusable } from "./request.ts";
import { secretsOf } from "./secrets.ts";
import { truncate } from "./truncate.ts";

const maxRecipients = 100;

/**
 * Mail: the address is `smtp://host:port` or `smtps://host:port`, the channel the recipients, divided by commas.
 * The sender is the username of the spec, or `from` in the address, or the login.
 */
export const smtpProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const url = URL.parse(settings.address.trim());
    if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") {
      throw unusable("the address of the provider is no server for mail", "it is smtp://host:port");
    }
    const login = tryLogin(settings);
    const subject = `[${notification.event.severity}] ${objectName(notification.event)}: ${reasonWords(notification.event.reason)}`;
    const id = createHash("sha256").update(notification.idempotencyKey).digest("hex").slice(0, 32);
    const time = Date.parse(notification.event.timestamp);
    await context.transport.mail(
      {
        server: `${url.protocol}//${url.host}`,
        ...(login === undefined ? {} : { login }),
        from: senderOf(settings, url, login?.username),
        to: recipientsOf(settings),
        subject: truncate(oneLine(subject), 200),
        text: textOf(notification),
        html: htmlOf(notification),
        messageId: `<${id}@fairlead>`,
        // No automatic answers to what no person has written (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
        date: new Date(Number.isNaN(time) ? context.now() : time),
        secrets: secretsOf(settings),
      },
      context.signal,
    );
  },
};

function senderOf(settings: ProviderSettings, url: URL, login: string | undefined): string {
  const candidates = [url.searchParams.get("from") ?? "", settings.username, login ?? ""];
  const sender = candidates.map((text) => text.trim()).find((text) => isMailAddress(text));
  if (sender !== undefined) return sender;
  throw unusable("the provider names no sender", "give one as username, or as ?from= in the address");
}

function recipientsOf({ channel }: ProviderSettings): readonly string[] {
  const recipients = channel
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (recipients.length === 0 || recipients.length > maxRecipients || !recipients.every(isMailAddress)) {
    throw unusable("the channel of the provider is no list of mail addresses");
  }
  return recipients;
}

/** Addresses without quoting, comments and display names, none of which a notification needs. */
function isMailAddress(text: string): boolean {
  return (
    text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/u.test(text)
  );
}

function textOf(notification: Notification): string {
  const { event } = notification;
  const lines = [
    messageOf(notification),
    "",
    ...metadataOf(notification).map(([key, value]) => `${key}: ${value}`),
    `reason: ${event.reason}`,
    `time: ${timestampOf(event)}`,
    `reported by: ${event.reportingController}`,
  ];
  return `${lines.join("\n")}\n`;
}

function htmlOf(notification: Notification): string {
  const { event } = notification;
  const color = event.severity === "error" ? "#b00020" : "#1a5fb4";
  const rows = [
    ...metadataOf(notification),
    ["reason", event.reason],
    ["time", timestampOf(event)],
    ["reported by", event.reportingController],
  ].map(
    ([key = "", value = ""]) =>
      `<tr><th align="left">${escapeHtml(key)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const title = `<h2 style="color:${color}">${escapeHtml(objectName(event))}</h2>`;
  const message = `<pre style="white-space:pre-wrap">${escapeHtml(messageOf(notification))}</pre>`;
  return `${title}\n${message}\n<table>${rows.join("\n")}</table>\n`;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/gu, " ").trim();
}
