import type { Socket } from "node:net";
import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { RegistryAccess } from "../../registry/registry-api.ts";
import { createTlsContext } from "../../registry/transport/trusted-certificates.ts";
import type { OutgoingPublication } from "../providers/provider.ts";
import type { AddressGuard } from "../../core/address-guard.ts";
import { connectGuarded } from "./guarded-socket.ts";
import { authenticate } from "./nats-authentication.ts";
import { checkHeaders } from "./header-check.ts";
import { createLineReader, type LineReader } from "./line-reader.ts";

export interface NatsAccess extends Pick<RegistryAccess, "ca" | "clientCertificate"> {
  readonly guard: AddressGuard;
}

/** What a server tells of itself, as far as it matters here. */
interface ServerInfo {
  readonly tls_required?: boolean;
  readonly tls_available?: boolean;
  readonly headers?: boolean;
  readonly max_payload?: number;
  readonly nonce?: string;
}

/**
 * Publishes a message by NATS' client protocol and waits until the server has taken it; of several servers, the
 * first that can be reached.
 * @throws FairleadError `delivery-failed` or `address-refused`; the reason of the signal
 */
export async function publishToNats(
  publication: OutgoingPublication,
  access: NatsAccess,
  signal: AbortSignal,
): Promise<void> {
  checkHeaders(publication.headers);
  let failure: unknown;
  for (const server of publication.server.split(",")) {
    try {
      await publishOnce(parseServer(server, access), publication, access, signal);
      return;
    } catch (error) {
      failure = error;
      if (signal.aborted || (error instanceof FairleadError && !error.retryable)) break;
    }
  }
  throw failure;
}

interface Server {
  readonly host: string;
  readonly port: number;
  readonly wantsTls: boolean;
}

function parseServer(text: string, { ca }: NatsAccess): Server {
  const url = URL.parse(text.includes("://") ? text.trim() : `nats://${text.trim()}`);
  if (url === null || url.hostname === "" || !["nats:", "tls:"].includes(url.protocol)) {
    throw new FairleadError("delivery-failed", "the address of the NATS server is none", {
      hint: "it is nats://host:port or tls://host:port",
    });
  }
  const wantsTls = url.protocol === "tls:" || ca !== undefined;
  return { host: url.hostname, port: Number(url.port || 4222), wantsTls };
}

async function publishOnce(
  server: Server,
  publication: OutgoingPublication,
  access: NatsAccess,
  signal: AbortSignal,
): Promise<void> {
  let socket = await connectGuarded(server, access.guard, signal);
  const plain = socket;
  try {
    let reader = createLineReader(socket);
    const info = await readInfo(reader);
    checkSize(publication, info);
    if (server.wantsTls && info.tls_required !== true && info.tls_available !== true) {
      throw new FairleadError("delivery-failed", "the NATS server does not offer TLS");
    }
    if (server.wantsTls || info.tls_required === true) {
      reader.release();
      socket = await secure(socket, server, access);
      reader = createLineReader(socket);
    }
    const login = await authenticate(publication.credentials, info.nonce ?? "");
    const options = {
      verbose: false,
      pedantic: false,
      name: "fairlead",
      lang: "node",
      version: "1",
      protocol: 1,
      headers: info.headers === true,
      tls_required: socket !== plain,
      ...login,
    };
    socket.write(`CONNECT ${JSON.stringify(options)}\r\nPING\r\n`);
    await waitForPong(reader);
    socket.write(encodePublication(publication, info.headers === true));
    await waitForPong(reader);
    socket.end();
  } finally {
    socket.destroy();
    plain.destroy();
  }
}

async function readInfo(reader: LineReader): Promise<ServerInfo> {
  const line = await reader.read();
  try {
    if (!line.startsWith("INFO ")) throw new Error("no INFO");
    return JSON.parse(line.slice(5)) as ServerInfo;
  } catch (cause) {
    throw new FairleadError("delivery-failed", "the server does not speak NATS", { cause });
  }
}

function checkSize({ body }: OutgoingPublication, { max_payload: most }: ServerInfo): void {
  if (most !== undefined && Buffer.byteLength(body) + 4096 > most) {
    throw new FairleadError("delivery-failed", `the NATS server takes no more than ${most} bytes`);
  }
}

async function secure(socket: Socket, { host }: Server, access: NatsAccess): Promise<Socket> {
  const { connect } = await import("node:tls");
  const { isIP } = await import("node:net");
  const name = host.replace(/^\[(.*)\]$/u, "$1");
  const secured = connect({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    secureContext: createTlsContext(access),
  });
  secured.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    secured.once("secureConnect", resolve);
    secured.once("error", reject);
    secured.once("close", () => reject(new Error("the connection was closed")));
  });
  return secured;
}

function encodePublication({ subject, headers, body }: OutgoingPublication, takesHeaders: boolean): string {
  const payload = Buffer.byteLength(body);
  if (!takesHeaders) return `PUB ${subject} ${payload}\r\n${body}\r\nPING\r\n`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `NATS/1.0\r\n${lines.join("")}\r\n`;
  const headLength = Buffer.byteLength(head);
  return `HPUB ${subject} ${headLength} ${headLength + payload}\r\n${head}${body}\r\nPING\r\n`;
}

async function waitForPong(reader: LineReader): Promise<void> {
  for (;;) {
    const line = await reader.read();
    if (line === "PONG") return;
    if (line.startsWith("-ERR")) throw serverError(line.slice(4).trim());
  }
}

function serverError(text: string): FairleadError {
  const isLasting = /authoriz|authentic|permission|payload|subject|expired|revoked/iu.test(text);
  return new FairleadError("delivery-failed", `the NATS server refuses: ${excerpt(text)}`, {
    retryable: !isLasting,
  });
}
