import { FairleadError } from "../../core/error.ts";
import { checkHeaders } from "../transport/header-check.ts";
import type { OutgoingRequest, ProviderSettings } from "./provider.ts";
import { partSecrets, secretsOf, urlSecrets } from "./secrets.ts";

export interface RequestParts {
  /** Default: POST. */
  readonly method?: OutgoingRequest["method"];
  readonly url: URL;
  /** Names in lower case; what the Secret sets goes before them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Names in lower case; they go before what the Secret sets. */
  readonly fixedHeaders?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string;
  /**
   * Whether whoever knows the address may send, so that all of it is secret but its host, or whether nothing of
   * it is but a password; default: what looks secret is.
   */
  readonly address?: "hook" | "open";
  /** Beside those of the settings. */
  readonly secrets?: readonly string[];
  readonly maxResponseBytes?: number;
  readonly sampleResponse?: string;
}

/**
 * A request of a provider, with the headers of its Secret, and with what is secret in it.
 * @throws FairleadError `delivery-failed` for headers that cannot be sent
 */
export function createRequest(settings: ProviderSettings, parts: RequestParts): OutgoingRequest {
  const { method = "POST", url, json, maxResponseBytes, sampleResponse } = parts;
  const body = json === undefined ? parts.body : JSON.stringify(json);
  const target = new URL(url);
  target.username = "";
  target.password = "";
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(url.username === "" ? {} : { authorization: basic(decode(url.username), decode(url.password)) }),
    ...parts.headers,
    ...Object.fromEntries(
      Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    ...parts.fixedHeaders,
  };
  checkHeaders(headers);
  return {
    method,
    url: target.href,
    headers,
    ...(body === undefined ? {} : { body }),
    secrets: [
      ...secretsOf(settings),
      ...(parts.address === "hook" ? [...urlSecrets(settings.address), ...urlSecrets(url.href)] : []),
      ...(parts.address === undefined ? partSecrets(settings.address) : []),
      ...(url.username === "" ? [] : [basic(decode(url.username), decode(url.password)).slice(6)]),
      ...(parts.secrets ?? []),
    ],
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
    ...(sampleResponse === undefined ? {} : { sampleResponse }),
  };
}

/**
 * The address of a provider that speaks HTTP.
 * @throws FairleadError `delivery-failed`, without the address
 */
export function addressOf({ address }: Pick<ProviderSettings, "address">): URL {
  const url = URL.parse(address.trim());
  if (url !== null && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw unusable("the address of the provider is no URL of http or https");
}

/** The token of a provider's Secret. @throws FairleadError `delivery-failed` without one */
export function tokenOf(settings: ProviderSettings): string {
  const token = tryToken(settings);
  if (token === undefined) throw unusable("the Secret of the provider has no token");
  return token;
}

/** The token of a provider's Secret, without the line end that comes with a file. */
export function tryToken({ secret }: ProviderSettings): string | undefined {
  const token = secret["token"]?.trim() ?? "";
  return token === "" ? undefined : token;
}

/** The user and the password of a provider, both of them or nothing. */
export function tryLogin(
  settings: ProviderSettings,
): { readonly username: string; readonly password: string } | undefined {
  const username = (settings.secret["username"] ?? settings.username).trim();
  const password = settings.secret["password"]?.trim() ?? "";
  return username === "" || password === "" ? undefined : { username, password };
}

/** The value of a Basic `Authorization` (RFC 7617). */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** The error of a provider that another attempt does not mend. */
export function unusable(message: string, hint?: string): FairleadError {
  return new FairleadError("delivery-failed", message, { hint });
}

/** A part of a path in a URL. @throws FairleadError `delivery-failed` for what would lead elsewhere */
export function segment(text: string): string {
  if (text === "" || text === "." || text === "..") throw unusable("a part of the address is missing");
  return encodeURIComponent(text.toWellFormed());
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
