import type { HeaderFields } from "./api-exchange.ts";

/** Fields that concern one connection (RFC 9110 §7.6.1); with those that `Connection` names. */
const connectionFields: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Fields by which a proxy tells who asks and from where: what a client says of itself there is not believed. */
const proxyField = /^(?:x-remote-|x-forwarded-|proxy-|forwarded$|x-real-ip$)/u;

/** Fields of a request that are the gateway's to write anew, or that are settled between it and the client. */
const requestFields: ReadonlySet<string> = new Set(["expect", "host"]);

/**
 * The end-to-end fields of a request that may go upstream: nothing about the connection, nothing by which a front
 * proxy speaks.
 * @param raw names and values in turn, as node:http and node:http2 give them
 */
export function requestHeaders(raw: readonly string[]): Record<string, string | string[]> {
  const fields = endToEndFields(raw);
  for (const name of Object.keys(fields)) {
    if (requestFields.has(name) || proxyField.test(name)) delete fields[name];
  }
  return fields;
}

/**
 * The end-to-end fields of an answer.
 * @param raw names and values in turn, as node:http and node:http2 give them
 */
export function responseHeaders(raw: readonly string[]): HeaderFields {
  return endToEndFields(raw);
}

function endToEndFields(raw: readonly string[]): Record<string, string | string[]> {
  const fields = Object.create(null) as Record<string, string | string[]>;
  let named: string[] | undefined;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    const value = raw[index + 1] ?? "";
    if (name === "connection") (named ??= []).push(...value.toLowerCase().split(","));
    // Pseudo-fields of HTTP/2 begin with a colon.
    if (connectionFields.has(name) || name.startsWith(":")) continue;
    const present = fields[name];
    if (present === undefined) fields[name] = value;
    else if (typeof present === "string") fields[name] = [present, value];
    else present.push(value);
  }
  for (const name of named ?? []) delete fields[name.trim()];
  return fields;
}
