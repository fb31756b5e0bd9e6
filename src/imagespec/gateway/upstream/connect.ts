import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { FairleadError } from "../../../core/error.ts";
import type { UpstreamAddress } from "./upstream-address.ts";

/** As PEM. */
export interface UpstreamTls {
  /** Whom to trust; default: the authorities that the platform trusts. */
  readonly ca?: string | undefined;
  /** The front-proxy client certificate with its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const connectTimeoutMs = 10_000;
const keepAliveDelayMs = 30_000;

/** What is negotiated for one connection: HTTP/2 where the server has it, or HTTP/1.1 alone. */
export type Protocols = "any" | "http/1.1";

/** Options of node:tls for connections to a server. */
export function tlsOptions(
  { host, port }: UpstreamAddress,
  { ca, cert, key }: UpstreamTls,
): ConnectionOptions {
  return {
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

/**
 * Opens a connection to the API server.
 * @throws FairleadError `upstream-unreachable`, which is retryable: nothing was sent
 */
export async function connectUpstream(
  address: UpstreamAddress,
  tls: UpstreamTls,
  protocols: Protocols,
): Promise<Socket | TLSSocket> {
  // An upgraded connection may end one half alone; one of HTTP/2 that did would never close.
  const allowHalfOpen = protocols === "http/1.1";
  const ALPNProtocols = protocols === "any" ? ["h2", "http/1.1"] : ["http/1.1"];
  const options = { ...tlsOptions(address, tls), ALPNProtocols, allowHalfOpen };
  const socket = address.isSecure
    ? connectTls(options)
    : connect({ host: address.host, port: address.port, allowHalfOpen });
  socket.setNoDelay(true).setKeepAlive(true, keepAliveDelayMs);
  try {
    await once(socket, address.isSecure ? "secureConnect" : "connect", {
      signal: AbortSignal.timeout(connectTimeoutMs),
    });
  } catch (cause) {
    socket.destroy();
    throw unreachable(cause);
  }
  return socket;
}

/** Nothing of a request was sent, or it was surely not looked at. */
export function unreachable(cause: unknown): FairleadError {
  return new FairleadError("upstream-unreachable", `the API server cannot be reached${reasonOf(cause)}`, {
    cause,
    retryable: true,
  });
}

/** A request was sent, and nobody knows what became of it. */
export function lost(cause: unknown): FairleadError {
  return new FairleadError(
    "upstream-unreachable",
    `the connection to the API server broke before it answered${reasonOf(cause)}`,
    { cause },
  );
}

/** The client has gone, or the gateway gave up. */
export function aborted(cause?: unknown): FairleadError {
  return new FairleadError("aborted", "the request was given up", { cause });
}

/** The code of an error of Node's: its message may tell addresses. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && cause.name === "AbortError" ? "ETIMEDOUT" : codeOf(cause);
  return code === undefined ? "" : ` (${code})`;
}
