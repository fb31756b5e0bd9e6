import { SMTPServer } from "smtp-server";

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

export interface MailServerOptions {
  /** For STARTTLS, or with `implicit` from the beginning. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly implicit?: boolean };
  /** Who may log in, by PLAIN and only over TLS; default: nobody has to. */
  readonly login?: { readonly username: string; readonly password: string };
  /** The code with which a recipient is refused. */
  readonly refuse?: (recipient: string) => number | undefined;
}

export interface MailServer {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly received: readonly ReceivedMail[];
  /** Every line that clients sent, but for mails. */
  readonly commands: readonly string[];
  stop(): Promise<void>;
}

/** A server for mail with STARTTLS and AUTH PLAIN. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls, login, refuse } = options;
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const hear = (_entry: unknown, label: string, line?: unknown): void => {
    if (label === "C:") commands.push(String(line));
  };
  const server = new SMTPServer({
    ...(tls === undefined ? {} : { cert: tls.cert, key: tls.key, secure: tls.implicit ?? false }),
    disabledCommands: tls === undefined ? ["STARTTLS"] : [],
    authMethods: ["PLAIN"],
    authOptional: login === undefined,
    logger: {
      level: () => undefined,
      trace: hear,
      debug: hear,
      info: hear,
      warn: hear,
      error: hear,
      fatal: hear,
    },
    onAuth: ({ username = "", password }, _session, callback) => {
      const isKnown = username === login?.username && password === login.password;
      if (isKnown) callback(null, { user: username });
      else callback(new Error("credentials invalid"));
    },
    onRcptTo: ({ address }, _session, callback) => {
      const responseCode = refuse?.(address);
      callback(responseCode === undefined ? null : Object.assign(new Error("refused"), { responseCode }));
    },
    onData: (stream, { envelope, secure, user }, callback) => {
      let data = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (data += chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : (envelope.mailFrom?.address ?? "");
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, data, secure, user: typeof user === "string" ? user : undefined });
        callback();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = async (): Promise<void> => new Promise((resolve) => server.close(resolve));
  return { host: `127.0.0.1:${port}`, received, commands, stop };
}
