import { BlockList, isIP } from "node:net";
import { FairleadError } from "../../core/error.ts";
import type { ProxySettings } from "../registry-api.ts";
import { isLoopback } from "./loopback.ts";

/** A proxy with its address taken apart; credentials are no part of `url`. */
export interface Proxy {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const defaultPorts: Readonly<Record<string, string>> = {
  "http:": "80",
  "https:": "443",
  "socks5:": "1080",
  "socks5h:": "1080",
};

/**
 * Reads the address of a proxy; a user and a password may stand in it or beside it.
 * @throws FairleadError `config-invalid`, without the address, which may hold a password
 */
export function parseProxy(settings: ProxySettings): Proxy {
  const url = URL.parse(settings.address);
  if (url === null || defaultPorts[url.protocol] === undefined || url.hostname === "") {
    throw new FairleadError("config-invalid", "the address of the proxy is none", {
      hint: "a proxy is http://, https://, socks5:// or socks5h:// and host[:port]",
    });
  }
  const proxy = {
    url: new URL(`${url.protocol}//${url.hostname}:${url.port || (defaultPorts[url.protocol] ?? "")}`),
    username: settings.username ?? decode(url.username),
    password: settings.password ?? decode(url.password),
  };
  return proxy;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The proxy that an environment names for an address, by the rules of Go's httpproxy: `HTTPS_PROXY` or
 * `HTTP_PROXY` by the scheme, in capitals or not, never for this machine nor for what `NO_PROXY` lists.
 * @throws FairleadError `config-invalid`
 */
export function proxyOf(url: URL, environment: Environment): Proxy | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const written = valueOf(environment, name);
  // A CGI program gets HTTP_PROXY from whoever sends the header `Proxy`.
  if (written === "" || (name === "HTTP_PROXY" && (environment["REQUEST_METHOD"] ?? "") !== ""))
    return undefined;
  if (isLoopback(url.hostname) || isPassedBy(url, valueOf(environment, "NO_PROXY"))) return undefined;
  return parseProxy({ address: written.includes("://") ? written : `http://${written}` });
}

function valueOf(environment: Environment, name: string): string {
  return (environment[name] || environment[name.toLowerCase()]) ?? "";
}

function isPassedBy(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/u, "$1").replace(/\.$/u, "");
  const port = url.port || (defaultPorts[url.protocol] ?? "");
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== "" && isNamedBy(entry, host, port));
}

function isNamedBy(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInNetwork(host, entry);
  const { name = entry, port: entryPort } =
    isIP(entry) === 0 ? (/^(?<name>.*?)(?::(?<port>\d+))?$/u.exec(entry)?.groups ?? {}) : {};
  if (entryPort !== undefined && entryPort !== port) return false;
  const bare = name.replace(/^\[(.*)\]$/u, "$1").replace(/^\*(?=\.)/u, "");
  if (isIP(bare) !== 0 || isIP(host) !== 0) return bare === host;
  // `.example.com` means what is below it, `example.com` itself as well.
  return bare.startsWith(".") ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function isInNetwork(host: string, network: string): boolean {
  const [address = "", bits = ""] = network.split("/");
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/u.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const kind = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(address, Number(bits), kind);
  return list.check(host, kind);
}
