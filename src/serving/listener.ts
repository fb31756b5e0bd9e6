import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FairleadError, messageOf } from "../core/error.ts";
import { refuse } from "./response.ts";

/** Answers one request; what it throws becomes a 500. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface ListenAddress {
  /** Undefined: every address of the machine. */
  readonly host?: string;
  /** 0: one that is free. */
  readonly port: number;
}

export interface Listener {
  /** As clients write it: `127.0.0.1:9090` or `[::1]:9090`. */
  readonly address: string;
  readonly port: number;
  /** Takes no more connections, waits for what is being answered, and ends what takes longer. */
  close(graceMs: number): Promise<void>;
}

/** As notification-controller's, and an end to clients that do nothing. */
const limits = {
  maxHeaderSize: 256 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1000,
};
const idleTimeoutMs = 90_000;
const maxConnections = 4096;

/**
 * Reads an address to listen on: `:9090`, `127.0.0.1:9440`, `localhost:80` or `[::1]:80`.
 * @throws FairleadError `config-invalid`
 */
export function parseListenAddress(text: string): ListenAddress {
  const groups = /^(?:\[(?<ipv6>[0-9a-fA-F:.%]+)\]|(?<name>[^[\]:\s]*)):(?<port>\d{1,5})$/u.exec(
    text,
  )?.groups;
  const port = Number(groups?.["port"]);
  if (groups === undefined || port > 65_535) {
    throw new FairleadError("config-invalid", `${JSON.stringify(text)} is no address to listen on`, {
      hint: "an address is [host]:port, such as :9090 or 127.0.0.1:9440",
    });
  }
  const host = groups["ipv6"] ?? groups["name"] ?? "";
  return host === "" ? { port } : { host, port };
}

/** Whether only this machine reaches an address. */
export function isLoopbackAddress({ host }: ListenAddress): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/u.test(host ?? "");
}

/**
 * Serves HTTP; slow and idle clients are cut off.
 * @throws FairleadError `config-invalid` where the address cannot be listened on
 */
export async function startListener(address: ListenAddress, handler: Handler): Promise<Listener> {
  const server = createServer(limits, (request, response) => {
    void answer(handler, request, response);
  });
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeoutMs);
  server.listen({ ...address, ...(address.host === undefined ? {} : { host: address.host }) });
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new FairleadError("config-invalid", `cannot listen: ${messageOf(cause)}`, {
      cause,
      hint: "An address has to be this machine's, and no other program may listen there.",
    });
  }
  const { port, family, address: host } = server.address() as AddressInfo;
  return {
    address: family === "IPv6" ? `[${host}]:${port}` : `${host}:${port}`,
    port,
    close: (graceMs) => closeServer(server, graceMs),
  };
}

async function answer(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A client that goes away is no error of ours.
  response.on("error", () => undefined);
  try {
    await handler(request, response);
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, 500, "something went wrong");
  }
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
