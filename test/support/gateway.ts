import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { createLogger } from "../../src/core/log.ts";
import { passThrough } from "../../src/imagespec/gateway/pass-through.ts";
import {
  type Gateway,
  type GatewayOptions,
  startGateway,
} from "../../src/imagespec/gateway/server/gateway.ts";
import { parseUpstreamAddress } from "../../src/imagespec/gateway/upstream/upstream-address.ts";

export interface TestGateway extends Gateway {
  readonly url: string;
  readonly log: readonly string[];
}

/** Starts a gateway within this process on free loopback ports. */
export async function startTestGateway(
  upstream: string,
  options: Partial<Omit<GatewayOptions, "upstream">> = {},
): Promise<TestGateway> {
  const log: string[] = [];
  const gateway = await startGateway({
    upstream: parseUpstreamAddress(upstream),
    listen: { host: "127.0.0.1", port: 0 },
    metricsListen: { host: "127.0.0.1", port: 0 },
    translate: passThrough,
    log: createLogger({ level: "info", format: "text", write: (line) => log.push(line) }),
    ...options,
  });
  const scheme = options.tls === undefined ? "http" : "https";
  return { ...gateway, url: `${scheme}://${gateway.addresses.gateway}`, log };
}

export interface Http2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Opens an HTTP/2 connection as a client. */
export function openHttp2(url: string, tls: ConnectionOptions): ClientHttp2Session {
  const session = connect(url, tls);
  session.on("error", () => undefined);
  return session;
}

/** Sends one request and reads its whole answer. */
export async function askByHttp2(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: Uint8Array,
): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    const chunks: Buffer[] = [];
    let head: Pick<Http2Answer, "headers" | "rawHeaders"> = { headers: {}, rawHeaders: [] };
    stream.on("response", (fields, _flags, rawHeaders: string[]) => {
      head = { headers: fields, rawHeaders };
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      const status = Number(head.headers[":status"] ?? 0);
      if (stream.rstCode === 0) resolve({ ...head, status, body: Buffer.concat(chunks) });
      else reject(new Error(`reset with ${stream.rstCode}`));
    });
    if (body !== undefined) stream.end(body);
  });
}

/** A raw connection on which a test writes bytes of its own. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that came until the peer ended. */
  readonly ended: Promise<string>;
  /** Waits until a text has come and gives all so far. */
  until(text: string): Promise<string>;
}

/** Opens a raw connection to a server; with `tls`, by TLS and HTTP/1.1. */
export function openRaw(url: string, tls?: ConnectionOptions): RawConnection {
  const { hostname: host, port } = new URL(url);
  const socket =
    tls === undefined
      ? connectTcp({ host, port: Number(port), allowHalfOpen: true })
      : connectTls({ ...tls, host, port: Number(port), ALPNProtocols: ["http/1.1"], ...halfOpen });
  let text = "";
  const waiting = new Set<() => void>();
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    for (const look of waiting) look();
  });
  socket.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => {
    const finish = (): void => resolve(text);
    socket.once("end", finish);
    socket.once("close", finish);
  });
  return {
    socket,
    ended,
    until: async (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!text.includes(wanted)) return;
          waiting.delete(look);
          resolve(text);
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`it ended after ${JSON.stringify(text)}`)));
      }),
  };
}

const halfOpen = { allowHalfOpen: true };
