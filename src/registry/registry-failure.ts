import { type ErrorCode, FairleadError } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import type { Redactor } from "../core/redaction.ts";
import { isObject, tryParseJsonObject } from "./json-body.ts";
import { describeUrl, type HttpAnswer } from "./transport/http-exchange.ts";
import { tryParseRetryAfter } from "./transport/retry-after.ts";
import { isRetryableStatus } from "./transport/retry.ts";

export interface FailureOptions {
  /** What was asked for, such as a reference or the method of the request. */
  readonly subject: string;
  /** Takes what must not be told out of the text that the server sent. */
  readonly redact?: Redactor | undefined;
  readonly hint?: string | undefined;
  /** Default: by the status. */
  readonly code?: ErrorCode | undefined;
}

const maxExcerptLength = 300;

/**
 * The error for an answer that is no success: `registry-unauthorized` for 401 and 403, `image-not-found` for
 * 404, else `registry-failed`. Its message has the codes and messages that the distribution specification
 * gives errors, or the start of the body.
 */
export function failureOf(answer: HttpAnswer, options: FailureOptions): FairleadError {
  const { status, url } = answer;
  const { subject, redact = String, hint = describeWait(answer) } = options;
  const code = options.code ?? codeOf(status);
  const said = describeBody(answer);
  const problem = `${subject}${problems[code] ?? ""}: ${describeUrl(url)} answers ${status}`;
  const message = said === "" ? problem : `${problem} ${excerpt(redact(said), maxExcerptLength)}`;
  return new FairleadError(code, message, { hint, retryable: isRetryableStatus(status) });
}

function describeWait({ headers }: HttpAnswer): string | undefined {
  const waitMs = tryParseRetryAfter(headers["retry-after"], Date.now()) ?? 0;
  return waitMs === 0 ? undefined : `the registry wants to be left alone for ${Math.ceil(waitMs / 1000)} s`;
}

const problems: Partial<Record<ErrorCode, string>> = {
  "registry-unauthorized": " is refused",
  "image-not-found": " is not found",
  "registry-failed": " cannot be read",
};

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return "registry-unauthorized";
  return status === 404 ? "image-not-found" : "registry-failed";
}

/** The codes of the errors that an answer lists, such as `NAME_UNKNOWN`. */
export function errorCodesOf({ body }: HttpAnswer): readonly string[] {
  return errorsOf(body).map(({ code }) => code);
}

function describeBody({ body, headers }: HttpAnswer): string {
  const errors = errorsOf(body);
  if (errors.length > 0)
    return errors.map(({ code, message }) => [code, message].filter(Boolean).join(": ")).join("; ");
  // A page for browsers says nothing in its first characters.
  if (/html/iu.test(headers["content-type"] ?? "")) return "";
  return new TextDecoder().decode(body.subarray(0, 4 * maxExcerptLength)).trim();
}

interface RemoteError {
  readonly code: string;
  readonly message: string;
}

/** `{"errors": [{"code", "message"}]}` of the specification, and the `{"code", "message"}` that some have. */
function errorsOf(body: Uint8Array): readonly RemoteError[] {
  const object = tryParseJsonObject(body);
  if (object === undefined) return [];
  const list = Array.isArray(object["errors"]) ? (object["errors"] as unknown[]) : [object];
  return list
    .slice(0, 5)
    .filter(isObject)
    .map((error) => ({ code: textOf(error["code"]), message: textOf(error["message"] ?? error["details"]) }))
    .filter(({ code, message }) => code !== "" || message !== "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
