import { define, parameters, type FunctionTable } from "../go/function.ts";
import { derivedFrom, plainText, sliceText, TextBuilder } from "../go/text.ts";
import { escapeUrl } from "../go/url-escape.ts";
import { hostnameOf, parseUrl } from "../go/url.ts";
import { GoError, GoMap, Tracked, typeOf, untracked, type GoValue, type Text } from "../go/value.ts";
import { spent } from "./growth.ts";

/** Sprig's functions on URLs, which come as maps of their parts. */
export const urlFunctions: FunctionTable = {
  urlParse: define([parameters.text], ([text]) => {
    const {
      scheme,
      opaque,
      userinfo = "",
      host,
      path,
      query,
      fragment,
    } = panicking("url", () => parseUrl(plainText(text)));
    const parts = { scheme, host, hostname: hostnameOf(host), path, query, opaque, fragment, userinfo };
    return new GoMap(Object.entries(parts).map(([name, part]) => [name, partOf(text, part)]));
  }),
  urlJoin: define([parameters.map], ([map], context) => spent(context, joinUrl(map))),
};

/** A part that stands in the URL once is that place; of another only the whole that it was made from is known. */
function partOf(text: Text, part: string): GoValue {
  if (typeof text === "string" || part === "") return part;
  const start = text.value.indexOf(part);
  const isCertain = start !== -1 && start === text.value.lastIndexOf(part);
  return isCertain ? sliceText(text, start, start + part.length) : derivedFrom(part, [text]);
}

/** The parts as one text (Go's URL.String). */
function joinUrl(map: GoMap): Text {
  const scheme = textAt(map, "scheme");
  const host = textAt(map, "host");
  const path = textAt(map, "path");
  const query = textAt(map, "query");
  const opaque = textAt(map, "opaque");
  const fragment = textAt(map, "fragment");
  const userinfo = normalUserinfo(textAt(map, "userinfo"));
  const hasScheme = plainText(scheme) !== "";
  const hasHost = plainText(host) !== "";
  const builder = new TextBuilder();
  const add = (...parts: readonly Text[]): void => parts.forEach((part) => builder.append(part));

  if (hasScheme) add(scheme, ":");
  if (plainText(opaque) === "") {
    const escapedPath = plainText(path) === "*" ? path : escaped(path, "path");
    if (hasHost || userinfo !== undefined || (hasScheme && plainText(path) !== "")) add("//");
    if (userinfo !== undefined) add(userinfo, "@");
    add(escaped(host, "host"));
    const start = plainText(escapedPath);
    if (hasHost && start !== "" && !start.startsWith("/")) add("/");
    // Otherwise the first element would be taken for a scheme.
    if (builder.length === 0 && /^[^/]*:/u.test(start)) add("./");
    add(escapedPath);
  } else add(opaque);
  if (plainText(query) !== "") add("?", query);
  if (plainText(fragment) !== "") add("#", escaped(fragment, "fragment"));
  return builder.toText();
}

function textAt(map: GoMap, key: string): Text {
  const value = map.entries.get(key);
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Tracked && typeof value.value === "string") return value as Tracked<string>;
  const kind = typeOf(untracked(value))?.kind;
  if (kind === undefined)
    throw new GoError("runtime error: invalid memory address or nil pointer dereference");
  throw new GoError(`unable to parse ${key} key, must be of type string, but ${kind} found`);
}

function normalUserinfo(userinfo: Text): Text | undefined {
  const plain = plainText(userinfo);
  if (plain === "") return undefined;
  const normal = panicking("userinfo in dict", () => parseUrl(`proto://${plain}@host`).userinfo);
  return normal === undefined ? undefined : madeFrom(userinfo, normal);
}

function escaped(text: Text, part: "host" | "path" | "fragment"): Text {
  return madeFrom(text, escapeUrl(plainText(text), part));
}

function madeFrom(text: Text, changed: string): Text {
  return changed === plainText(text) ? text : (derivedFrom(changed, [text]) as Text);
}

/** What Sprig panics with where a URL cannot be parsed. */
function panicking<Parsed>(what: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`unable to parse ${what}: ${error.message}`);
  }
}
