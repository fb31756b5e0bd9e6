import { type Agent, type ClientRequest, type OutgoingHttpHeaders, request as sendHttp } from "node:http";
import { request as sendHttps } from "node:https";
import { FairleadError } from "../../../core/error.ts";
import type { ApiResponse, UpstreamRequest } from "../api-exchange.ts";
import { responseHeaders } from "../header-fields.ts";
import { aborted, codeOf, lost, unreachable } from "./connect.ts";
import type { UpstreamAddress } from "./upstream-address.ts";

const connectTimeoutMs = 10_000;

/**
 * Sends a request by HTTP/1.1 and gives the answer as soon as its headers are there. A read that meets a kept
 * connection which the server has just closed is sent once more.
 * @throws FairleadError `upstream-unreachable`, retryable where nothing was sent; `aborted`; `input-invalid` for
 *   headers that cannot be sent
 */
export async function exchangeByHttp1(
  agent: Agent,
  address: UpstreamAddress,
  request: UpstreamRequest,
  headers: UpstreamRequest["headers"],
): Promise<ApiResponse> {
  const framed = request.body === undefined ? headers : withFraming(headers);
  for (let attempt = 1; ; attempt++) {
    const sent = open(agent, address, request, framed);
    try {
      return await answerTo(sent, request);
    } catch (error) {
      if (attempt > 2 || !isStale(sent, request) || !(error instanceof FairleadError)) throw error;
      if (error.code === "aborted") throw error;
    }
  }
}

/** Node sends the body of a DELETE without any framing unless it is told one. */
function withFraming(headers: UpstreamRequest["headers"]): UpstreamRequest["headers"] {
  return headers["content-length"] === undefined ? { ...headers, "transfer-encoding": "chunked" } : headers;
}

function open(
  agent: Agent,
  { isSecure, host, port, authority, basePath }: UpstreamAddress,
  { method, target }: UpstreamRequest,
  headers: UpstreamRequest["headers"],
): ClientRequest {
  try {
    return (isSecure ? sendHttps : sendHttp)({
      agent,
      host,
      port,
      method,
      path: basePath + target,
      headers: { ...(headers as OutgoingHttpHeaders), host: authority },
    });
  } catch (cause) {
    throw new FairleadError("input-invalid", "the request has a header field that cannot be sent", { cause });
  }
}

async function answerTo(sent: ClientRequest, { body, signal }: UpstreamRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const timer = setTimeout(() => sent.destroy(), connectTimeoutMs);
    const cancel = (): void => void sent.destroy();
    const connected = (): void => {
      isConnected = true;
      clearTimeout(timer);
    };
    sent.on("socket", (socket) => {
      if (sent.reusedSocket) connected();
      else socket.once("encrypted" in socket ? "secureConnect" : "connect", connected);
    });
    sent.on("error", (cause) => {
      if (signal.aborted) reject(aborted(cause));
      else reject(isConnected ? lost(cause) : unreachable(cause));
    });
    sent.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      reject(signal.aborted ? aborted() : lost(undefined));
    });
    sent.once("response", (answer) => {
      resolve({
        status: answer.statusCode ?? 502,
        headers: responseHeaders(answer.rawHeaders),
        body: answer,
      });
    });
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    if (body === undefined || body instanceof Uint8Array) sent.end(body);
    else {
      body.once("error", cancel);
      body.pipe(sent);
    }
  });
}

function isStale(sent: ClientRequest, { method, body }: UpstreamRequest): boolean {
  return (
    sent.reusedSocket &&
    body === undefined &&
    (method === "GET" || method === "HEAD") &&
    codeOf(sent.errored) === "ECONNRESET"
  );
}
