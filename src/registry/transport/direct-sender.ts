import { FairleadError, messageOf } from "../../core/error.ts";
import type { DispatcherChoice } from "./dispatcher.ts";
import { joinHeaders } from "./response-headers.ts";
import {
  describeUrl,
  type HttpAnswer,
  type HttpRequest,
  isSuccess,
  readBody,
  type Send,
} from "./http-exchange.ts";

/**
 * Sends a request once, over the connections of a registry.
 * @param attemptTimeoutMs for the whole attempt, the body included, so that a slow body ends too
 * @throws FairleadError `registry-unreachable` (retryable where another try may help), `registry-failed` or
 *   `limit-exceeded` for a body that is refused, and the reason of the call's signal
 */
export function createDirectSender(dispatcherFor: DispatcherChoice, attemptTimeoutMs: number): Send {
  return async (request, call) => {
    if (call.signal.aborted) throw call.signal.reason;
    const attempt = new AbortController();
    const onAbort = (): void => attempt.abort(call.signal.reason);
    call.signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => attempt.abort(slowness(request.url, attemptTimeoutMs)), attemptTimeoutMs);
    try {
      return await exchange(request, dispatcherFor, attempt.signal);
    } catch (error) {
      throw attempt.signal.aborted ? attempt.signal.reason : describeFailure(error, request.url);
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", onAbort);
    }
  };
}

async function exchange(
  { method, url, headers, body, maxBytes, sink }: HttpRequest,
  dispatcherFor: DispatcherChoice,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const dispatcher = await dispatcherFor(url);
  const response = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers, "accept-encoding": "identity" },
    body: body ?? null,
    signal,
    // The attempt has its own time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // A body that is given up tells so once more, when nobody reads it.
  response.body.on("error", () => undefined);
  const answer = { status: response.statusCode, headers: joinHeaders(response.headers), url };
  const success = isSuccess(answer);
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (success && method !== "HEAD" && encoding !== "identity") {
    response.body.destroy();
    throw new FairleadError(
      "registry-failed",
      `${describeUrl(url)} sends an encoding that was not asked for`,
    );
  }
  if (success && sink !== undefined) {
    // Where the sink gives up, nothing more is received.
    await sink(response.body).finally(() => response.body.destroy());
    return { ...answer, body: new Uint8Array() };
  }
  return { ...answer, body: await readBody(response.body, { success, maxBytes, url }) };
}

function slowness(url: URL, timeoutMs: number): FairleadError {
  const message = `${describeUrl(url)} did not answer within ${timeoutMs / 1000} s`;
  return new FairleadError("registry-unreachable", message, { retryable: true });
}

/** What another try does not mend: a name that is none, and what TLS refuses. */
const lastingFailures =
  /^(?:ENOTFOUND$|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|UND_ERR_PRX_TLS$|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$)/u;

function describeFailure(error: unknown, url: URL): FairleadError {
  if (error instanceof FairleadError) return error;
  const code = codeOf(error);
  return new FairleadError("registry-unreachable", `cannot reach ${url.host}: ${reasonOf(error)}`, {
    hint: hintFor(code),
    retryable: !lastingFailures.test(code),
    cause: error,
  });
}

function hintFor(code: string): string | undefined {
  if (isTlsAlert(code)) return "the registry may want a client certificate, or another one";
  return isUntrusted(code)
    ? "give the certificate of the authority that signed the registry's, or allow insecure access"
    : undefined;
}

/** Whether a request by https failed although TLS was spoken: over certificates, or once connected. */
export function hasSpokenTls(error: FairleadError): boolean {
  const code = codeOf(error.cause);
  return isTlsAlert(code) || isUntrusted(code) || code === "UND_ERR_SOCKET";
}

function isTlsAlert(code: string): boolean {
  return /^ERR_SSL_\w*_ALERT_/u.test(code);
}

function isUntrusted(code: string): boolean {
  return /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|ERR_TLS_CERT_ALTNAME_INVALID$|UND_ERR_PRX_TLS$)/u.test(
    code,
  );
}

/** The code of a failed connection; of several, such as for both addresses of a name, the first. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return messageOf(error.errors[0]);
  return messageOf(error);
}
