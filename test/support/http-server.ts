import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from "node:net";

export interface TestServer {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves on a free loopback port; with `tls`, by https. */
export async function startHttpServer(
  listener: RequestListener,
  tls?: Pick<ServerOptions, "ca" | "cert" | "key" | "rejectUnauthorized" | "requestCert">,
): Promise<TestServer & { readonly server: Server }> {
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  const host = await listen(server);
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { host, url: `${tls === undefined ? "http" : "https"}://${host}`, server, stop };
}

/** Lets a server listen on a free loopback port and gives `127.0.0.1:port`. */
export async function listen(server: NetServer): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

/** A loopback port that was free just now, for a server that is told its port. */
export async function freePort(): Promise<number> {
  const probe = createNetServer();
  const host = await listen(probe);
  probe.close();
  await once(probe, "close");
  return Number(host.split(":")[1]);
}
