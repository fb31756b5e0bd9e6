import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type { ApiRequest, ApiResponse } from "../api-exchange.ts";
import { headerText } from "./header-text.ts";
import { acceptsGzip } from "./media-type.ts";
import { chainStreams } from "./view-stream.ts";

/** From here on kube-apiserver compresses what it answers. */
export const largeBodyBytes: number = 128 * 1024;

/** An answer's body without compression; undefined where it is compressed in an unknown way. */
export function decodedBody({ headers, body }: ApiResponse): Readable | undefined {
  const encoding = headerText(headers, "content-encoding").toLowerCase();
  const stream = streamOf(body);
  if (encoding === "" || encoding === "identity") return stream;
  return encoding === "gzip" ? chainStreams(stream, createGunzip()) : undefined;
}

/** The answer as kube-apiserver would compress it: where it is large and the client takes it, at the fastest level. */
export function compressed(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { body, headers } = response;
  if (body instanceof Uint8Array && body.length <= largeBodyBytes) return withLength(response, body);
  const vary = [headerText(headers, "vary"), "Accept-Encoding"].filter((part) => part !== "").join(", ");
  const varied: ApiResponse = { ...response, headers: { ...headers, vary } };
  if (acceptsGzip(headerText(request.headers, "accept-encoding"))) {
    return {
      ...varied,
      headers: { ...varied.headers, "content-encoding": "gzip" },
      body: chainStreams(streamOf(body), createGzip({ level: 1 })),
    };
  }
  return body instanceof Uint8Array ? withLength(varied, body) : varied;
}

function withLength(response: ApiResponse, body: Uint8Array): ApiResponse {
  return { ...response, headers: { ...response.headers, "content-length": String(body.length) } };
}

function streamOf(body: Readable | Uint8Array): Readable {
  // As one chunk: the bytes themselves would come one by one.
  return body instanceof Uint8Array ? Readable.from([body]) : body;
}
