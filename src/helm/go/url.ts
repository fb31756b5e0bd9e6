import { isIPv4, isIPv6 } from "node:net";
import { quoteGo } from "./quote.ts";
import { escapeUrl, unescapeUrl } from "./url-escape.ts";
import { GoError } from "./value.ts";

/** A URL in its parts (Go's net/url.URL); empty where there is none. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** What stands before `@host`, escaped again as Go writes it; undefined where there is no `@`. */
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

type Authority = Pick<GoUrl, "userinfo" | "host">;

const nothing: GoUrl = {
  scheme: "",
  opaque: "",
  userinfo: undefined,
  host: "",
  path: "",
  query: "",
  fragment: "",
};

/** Parses a URL (Go's url.Parse). @throws GoError `parse "…": …` */
export function parseUrl(text: string): GoUrl {
  const { before: whole, after: fragment } = cut(text, "#");
  const parsed = naming(whole, () => parseWithoutFragment(whole));
  return { ...parsed, fragment: naming(text, () => unescapeUrl(fragment, "fragment")) };
}

/** The host without its port and brackets (URL.Hostname). */
export function hostnameOf(host: string): string {
  const colon = host.lastIndexOf(":");
  const name = colon !== -1 && isPort(host.slice(colon)) ? host.slice(0, colon) : host;
  return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
}

/** A part of a URL cut in two at a mark; without the mark, nothing comes after. */
function cut(text: string, mark: string): { readonly before: string; readonly after: string } {
  const found = text.indexOf(mark);
  if (found === -1) return { before: text, after: "" };
  return { before: text.slice(0, found), after: text.slice(found + mark.length) };
}

function naming<Parsed>(url: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`parse ${quoteGo(url)}: ${error.message}`);
  }
}

function parseWithoutFragment(text: string): GoUrl {
  if (/[\u0000-\u001f\u007f]/u.test(text)) {
    throw new GoError("net/url: invalid control character in URL");
  }
  if (text === "*") return { ...nothing, path: "*" };
  const { scheme, rest } = cutScheme(text);
  const { before: hierarchy, after: query } = cut(rest, "?");
  if (!hierarchy.startsWith("/")) {
    if (scheme !== "") return { ...nothing, scheme, query, opaque: hierarchy };
    if (cut(hierarchy, "/").before.includes(":")) {
      throw new GoError("first path segment in URL cannot contain colon");
    }
  }
  const hasAuthority = hierarchy.startsWith("//") && (scheme !== "" || !hierarchy.startsWith("///"));
  const pathStart = hasAuthority ? endOfAuthority(hierarchy) : 0;
  const authority = hasAuthority ? parseAuthority(scheme, hierarchy.slice(2, pathStart)) : nothing;
  const { userinfo, host } = authority;
  const path = unescapeUrl(hierarchy.slice(pathStart), "path");
  return { ...nothing, scheme, userinfo, host, path, query };
}

function endOfAuthority(hierarchy: string): number {
  const slash = hierarchy.indexOf("/", 2);
  return slash === -1 ? hierarchy.length : slash;
}

function cutScheme(text: string): { readonly scheme: string; readonly rest: string } {
  if (text.startsWith(":")) throw new GoError("missing protocol scheme");
  const scheme = /^[A-Za-z][A-Za-z0-9+\-.]*(?=:)/u.exec(text)?.[0];
  if (scheme === undefined) return { scheme: "", rest: text };
  return { scheme: scheme.toLowerCase(), rest: text.slice(scheme.length + 1) };
}

function parseAuthority(scheme: string, text: string): Authority {
  const at = text.lastIndexOf("@");
  const host = parseHost(scheme, text.slice(at + 1));
  return { host, userinfo: at === -1 ? undefined : parseUserinfo(text.slice(0, at)) };
}

function parseUserinfo(text: string): string {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/u.test(text)) throw new GoError("net/url: invalid userinfo");
  const { before: name, after: password } = cut(text, ":");
  const user = escapeUrl(unescapeUrl(name, "user"), "user");
  return text.includes(":") ? `${user}:${escapeUrl(unescapeUrl(password, "user"), "user")}` : user;
}

function parseHost(scheme: string, text: string): string {
  const bracket = text.lastIndexOf("[");
  if (bracket > 0) throw new GoError("invalid IP-literal");
  if (bracket === 0) return parseIpLiteral(text);
  const isStrict = scheme === "http" || scheme === "https";
  const colon = isStrict ? text.indexOf(":") : text.lastIndexOf(":");
  if (colon !== -1) refuseBadPort(text.slice(colon));
  return unescapeUrl(text, "host");
}

/** An address in brackets, which may have a zone: `[fe80::1%25en0]:80`. */
function parseIpLiteral(text: string): string {
  const end = text.lastIndexOf("]");
  if (end === -1) throw new GoError("missing ']' in host");
  const port = text.slice(end + 1);
  refuseBadPort(port);
  const literal = text.slice(1, end);
  const zone = literal.includes("%25") ? literal.indexOf("%25") : literal.length;
  const address = unescapeUrl(literal.slice(0, zone), "host") + unescapeUrl(literal.slice(zone), "zone");
  if (isIPv4(address)) throw new GoError("invalid IP-literal");
  if (!isAddress(address))
    throw new GoError(`invalid host: ParseAddr(${quoteGo(address)}): unable to parse IP`);
  return `[${address}]${port}`;
}

function isAddress(text: string): boolean {
  const { before: address, after: zone } = cut(text, "%");
  return isIPv6(address) && (zone !== "" || !text.includes("%"));
}

function refuseBadPort(text: string): void {
  if (!isPort(text)) throw new GoError(`invalid port ${quoteGo(text)} after host`);
}

function isPort(text: string): boolean {
  return /^(?::[0-9]*)?$/u.test(text);
}
