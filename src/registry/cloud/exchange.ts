import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { createRedactor } from "../../core/redaction.ts";
import { isObject, tryParseJsonObject } from "../json-body.ts";
import type { Call } from "../transport/call.ts";
import { type HttpAnswer, type HttpRequest, isSuccess, type Send } from "../transport/http-exchange.ts";
import { isRetryableStatus } from "../transport/retry.ts";

export interface ExchangeRequest extends Pick<HttpRequest, "method" | "body"> {
  /** Who is asked, as the beginning of a sentence: `STS`. */
  readonly who: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What must not be told of the request. */
  readonly secrets?: readonly string[];
  /** Default: 256 KiB. */
  readonly maxBytes?: number;
}

/**
 * Sends a request and gives its answer if that is a success.
 * @throws FairleadError `credentials-invalid` for a refusal, `registry-failed`, `registry-unreachable`,
 *   `limit-exceeded`, each with who was asked and without what is secret
 */
export type Exchange = (request: ExchangeRequest) => Promise<HttpAnswer>;

const defaultMaxBytes = 256 * 1024;

/** An {@link Exchange} over a transport; redirects are failures, so that nothing secret goes elsewhere. */
export function createExchange(send: Send, call: Call): Exchange {
  return async (request) => {
    const { who, method, url, headers = {}, body, maxBytes = defaultMaxBytes } = request;
    let answer: HttpAnswer;
    try {
      answer = await send({ method, url: new URL(url), headers, body, maxBytes }, call);
    } catch (error) {
      if (!(error instanceof FairleadError) || error === call.signal.reason) throw error;
      const { code, message, hint, retryable } = error;
      throw new FairleadError(code, `${who}: ${message}`, { hint, retryable });
    }
    if (isSuccess(answer)) return answer;
    throw refusal(request, answer);
  };
}

/** The error for an answer without what was asked for. */
export function malformed(who: string, what: string): FairleadError {
  return new FairleadError("registry-failed", `${who} answered without ${what}`);
}

/** The body of an answer as a JSON object. @throws FairleadError `registry-failed` */
export function jsonOf(who: string, { body }: Pick<HttpAnswer, "body">): Readonly<Record<string, unknown>> {
  const object = tryParseJsonObject(body);
  if (object === undefined) throw malformed(who, "a JSON object");
  return object;
}

/**
 * A text that can stand in a header or a form.
 * @throws FairleadError `registry-failed` for anything else
 */
export function tokenField(who: string, object: unknown, key: string): string {
  const text = isObject(object) ? object[key] : undefined;
  if (typeof text === "string" && /^[!-~]{1,32768}$/u.test(text)) return text;
  throw malformed(who, `a usable ${key}`);
}

/** The end of what is good for a number of seconds, told as a number or as its digits. @throws FairleadError */
export function endAfter(who: string, object: Readonly<Record<string, unknown>>, nowMs: number): number {
  const seconds = Number(object["expires_in"] ?? NaN);
  if (Number.isFinite(seconds) && seconds > 0) return nowMs + seconds * 1000;
  throw malformed(who, "a usable expires_in");
}

/** A point in time in seconds since 1970, or as a date of RFC 3339. @throws FairleadError */
export function endAt(who: string, value: unknown): number {
  const ms = typeof value === "number" ? value * 1000 : typeof value === "string" ? Date.parse(value) : NaN;
  if (Number.isFinite(ms)) return ms;
  throw malformed(who, "a usable time of expiry");
}

/** The body of a form, with its header. */
export function form(fields: Readonly<Record<string, string>>): Pick<ExchangeRequest, "body" | "headers"> {
  return {
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}

const maxSaidLength = 300;

function refusal({ who, url, secrets = [] }: ExchangeRequest, answer: HttpAnswer): FairleadError {
  const { status } = answer;
  const retryable = isRetryableStatus(status);
  const redact = createRedactor(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]));
  const said = excerpt(redact(saidIn(answer)), maxSaidLength);
  const { host } = new URL(url);
  const verb = retryable ? "cannot answer now" : "refused";
  return new FairleadError(
    status >= 400 && !retryable ? "credentials-invalid" : "registry-failed",
    `${who} ${verb}: ${host} answered ${status}${said === "" ? "" : ` ${said}`}`,
    { retryable },
  );
}

/** The reason in an answer, wherever it stands; pages for browsers say nothing in their first characters. */
function saidIn({ body, headers }: HttpAnswer): string {
  if (/html/iu.test(headers["content-type"] ?? "")) return "";
  const text = new TextDecoder().decode(body.subarray(0, 16 * 1024));
  const xml = /<Code>(?<code>[^<]*)<\/Code>\s*<Message>(?<message>[^<]*)<\/Message>/u.exec(text)?.groups;
  if (xml !== undefined) return `${xml["code"] ?? ""}: ${xml["message"] ?? ""}`;
  const object = tryParseJsonObject(body);
  if (object === undefined) return text.trim().replaceAll(/\s+/gu, " ");
  const error = isObject(object["error"]) ? object["error"] : object;
  const parts = [
    error["__type"],
    error["code"],
    error["error"],
    error["error_description"],
    error["message"],
  ];
  const texts = parts.filter((part) => typeof part === "string");
  return texts.length === 0 ? text.trim().replaceAll(/\s+/gu, " ") : texts.join(": ");
}
