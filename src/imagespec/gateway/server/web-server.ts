import { constants } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { FairleadError, messageOf } from "../../../core/error.ts";
import type { ListenAddress } from "../../../serving/listener.ts";
import type { ApiResponse } from "../api-exchange.ts";
import { failureStatus } from "../failure-status.ts";
import type { UpstreamTls } from "../upstream/connect.ts";

export type ClientRequest = IncomingMessage | Http2ServerRequest;
export type ClientResponse = ServerResponse | Http2ServerResponse;

export interface WebHandlers {
  serve(request: ClientRequest, response: ClientResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** All in milliseconds, but for the counts. */
export interface WebLimits {
  readonly maxConnections: number;
  /** To shake hands. */
  readonly handshakeMs: number;
  /** To send the header of a request. */
  readonly headersMs: number;
  /** To send a request whole. */
  readonly requestMs: number;
  /** Of a connection without a request. */
  readonly idleMs: number;
}

const maxHeaderBytes = 64 * 1024;
const maxStreamsPerConnection = 10_000;
const maxSessionMemoryMb = 256;
const keepAliveDelayMs = 30_000;
/** For what is written already to leave. */
const flushMs = 1000;

/** Serves HTTP/2 and HTTP/1.1 by TLS, or HTTP/1.1 without. */
export class WebServer {
  readonly #server: Server | Http2SecureServer;
  readonly #sockets = new Set<Socket>();

  /** @param tls with `ca`: whose client certificates are believed */
  constructor(tls: UpstreamTls | undefined, limits: WebLimits, handlers: WebHandlers) {
    const checks = { connectionsCheckingInterval: Math.min(1000, limits.headersMs) };
    const server =
      tls === undefined
        ? createServer({ ...checks, maxHeaderSize: maxHeaderBytes })
        : createSecureServer({
            ...secureOptions(tls),
            // Clients without a certificate are let in: they may have a token.
            requestCert: tls.ca !== undefined,
            rejectUnauthorized: false,
            allowHTTP1: true,
            handshakeTimeout: limits.handshakeMs,
            settings: { maxConcurrentStreams: maxStreamsPerConnection, maxHeaderListSize: maxHeaderBytes },
            maxSessionMemory: maxSessionMemoryMb,
            ...({ ...checks, maxHeaderSize: maxHeaderBytes } as object),
          });
    // Both have them, though the types name them for one alone.
    const timeouts = {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      timeout: 0,
      maxConnections: limits.maxConnections,
    };
    this.#server = Object.assign(server, timeouts);
    server.on("request", (request: ClientRequest, response: ClientResponse) => {
      handlers.serve(request, response);
    });
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      handlers.upgrade(request, socket, head);
    });
    server.on("connection", (socket: Socket) => {
      socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs);
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on("session", (session: ServerHttp2Session) => closeWhenIdle(session, limits.idleMs));
    server.on("clientError", refuseMalformed);
  }

  /** @throws FairleadError `config-invalid` where the address cannot be listened on */
  async listen(address: ListenAddress): Promise<string> {
    this.#server.listen({ ...address });
    try {
      await once(this.#server, "listening");
    } catch (cause) {
      throw new FairleadError("config-invalid", `cannot listen: ${messageOf(cause)}`, { cause });
    }
    const { address: host, family, port } = this.#server.address() as AddressInfo;
    return family === "IPv6" ? `[${host}]:${port}` : `${host}:${port}`;
  }

  /** Uses other certificates for connections from now on. */
  reload(tls: UpstreamTls): void {
    if ("setSecureContext" in this.#server) this.#server.setSecureContext(secureOptions(tls));
  }

  /**
   * Takes no more connections and tells clients of HTTP/2 to go elsewhere; then waits for what is being answered.
   * @param answered settles when nothing is, or it has taken too long
   */
  async close(answered: Promise<void>): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await answered;
    if ("closeIdleConnections" in this.#server) this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, flushMs);
    await closed;
    clearTimeout(timer);
  }
}

/** An answer of HTTP/1.1 behind which the connection ends. */
export function formatClosingAnswer({ status, headers, body }: ApiResponse): Buffer {
  const head = formatHead(status, {
    ...headers,
    connection: "close",
    ...(body instanceof Uint8Array ? { "content-length": String(body.length) } : {}),
  });
  return body instanceof Uint8Array ? Buffer.concat([head, body]) : head;
}

/** The status line and header of an answer of HTTP/1.1. */
export function formatHead(status: number, headers: ApiResponse["headers"]): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => `${name}: ${one}\r\n`),
  );
  return Buffer.from(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${lines.join("")}\r\n`,
    "latin1",
  );
}

/** Without tickets, each connection shows its certificate and is checked against the authorities now in force. */
function secureOptions({ cert, key, ca }: UpstreamTls): {
  cert?: string;
  key?: string;
  ca?: string;
  secureOptions: number;
  minVersion: "TLSv1.2";
} {
  return {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(ca === undefined ? {} : { ca }),
    secureOptions: constants.SSL_OP_NO_TICKET,
    minVersion: "TLSv1.2",
  };
}

function closeWhenIdle(session: ServerHttp2Session, idleMs: number): void {
  let open = 0;
  session.on("stream", (stream) => {
    open += 1;
    stream.once("close", () => {
      open -= 1;
      session.setTimeout(idleMs);
    });
  });
  // What its streams miss, they say themselves.
  session.on("error", () => undefined);
  session.setTimeout(idleMs, () => {
    if (open === 0) session.close();
  });
}

function refuseMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  // Without a handshake, or without a connection, nobody would read an answer.
  if (!/^(?:HPE|ERR_HTTP)_/u.test(error.code ?? "") || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  socket.end(formatClosingAnswer(failureStatus(status, STATUS_CODES[status] ?? "")), () => socket.destroy());
}
