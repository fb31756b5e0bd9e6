import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { addImageSpecs } from "../../manifest/add-image-specs.ts";
import type { ApiRequest, ApiResponse, HeaderFields, UpstreamRequest } from "../api-exchange.ts";
import { readSmallBody } from "./body-start.ts";
import { headerText, withoutHeaders } from "./header-text.ts";
import { JsonView } from "./json-view.ts";
import { acceptsGzip, mediaTypeOf, preferText } from "./media-type.ts";
import { viewObject } from "./object-view.ts";
import { chainStreams, viewStream } from "./view-stream.ts";
import { type ViewedAnswer, viewedAnswer } from "./viewed-answer.ts";

/** From here on kube-apiserver compresses what it answers, and is not translated at once. */
const largeBodyBytes: number = 128 * 1024;
/** YAML is edited as a whole, and slowly. */
const maxYamlBytes: number = 4 * 1024 * 1024;

/** Fields that tell of the bytes that upstream sent. */
const staleFields: ReadonlySet<string> = new Set([
  "accept-ranges",
  "content-digest",
  "content-encoding",
  "content-length",
  "content-md5",
  "digest",
  "etag",
  "last-modified",
  "repr-digest",
]);

/**
 * The request as it goes upstream. Where its answer will be translated it is asked for in text rather than protobuf or
 * CBOR if the client takes both, and not compressed.
 */
export function prepareRead(request: ApiRequest): UpstreamRequest {
  const { method, target, headers, body, signal } = request;
  if (viewedAnswer(request) === undefined) return { method, target, headers, body, signal };
  return { method, target, headers: textHeaders(headers), body, signal };
}

/** The fields of a request for an answer that can be translated. */
export function textHeaders(headers: HeaderFields): HeaderFields {
  const accept = headerText(headers, "accept");
  const rest = withoutHeaders(headers, new Set(["accept-encoding"]));
  return accept === "" ? rest : { ...rest, accept: preferText(accept) };
}

/**
 * The answer in the view that the gateway's clients have: `imageSpec` beside `image`. What holds no containers, is
 * an error, or is neither JSON nor YAML is the answer as it came.
 * @throws FairleadError `upstream-failed` where the body breaks off before anything of it was answered
 */
export async function viewResponse(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
  const answer = viewedAnswer(request);
  const mediaType = mediaTypeOf(headerText(response.headers, "content-type"));
  const isText = mediaType === "application/json" || mediaType === "application/yaml";
  if (answer === undefined || !isText || response.status < 200 || response.status > 299) return response;
  const source = decodedBody(response);
  if (source === undefined) return response;
  const headers = withoutHeaders(response.headers, staleFields);
  const { workload, layout } = answer;
  if (layout === "events") {
    const isJson = mediaType === "application/json";
    return {
      ...response,
      headers,
      body: isJson ? viewStream(source, new JsonView(workload, layout)) : source,
    };
  }
  const body = mediaType === "application/json" ? await viewJson(source, answer) : await viewYaml(source);
  return compressed(request, { ...response, headers, body });
}

/** The body without compression; undefined for one that is compressed in an unknown way. */
function decodedBody({ headers, body }: ApiResponse): Readable | undefined {
  const encoding = headerText(headers, "content-encoding").toLowerCase();
  const stream = body instanceof Uint8Array ? Readable.from([Buffer.from(body)]) : body;
  if (encoding === "" || encoding === "identity") return stream;
  return encoding === "gzip" ? chainStreams(stream, createGunzip()) : undefined;
}

async function viewJson(source: Readable, { workload, layout }: ViewedAnswer): Promise<Buffer | Readable> {
  const small = await readSmallBody(source, largeBodyBytes);
  return small === undefined
    ? viewStream(source, new JsonView(workload, layout))
    : viewObject(small, workload, layout);
}

async function viewYaml(source: Readable): Promise<Buffer | Readable> {
  const whole = await readSmallBody(source, maxYamlBytes);
  if (whole === undefined) return source;
  return isUtf8(whole) ? Buffer.from(addImageSpecs(whole.toString())) : whole;
}

/** As kube-apiserver compresses: what is large, at the fastest level. */
function compressed(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { body, headers } = response;
  if (body instanceof Uint8Array && body.length <= largeBodyBytes) {
    return { ...response, headers: { ...headers, "content-length": String(body.length) } };
  }
  const vary = [headerText(headers, "vary"), "Accept-Encoding"].filter((part) => part !== "").join(", ");
  if (!acceptsGzip(headerText(request.headers, "accept-encoding"))) {
    return { ...response, headers: { ...headers, vary } };
  }
  const stream = body instanceof Uint8Array ? Readable.from([body]) : body;
  return {
    ...response,
    headers: { ...headers, vary, "content-encoding": "gzip" },
    body: chainStreams(stream, createGzip({ level: 1 })),
  };
}
