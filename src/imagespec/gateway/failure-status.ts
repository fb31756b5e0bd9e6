import { FairleadError } from "../../core/error.ts";
import type { ApiResponse } from "./api-exchange.ts";

/** Kubernetes's reasons for the statuses with which the gateway itself answers. */
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  405: "MethodNotAllowed",
  408: "Timeout",
  413: "RequestEntityTooLarge",
  422: "Invalid",
  431: "BadRequest",
  502: "ServiceUnavailable",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/**
 * A failure as the API server tells it: a `Status` object in JSON.
 * @param message without secrets: it goes to whoever asked
 */
export function failureStatus(
  code: number,
  message: string,
  headers: ApiResponse["headers"] = {},
): ApiResponse {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: reasons[code] ?? "InternalError",
    code,
  };
  return {
    status: code,
    headers: { "content-type": "application/json", "cache-control": "no-cache, private", ...headers },
    body: Buffer.from(`${JSON.stringify(status)}\n`),
  };
}

/** The answer where a request could not be served; errors that are not fairlead's tell nothing of themselves. */
export function failureOf(error: unknown): ApiResponse {
  if (!(error instanceof FairleadError)) return failureStatus(500, "the gateway failed to serve the request");
  if (error.code === "input-invalid") return failureStatus(400, error.message);
  if (error.code === "access-denied") return failureStatus(401, error.message);
  if (error.code === "limit-exceeded") return failureStatus(413, error.message);
  if (error.code === "timeout") return failureStatus(504, error.message);
  if (error.code === "upstream-unreachable") {
    return failureStatus(503, error.message, error.retryable ? { "retry-after": "1" } : {});
  }
  return failureStatus(error.code === "upstream-failed" ? 502 : 500, error.message);
}
