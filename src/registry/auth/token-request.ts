import { FairleadError } from "../../core/error.ts";
import { createRedactor } from "../../core/redaction.ts";
import { parseJsonObject } from "../json-body.ts";
import type { Credentials } from "../registry-api.ts";
import { failureOf } from "../registry-failure.ts";
import type { Call } from "../transport/call.ts";
import { basicHeader } from "../transport/dispatcher.ts";
import { describeUrl, type HttpAnswer, isSuccess, type Send } from "../transport/http-exchange.ts";
import { isLoopback } from "../transport/loopback.ts";

export interface TokenRequest {
  readonly realm: string;
  readonly service: string | undefined;
  readonly scope: string;
  readonly credentials: Exclude<Credentials, { kind: "registry-token" }> | undefined;
  /** The address of the registry that asks for the token. */
  readonly registry: URL;
}

export interface Token {
  readonly text: string;
  readonly lifetimeMs: number;
}

const maxTokenBytes = 1024 * 1024;
/** A token without `expires_in` is good for a minute, as is one with less (distribution's token specification). */
const leastLifetimeSeconds = 60;

/**
 * Asks a token server for a token: by POST where there is an identity token (OAuth2, RFC 6749), else by GET,
 * with Basic authentication or without any.
 * @throws FairleadError `registry-unauthorized` for refused credentials and for a realm that they must not be
 *   sent to, `registry-failed`, `registry-unreachable`
 */
export async function requestToken(request: TokenRequest, send: Send, call: Call): Promise<Token> {
  const realm = checkedRealm(request);
  const { credentials } = request;
  const answer =
    credentials?.kind === "identity-token"
      ? await exchangeIdentityToken(realm, request, credentials.token, send, call)
      : await getToken(realm, request, send, call);
  const redact = redactorOf(credentials);
  if (!isSuccess(answer)) {
    throw failureOf(answer, {
      subject: `a token for ${request.registry.host}`,
      redact,
      // OAuth2 answers a refresh token that it does not know with 400.
      code: [400, 401, 403].includes(answer.status) ? "registry-unauthorized" : "registry-failed",
      hint:
        credentials === undefined ? "there are no credentials" : "the credentials are wrong or out of date",
    });
  }
  return readToken(answer);
}

/** A realm is https, or plain http on the host of a registry that speaks plain http itself. */
function checkedRealm({ realm, registry, credentials }: TokenRequest): URL {
  const url = URL.parse(realm);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new FairleadError(
      "registry-failed",
      `${registry.host} names a token server that has no valid address`,
    );
  }
  if (url.protocol === "https:") return url;
  if (registry.protocol === "https:") {
    throw new FairleadError(
      "registry-unauthorized",
      `${registry.host} wants its token fetched over plain http`,
    );
  }
  if (credentials !== undefined && !isSameHost(url, registry)) {
    throw new FairleadError(
      "registry-unauthorized",
      `${registry.host} wants its credentials sent to ${url.host} over plain http`,
    );
  }
  return url;
}

function isSameHost(left: URL, right: URL): boolean {
  return left.hostname === right.hostname || (isLoopback(left.hostname) && isLoopback(right.hostname));
}

async function getToken(
  realm: URL,
  { service, scope, credentials }: TokenRequest,
  send: Send,
  call: Call,
): Promise<HttpAnswer> {
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set("service", service);
  url.searchParams.set("scope", scope);
  const headers: Record<string, string> = { accept: "application/json" };
  if (credentials?.kind === "basic") {
    headers["authorization"] = basicHeader(credentials.username, credentials.password);
  }
  return send({ method: "GET", url, headers, maxBytes: maxTokenBytes }, call);
}

async function exchangeIdentityToken(
  url: URL,
  { service, scope }: TokenRequest,
  refreshToken: string,
  send: Send,
  call: Call,
): Promise<HttpAnswer> {
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: "fairlead",
    scope,
    refresh_token: refreshToken,
  });
  if (service !== undefined) form.set("service", service);
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  return send({ method: "POST", url, headers, body: form.toString(), maxBytes: maxTokenBytes }, call);
}

function readToken(answer: HttpAnswer): Token {
  const source = describeUrl(answer.url);
  const fields = parseJsonObject(answer.body, source);
  const text = [fields["token"], fields["access_token"]].find(
    (value) => typeof value === "string" && value !== "",
  );
  // A header holds what is printable alone, and servers take no more than some kilobytes of it.
  if (typeof text !== "string" || text.length > 32 * 1024 || !/^[\x21-\x7e]+$/u.test(text)) {
    throw new FairleadError("registry-failed", `${source} gives no token`);
  }
  const seconds = Number(fields["expires_in"] ?? leastLifetimeSeconds);
  return { text, lifetimeMs: Math.max(Number.isFinite(seconds) ? seconds : 0, leastLifetimeSeconds) * 1000 };
}

function redactorOf(credentials: TokenRequest["credentials"]): (text: string) => string {
  if (credentials === undefined) return String;
  return createRedactor(
    credentials.kind === "basic"
      ? [`${credentials.username}:${credentials.password}`, credentials.password]
      : [credentials.token],
  );
}
