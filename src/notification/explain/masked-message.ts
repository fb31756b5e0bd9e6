import { createRedactor } from "../../core/redaction.ts";
import type { RecordedMessage } from "../transport/recording-transport.ts";

/** What a Provider would send, with its secrets taken out. */
export interface MaskedMessage {
  /** Such as `POST`, `NATS` or `SMTP`. */
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Takes the secrets out of a message: those that it knows itself, and those of its Provider. */
export function maskMessage(message: RecordedMessage, secrets: readonly string[]): MaskedMessage {
  const { secrets: own, ...shown } = describe(message);
  const redact = createRedactor([...secrets, ...own]);
  return {
    method: shown.method,
    target: redact(shown.target),
    headers: Object.fromEntries(Object.entries(shown.headers).map(([name, value]) => [name, redact(value)])),
    body: redact(shown.body),
  };
}

function describe(message: RecordedMessage): MaskedMessage & { readonly secrets: readonly string[] } {
  switch (message.kind) {
    case "request": {
      const { method, url, headers, body = "", secrets } = message.request;
      return { method, target: url, headers, body, secrets };
    }
    case "publication": {
      const { server, subject, headers, body, secrets } = message.publication;
      return { method: "NATS", target: `${server} ${subject}`, headers, body, secrets };
    }
    default: {
      const { server, from, to, subject, text, headers, secrets } = message.mail;
      const all = { From: from, To: to.join(", "), Subject: subject, ...headers };
      return { method: "SMTP", target: server, headers: all, body: text, secrets };
    }
  }
}
