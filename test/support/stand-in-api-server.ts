import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import type { Server as NetServer, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { CertificateFiles } from "./certificates.ts";
import { listen } from "./http-server.ts";

export type StandInRequest = IncomingMessage | Http2ServerRequest;
/** Of HTTP/2 too: both answer alike. */
export type StandInResponse = ServerResponse;

export interface StandInOptions {
  /** Undefined: plain HTTP/1.1. */
  readonly certificate?: CertificateFiles;
  /** Whose client certificates are those of front proxies. */
  readonly frontProxyCaFile?: string;
  readonly protocol: "h2" | "http/1.1";
  readonly answer: (request: StandInRequest, response: StandInResponse, user: string) => void;
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly maxConcurrentStreams?: number;
}

/** A server that tells who asks by kube-apiserver's rules: front proxies first, then a token. */
export interface StandIn {
  readonly url: string;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  /** How many connections it has had. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/** Starts a stand-in of an API server on a free loopback port. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { certificate, frontProxyCaFile } = options;
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const tls = certificate && {
    cert: await readFile(certificate.certificateFile),
    key: await readFile(certificate.keyFile),
    ...(frontProxyCaFile === undefined ? {} : { ca: await readFile(frontProxyCaFile), requestCert: true }),
    rejectUnauthorized: false,
  };
  const server = createServerOf(options, tls);
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  server.on("request", (request: StandInRequest, response: StandInResponse) => {
    response.on("error", () => undefined);
    request.on("error", () => undefined);
    const user = userOf(request);
    if (user === undefined) {
      response.statusCode = 401;
      response.end();
    } else options.answer(request, response, user);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    Object.assign(socket, { allowHalfOpen: true }).on("error", () => undefined);
    if (userOf(request) === undefined) {
      socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno");
    } else options.upgrade?.(request, socket, head);
  });
  const host = await listen(server);
  return {
    url: `${tls === undefined ? "http" : "https"}://${host}`,
    sessions,
    connections: () => connections,
    stop: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** One type for what only differs in how it is made. */
function createServerOf(
  { protocol, maxConcurrentStreams }: StandInOptions,
  tls: object | undefined,
): NetServer {
  if (tls === undefined) return createServer();
  if (protocol === "http/1.1") return createHttpsServer(tls);
  const settings = maxConcurrentStreams === undefined ? {} : { settings: { maxConcurrentStreams } };
  return createSecureServer({ ...tls, ...settings, allowHTTP1: true });
}

function userOf(request: StandInRequest): string | undefined {
  const socket = ("stream" in request ? request.stream.session?.socket : request.socket) as TLSSocket;
  const { "x-remote-user": user, "x-remote-group": groups, authorization } = request.headers;
  if (socket.authorized && typeof user === "string") return `${user} (${String(groups)})`;
  return authorization === "Bearer good" ? "token" : undefined;
}
