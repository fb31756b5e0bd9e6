import type { LookupFunction, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { buildConnector, Dispatcher } from "undici";
import { lazy } from "../../core/lazy.ts";
import type { RegistryAccess } from "../registry-api.ts";
import { type Environment, parseProxy, type Proxy, proxyOf } from "./proxy-choice.ts";
import { openSocks5Tunnel } from "./socks5-tunnel.ts";
import { createTlsContext } from "./trusted-certificates.ts";

type Undici = typeof import("undici");

/** A third of the start-up, which only those pay who talk to a registry. */
const loadUndici = lazy(async (): Promise<Undici> => (await import("undici")).default);

/** Idle connections are kept this long: shorter than the servers and balancers that are known. */
const keepAliveMs = 4_000;
const connectTimeoutMs = 15_000;

export interface DispatcherOptions {
  readonly access: RegistryAccess;
  /** Where the proxy stands that the access does not name. */
  readonly environment: Environment;
  /** Finds the addresses of names, those of proxies included; default: as the system does. */
  readonly lookup?: LookupFunction | undefined;
}

/** Gives the connections for an address. */
export type DispatcherChoice = (url: URL) => Promise<Dispatcher>;

/**
 * Connections as an access wants them, made when they are asked for. Its client certificate and its leave to
 * skip the check of certificates hold for the registry's own host; other hosts, to which it redirects or which
 * give its tokens, get neither.
 * @param ownHost the registry's host name, without port; undefined: every host is its own
 */
export function createDispatcherChoice(
  ownHost: string | undefined,
  options: DispatcherOptions,
): DispatcherChoice {
  const { access, environment, lookup } = options;
  const own = lazy(() => createConnections(access, lookup));
  const other = lazy(() => createConnections({ ca: access.ca, proxy: access.proxy }, lookup));
  const given = access.proxy === undefined ? undefined : parseProxy(access.proxy);
  return async (url) => {
    const undici = await loadUndici();
    const connections = (ownHost ?? url.hostname) === url.hostname ? own() : other();
    return connections(undici, given ?? proxyOf(url, environment));
  };
}

type Connections = (undici: Undici, proxy: Proxy | undefined) => Dispatcher;

function createConnections(access: RegistryAccess, lookup: LookupFunction | undefined): Connections {
  const dispatchers = new Map<string, Dispatcher>();
  const tls = {
    // A getter, as plain http has no use for hundreds of certificates.
    get secureContext() {
      return context();
    },
    rejectUnauthorized: access.insecure !== true,
    ...(lookup === undefined ? {} : { lookup }),
  };
  const context = lazy(() => createTlsContext(access));
  return (undici, proxy) => {
    const key = proxy === undefined ? "" : `${proxy.username}@${proxy.url.host}${proxy.url.protocol}`;
    const known = dispatchers.get(key);
    if (known !== undefined) return known;
    const dispatcher = createDispatcher(undici, tls, proxy);
    dispatchers.set(key, dispatcher);
    return dispatcher;
  };
}

interface TlsOptions {
  readonly secureContext: ReturnType<typeof createTlsContext>;
  readonly rejectUnauthorized: boolean;
  readonly lookup?: LookupFunction;
}

function createDispatcher(undici: Undici, tls: TlsOptions, proxy: Proxy | undefined): Dispatcher {
  const common = { allowH2: false, keepAliveTimeout: keepAliveMs, connectTimeout: connectTimeoutMs };
  const connector = createConnector(undici, tls);
  if (proxy === undefined) return new undici.Agent({ ...common, connect: connector });
  if (proxy.url.protocol.startsWith("socks5")) {
    return new undici.Agent({ ...common, connect: throughSocks5(connector, proxy, tls.lookup) });
  }
  return new undici.ProxyAgent({
    ...common,
    uri: proxy.url.href,
    requestTls: { ...tls, timeout: connectTimeoutMs },
    // The proxy is trusted as other hosts are: what the registry may skip, it may not.
    proxyTls: { ...tls, rejectUnauthorized: true, timeout: connectTimeoutMs },
    ...(proxy.username === "" ? {} : { token: basicHeader(proxy.username, proxy.password) }),
  });
}

/** undici's connector, which is given the certificates only when it speaks TLS. */
function createConnector(undici: Undici, tls: TlsOptions): buildConnector.connector {
  const { lookup } = tls;
  const plain = undici.buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    ...(lookup === undefined ? {} : { lookup }),
  });
  const secure = lazy(() => undici.buildConnector({ ...tls, allowH2: false, timeout: connectTimeoutMs }));
  return (options, callback) => {
    try {
      (options.protocol === "https:" ? secure() : plain)(options, callback);
    } catch (error) {
      callback(error as Error, null);
    }
  };
}

/** A connector whose connections go through a SOCKS5 proxy; `connector` speaks TLS over them. */
export function throughSocks5(
  connector: buildConnector.connector,
  proxy: Proxy,
  lookup: LookupFunction | undefined,
): buildConnector.connector {
  const open = async (options: buildConnector.Options): Promise<Socket | TLSSocket> => {
    const port = Number(options.port || (options.protocol === "https:" ? 443 : 80));
    const tunnel = await openSocks5Tunnel(proxy, { host: options.hostname, port }, connectTimeoutMs, lookup);
    if (options.protocol !== "https:") return tunnel;
    return new Promise((resolve, reject) => {
      connector({ ...options, httpSocket: tunnel }, (error, socket) => {
        if (error === null) resolve(socket);
        else reject(error);
      });
    });
  };
  const connect = async (...[options, callback]: Parameters<buildConnector.connector>): Promise<void> => {
    let socket: Socket | TLSSocket;
    try {
      socket = await open(options);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    callback(null, socket);
  };
  return (options, callback) => void connect(options, callback);
}

/** A header of Basic authentication (RFC 7617). */
export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
