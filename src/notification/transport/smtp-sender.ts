import type { SecureContext } from "node:tls";
import type { Transporter } from "nodemailer";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { OutgoingMail } from "../providers/provider.ts";
import type { AddressGuard } from "../../core/address-guard.ts";
import { connectGuarded } from "./guarded-socket.ts";

export interface SmtpAccess {
  readonly guard: AddressGuard;
  readonly secureContext: () => SecureContext;
  readonly timeoutMs: number;
}

/**
 * Hands a mail to an SMTP server (RFC 5321). A login is sent over TLS only; without one, STARTTLS is used where
 * the server has it.
 * @throws FairleadError `delivery-failed`, retryable for what the server calls transient; `address-refused`; the
 *   reason of the signal
 */
export async function sendMail(mail: OutgoingMail, access: SmtpAccess, signal: AbortSignal): Promise<void> {
  const url = new URL(mail.server);
  const secure = url.protocol === "smtps:";
  const target = { host: url.hostname, port: Number(url.port || (secure ? 465 : 587)) };
  const { createTransport } = (await import("nodemailer")).default;
  const socket = await connectGuarded(target, access.guard, signal);
  const transporter: Transporter = createTransport({
    host: target.host.replace(/^\[(.*)\]$/u, "$1"),
    port: target.port,
    secure,
    requireTLS: mail.login !== undefined,
    connection: socket,
    ...(mail.login === undefined ? {} : { auth: { user: mail.login.username, pass: mail.login.password } }),
    tls: { secureContext: access.secureContext(), minVersion: "TLSv1.2" },
    greetingTimeout: access.timeoutMs,
    socketTimeout: access.timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected = [] } = await transporter.sendMail({
      envelope: { from: mail.from, to: [...mail.to] },
      from: { name: "", address: mail.from },
      to: mail.to.map((address) => ({ name: "", address })),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: mail.messageId,
      date: mail.date,
      headers: { ...mail.headers },
    });
    if (rejected.length > 0) {
      const message = `${target.host} refused ${rejected.length} of ${mail.to.length} recipients`;
      throw new FairleadError("delivery-failed", message);
    }
  } catch (error) {
    throw describe(error, target.host);
  } finally {
    socket.destroy();
  }
}

function describe(error: unknown, host: string): FairleadError {
  if (error instanceof FairleadError) return error;
  const status = numberOf(error, "responseCode");
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // Without an answer of the server, it is the connection that failed.
  const retryable = status === undefined ? code !== "EAUTH" && code !== "ETLS" : status < 500;
  return new FairleadError("delivery-failed", `${host} did not take the mail: ${messageOf(error)}`, {
    retryable,
    hint:
      code === "ETLS" ? "a login is sent over TLS only: use smtps:// or a server with STARTTLS" : undefined,
    cause: error,
  });
}

function numberOf(error: unknown, key: string): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(error, key)?.value;
  return typeof value === "number" ? value : undefined;
}
