import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest, Http2Session } from "node:http2";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { FairleadError } from "../../../core/error.ts";
import { type ClientIdentity, clientIdentity } from "./client-identity.ts";

/** What holds for every request on a client's connection. */
export interface ClientConnection {
  readonly remoteAddress: string;
  readonly isSecure: boolean;
  /** Undefined for clients without a certificate, which bring a token or nothing. */
  readonly identity: ClientIdentity | undefined;
}

const known = new WeakMap<Duplex | Http2Session, ClientConnection>();

/**
 * The connection that a request came on.
 * @throws FairleadError `access-denied`
 */
export function connectionOf(request: IncomingMessage | Http2ServerRequest): ClientConnection {
  if (!("stream" in request)) return remember(request.socket, request.socket);
  const { session } = request.stream;
  if (session === undefined) throw new FairleadError("aborted", "the client has gone");
  return known.get(session) ?? remember(session, session.socket);
}

function remember(key: Duplex | Http2Session, socket: Socket | TLSSocket): ClientConnection {
  const present = known.get(key);
  if (present !== undefined) return present;
  const isSecure = "encrypted" in socket;
  const connection = {
    remoteAddress: socket.remoteAddress ?? "",
    isSecure,
    identity: isSecure ? clientIdentity(socket) : undefined,
  };
  known.set(key, connection);
  return connection;
}
