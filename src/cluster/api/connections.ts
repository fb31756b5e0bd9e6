import type { Dispatcher } from "undici";
import { lazy } from "../../core/lazy.ts";
import { basicHeader, throughSocks5 } from "../../registry/transport/dispatcher.ts";
import { type Environment, parseProxy, type Proxy, proxyOf } from "../../registry/transport/proxy-choice.ts";
import type { ClusterAccess, ClusterTls } from "./cluster-access.ts";

type Undici = typeof import("undici");

const loadUndici = lazy(async (): Promise<Undici> => (await import("undici")).default);

/** Idle connections are kept this long: shorter than the API server and known balancers keep them. */
const keepAliveMs = 30_000;
const connectTimeoutMs = 15_000;
/** A peer that is gone is found by the system too. */
const probeMs = 30_000;

/** The connections to an API server, made anew when the certificates change. */
export class Connections {
  readonly #proxy: Proxy | undefined;
  readonly #ending = new AbortController();
  #current: { readonly key: string; readonly dispatcher: Dispatcher } | undefined;

  /** @throws FairleadError `config-invalid` for the address of a proxy that is none */
  constructor({ server, proxyUrl }: ClusterAccess, environment: Environment) {
    this.#proxy = proxyUrl ? parseProxy({ address: proxyUrl }) : proxyOf(server, environment);
  }

  /** What sends a request with these certificates. */
  async dispatcherFor(tls: ClusterTls): Promise<Dispatcher> {
    const undici = await loadUndici();
    const key = JSON.stringify(tls);
    if (this.#current?.key === key) return this.#current.dispatcher;
    this.retire();
    const dispatcher = createDispatcher(undici, tls, this.#proxy, this.#ending.signal);
    this.#current = { key, dispatcher };
    return dispatcher;
  }

  /** Uses none of them for what comes next; what runs over them goes on until it is done. */
  retire(): void {
    void this.#current?.dispatcher.close();
    this.#current = undefined;
  }

  /** Ends all of them, with what runs over them. */
  async close(): Promise<void> {
    // A dispatcher leaves alone what is still connecting.
    this.#ending.abort();
    await this.#current?.dispatcher.destroy();
    this.#current = undefined;
  }
}

function createDispatcher(
  undici: Undici,
  tls: ClusterTls,
  proxy: Proxy | undefined,
  signal: AbortSignal,
): Dispatcher {
  const common = { allowH2: false, keepAliveTimeout: keepAliveMs, connectTimeout: connectTimeoutMs };
  const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  const connect = {
    ...given,
    allowH2: false,
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: probeMs,
    signal,
  };
  if (proxy === undefined) return new undici.Agent({ ...common, connect });
  if (proxy.url.protocol.startsWith("socks5")) {
    return new undici.Agent({
      ...common,
      connect: throughSocks5(undici.buildConnector(connect), proxy, undefined),
    });
  }
  return new undici.ProxyAgent({
    ...common,
    uri: proxy.url.href,
    requestTls: connect,
    ...(proxy.username === "" ? {} : { token: basicHeader(proxy.username, proxy.password) }),
  });
}
