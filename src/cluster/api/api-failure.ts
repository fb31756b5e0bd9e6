import { type ErrorCode, FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { isObject, tryParseJsonObject } from "../../registry/json-body.ts";
import { tryParseRetryAfter } from "../../registry/transport/retry-after.ts";

const maxMessageLength = 1_000;
/** For a server that is not ready and does not say how long. */
const standardRetryAfterMs = 1_000;

const codes: Readonly<Record<number, ErrorCode>> = {
  400: "object-invalid",
  401: "access-denied",
  403: "access-denied",
  404: "object-missing",
  409: "object-conflict",
  410: "version-expired",
  422: "object-invalid",
};

/** An answer that is no success. */
export interface RefusedRequest {
  /** Method and path. */
  readonly subject: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Whether the server was away just now: it may deny access for as long as it has not read its rules. */
  readonly isStarting: boolean;
  /** A `Status` of Kubernetes is quoted; anything else, such as a proxy's page, is not. */
  readonly body: Uint8Array;
}

/** What an answer that is no success means; `retryAfterMs` is given where the same request may be sent again. */
export function failureOfAnswer(refused: RefusedRequest): FairleadError {
  const { subject, status, retryAfter, isStarting, body } = refused;
  const told = tryParseJsonObject(body);
  const code = isNamespaceEnding(told) ? "object-missing" : (codes[status] ?? "upstream-failed");
  const isBusy = status === 429 || status >= 500;
  const askedMs = isBusy ? tryParseRetryAfter(retryAfter, Date.now()) : undefined;
  const isUnready = status === 429 || (isStarting && code === "access-denied");
  const isUnserved = status === 404 && told?.["reason"] === undefined;
  return new FairleadError(code, `the API server answered ${status} to ${subject}${messageIn(told)}`, {
    hint: isUnserved ? "The kind is not served: is its CustomResourceDefinition installed?" : undefined,
    retryable: isBusy || isUnready || code === "object-conflict" || code === "version-expired",
    retryAfterMs: askedMs ?? (isUnready ? standardRetryAfterMs : undefined),
  });
}

/** What an event of type `ERROR` means, whose object is a `Status`: the watch is over. */
export function failureOfEvent(subject: string, status: Readonly<Record<string, unknown>>): FairleadError {
  const code = status["code"] === 410 ? "version-expired" : "upstream-failed";
  return new FairleadError(code, `the API server ended ${subject}${messageIn(status)}`, { retryable: true });
}

/** What breaks the protocol. */
export function malformed(subject: string, what: string): FairleadError {
  return new FairleadError("upstream-failed", `the API server answered ${subject} with ${what}`, {
    retryable: true,
  });
}

/** A connection that failed; the code of the system tells why. */
export function unreachable(cause: unknown): FairleadError {
  const code = codeOf(cause);
  const reason = code === undefined ? "" : ` (${code})`;
  return new FairleadError("upstream-unreachable", `the API server cannot be reached${reason}`, {
    retryable: true,
    cause,
  });
}

/** Where nothing more is made in a namespace that is being deleted, it counts as gone. */
function isNamespaceEnding(status: Readonly<Record<string, unknown>> | undefined): boolean {
  const details = status?.["details"];
  const causes = isObject(details) ? details["causes"] : undefined;
  return (
    Array.isArray(causes) &&
    causes.some((cause: unknown) => isObject(cause) && cause["reason"] === "NamespaceTerminating")
  );
}

function messageIn(status: Readonly<Record<string, unknown>> | undefined): string {
  const message = status?.["kind"] === "Status" ? status["message"] : undefined;
  return typeof message === "string" ? `: ${excerpt(message, maxMessageLength)}` : "";
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}
