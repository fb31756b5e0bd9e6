import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { createRedactor } from "../../core/redaction.ts";
import { tryParseRetryAfter } from "../../registry/transport/retry-after.ts";
import type { DeliveryContext, IncomingResponse, OutgoingRequest } from "./provider.ts";

/** A destination is not left alone for longer, whatever it asks for. */
const maxRetryAfterMs = 60 * 60_000;

/**
 * Sends a request and gives its answer if that is a success.
 * @throws FairleadError `delivery-failed`, retryable for 408, 425, 429 and 5xx, and what the transport throws
 */
export async function exchange(
  context: DeliveryContext,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const response = await context.transport.send(request, context.signal);
  if (response.status >= 200 && response.status < 300) return response;
  throw statusError(context, request, response);
}

/** As {@link exchange}, but undefined where there is nothing (404). */
export async function tryExchange(
  context: DeliveryContext,
  request: OutgoingRequest,
): Promise<IncomingResponse | undefined> {
  const response = await context.transport.send(request, context.signal);
  if (response.status === 404) return undefined;
  if (response.status >= 200 && response.status < 300) return response;
  throw statusError(context, request, response);
}

/** The error for an answer that is a success in name only, such as `{"ok": false}`. */
export function refusal(
  request: OutgoingRequest,
  reason: string,
  options: { readonly retryable?: boolean; readonly retryAfterMs?: number } = {},
): FairleadError {
  const text = excerpt(createRedactor(request.secrets)(reason));
  return new FairleadError("delivery-failed", `${hostOf(request)} refuses: ${text}`, options);
}

/**
 * The body of an answer as JSON.
 * @throws FairleadError `delivery-failed` for one that is no JSON, or was cut off
 */
export function parseAnswer(request: OutgoingRequest, { body }: IncomingResponse): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw refusal(request, "the answer is no JSON");
  }
}

/** A member of a JSON value; undefined where there is none. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** A text member of a JSON value; empty where there is none. */
export function textOf(value: unknown, key: string): string {
  const text = memberOf(value, key);
  return typeof text === "string" ? text : "";
}

function statusError(
  { now }: DeliveryContext,
  request: OutgoingRequest,
  response: IncomingResponse,
): FairleadError {
  const { status, headers, body } = response;
  // GitHub's limits answer 403 (REST API, "Rate limits").
  const isLimited =
    status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0");
  const retryable = [408, 425, 429].includes(status) || status >= 500 || isLimited;
  const text = excerpt(createRedactor(request.secrets)(body).trim());
  return new FairleadError(
    "delivery-failed",
    `${hostOf(request)} answered ${status}${text === "" ? "" : `: ${text}`}`,
    {
      retryable,
      retryAfterMs: retryable ? askedFor(headers, body, now()) : undefined,
      hint: hintFor(status),
    },
  );
}

function askedFor(headers: IncomingResponse["headers"], body: string, nowMs: number): number | undefined {
  const reset = headers["x-ratelimit-remaining"] === "0" ? Number(headers["x-ratelimit-reset"]) : NaN;
  const asked =
    tryParseRetryAfter(headers["retry-after"], nowMs) ??
    (Number.isFinite(reset) ? Math.max(0, reset * 1000 - nowMs) : tryRetryAfterOf(body));
  return asked === undefined ? undefined : Math.min(asked, maxRetryAfterMs);
}

/** Telegram says in its body how long it wants to be left alone. */
function tryRetryAfterOf(body: string): number | undefined {
  const seconds = /"parameters":\{[^}]{0,200}"retry_after":(?<seconds>\d{1,9})/u.exec(body)?.groups?.[
    "seconds"
  ];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function hintFor(status: number): string | undefined {
  if (status === 401 || status === 403) return "check the Secret of the provider";
  if (status >= 300 && status < 400) {
    return "a redirect to another host is not followed: give the address itself";
  }
  return undefined;
}

function hostOf({ url }: OutgoingRequest): string {
  return new URL(url).host;
}
