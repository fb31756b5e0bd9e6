import { constants, type ClientHttp2Stream, type OutgoingHttpHeaders } from "node:http2";
import { FairleadError } from "../../../core/error.ts";
import type { ApiResponse, UpstreamRequest } from "../api-exchange.ts";
import { responseHeaders } from "../header-fields.ts";
import { aborted, codeOf, lost, unreachable } from "./connect.ts";
import type { PooledSession } from "./pooled-session.ts";
import type { UpstreamAddress } from "./upstream-address.ts";

/**
 * Sends a request on a session and gives the answer as soon as its headers are there.
 * @throws FairleadError `upstream-unreachable`, retryable where the request was surely not processed; `aborted`;
 *   `input-invalid` for headers that cannot be sent
 */
export async function exchangeByHttp2(
  session: PooledSession,
  address: UpstreamAddress,
  request: UpstreamRequest,
  headers: UpstreamRequest["headers"],
): Promise<ApiResponse> {
  const { body, signal } = request;
  const options = { endStream: body === undefined, signal };
  const stream = openStream(session, options, {
    ...(headers as OutgoingHttpHeaders),
    ":method": request.method,
    ":path": address.basePath + request.target,
    ":scheme": "https",
    ":authority": address.authority,
  });
  return new Promise((resolve, reject) => {
    let failure: unknown;
    stream.on("error", (error: unknown) => {
      failure = error;
    });
    stream.once("close", () => {
      reject(failureOf(stream, signal, failure));
    });
    stream.once("response", (fields, _flags, raw: readonly string[]) => {
      resolve({ status: fields[":status"] ?? 502, headers: responseHeaders(raw), body: stream });
    });
    if (body instanceof Uint8Array) stream.end(body);
    else if (body !== undefined) {
      // Without an error, node:http2 would first end the stream as if the body were whole.
      body.once("error", (error) => stream.destroy(error));
      body.pipe(stream);
    }
  });
}

function openStream(
  session: PooledSession,
  options: { readonly endStream: boolean; readonly signal: AbortSignal },
  headers: OutgoingHttpHeaders,
): ClientHttp2Stream {
  try {
    return session.request(headers, options);
  } catch (cause) {
    if (!session.hasRoom) throw unreachable(cause);
    throw new FairleadError("input-invalid", "the request has a header field that cannot be sent", { cause });
  }
}

function failureOf(stream: ClientHttp2Stream, signal: AbortSignal, failure: unknown): FairleadError {
  if (signal.aborted) return aborted(failure);
  // A stream without a number never left; a refused one was not looked at (RFC 9113 §8.7).
  const wasNotSent = stream.id === undefined || stream.pending;
  if (wasNotSent || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return unreachable(failure);
  return codeOf(failure) === undefined ? lost(undefined) : lost(failure);
}
