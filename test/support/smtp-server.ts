import { createServer, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { listen } from "./http-server.ts";

/** A mail as the server took it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body. */
  readonly data: string;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** Who logged in. */
  readonly user: string | undefined;
}

export interface SmtpServerOptions {
  /** For STARTTLS, or with `implicit` from the beginning. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly implicit?: boolean };
  /** Who may log in, by PLAIN and only over TLS; default: nobody has to. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Answers a command in place of the server. */
  readonly refuse?: (command: string) => string | undefined;
}

export interface SmtpServer {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly received: readonly ReceivedMail[];
  /** Every line that clients sent, but for mails. */
  readonly commands: readonly string[];
  stop(): Promise<void>;
}

/** A server for mail (RFC 5321) with STARTTLS (RFC 3207) and AUTH PLAIN (RFC 4954). */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const session = createSession(options, received, commands);
    if (options.tls?.implicit === true) session.serve(secured(socket, options.tls), true);
    else session.serve(socket, false);
  });
  const host = await listen(server);
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { host, received, commands, stop };
}

function secured(socket: Socket, tls: { readonly cert: string; readonly key: string }): TLSSocket {
  const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
  secure.on("error", () => undefined);
  return secure;
}

interface Session {
  serve(socket: Socket, secure: boolean): void;
}

function createSession(options: SmtpServerOptions, received: ReceivedMail[], commands: string[]): Session {
  const { tls, login, refuse } = options;
  let user: string | undefined;
  let from = "";
  let to: string[] = [];

  const extensions = (secure: boolean): string =>
    [
      "250-mail.test",
      ...(tls !== undefined && !secure ? ["250-STARTTLS"] : []),
      ...(login !== undefined && secure ? ["250-AUTH PLAIN"] : []),
      "250 8BITMIME",
    ].join("\r\n");
  const authenticate = (proof: string): string => {
    const [, username = "", password = ""] = Buffer.from(proof, "base64").toString().split("\0");
    if (username !== login?.username || password !== login.password) return "535 5.7.8 credentials invalid";
    user = username;
    return "235 2.7.0 welcome";
  };
  /** The answer to a command; for DATA, the mail follows. */
  const answer = (line: string, secure: boolean): string => {
    const [verb = "", rest = ""] = line.split(/ (?<rest>.*)/u);
    switch (verb.toUpperCase()) {
      case "EHLO":
        return extensions(secure);
      case "AUTH":
        return secure ? authenticate(rest.replace(/^PLAIN /u, "")) : "538 5.7.11 encryption required";
      case "MAIL":
        if (login !== undefined && user === undefined) return "530 5.7.0 authentication required";
        from = /<(?<address>.*?)>/u.exec(rest)?.groups?.["address"] ?? "";
        to = [];
        return "250 2.1.0 ok";
      case "RCPT":
        to.push(/<(?<address>.*?)>/u.exec(rest)?.groups?.["address"] ?? "");
        return "250 2.1.5 ok";
      case "DATA":
        return "354 go ahead";
      case "STARTTLS":
        return "502 5.5.1 not implemented";
      case "QUIT":
        return "221 2.0.0 bye";
      default:
        return "250 2.0.0 ok";
    }
  };

  const serve = (socket: Socket, secure: boolean): void => {
    let buffered = "";
    let isData = false;
    const onData = (chunk: Buffer): void => {
      buffered += chunk.toString();
      for (;;) {
        const end = buffered.indexOf(isData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const text = buffered.slice(0, end);
        buffered = buffered.slice(end + (isData ? 5 : 2));
        if (isData) {
          received.push({ from, to, data: text.replace(/^\.\./gmu, "."), secure, user });
          isData = false;
          socket.write("250 2.0.0 queued\r\n");
          continue;
        }
        commands.push(text);
        if (text.toUpperCase() === "STARTTLS" && tls !== undefined && !secure) {
          socket.off("data", onData);
          socket.write("220 2.0.0 ready\r\n");
          serve(secured(socket, tls), true);
          return;
        }
        const reply = refuse?.(text) ?? answer(text, secure);
        isData = reply.startsWith("354");
        socket.write(`${reply}\r\n`);
        if (reply.startsWith("221")) socket.end();
      }
    };
    socket.on("data", onData);
    if (!secure || tls?.implicit === true) socket.write("220 mail.test ESMTP\r\n");
  };
  return { serve };
}
