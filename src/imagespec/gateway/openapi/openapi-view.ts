import type { ApiRequest, ApiResponse, HeaderFields, Upstream } from "../api-exchange.ts";
import { compressed, decodedBody } from "../read/body-encoding.ts";
import { readSmallBody } from "../read/body-start.ts";
import { headerText, withoutHeaders } from "../read/header-text.ts";
import { acceptsJson, mediaTypeOf, preferText } from "../read/media-type.ts";
import { addImageSpecMessages } from "./add-protobuf-schemas.ts";
import { addImageSpecSchemas } from "./add-schemas.ts";
import { DocumentCache } from "./document-cache.ts";
import { markIndex, markLocation, markTag, unmarkTags, unmarkTarget } from "./document-version.ts";
import type { OpenApiForm } from "./image-spec-schemas.ts";

const index = "/openapi/v3";
const json = "application/json";
/** Version 2 in protobuf, as it is sent. */
const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** What it is asked for by: that of old, which is no valid media type, is what kubectl says. */
const protobufRanges: ReadonlySet<string> = new Set([
  protobuf,
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
]);
const maxDocumentBytes: number = 64 * 1024 * 1024;

/** Fields that ask for a part of a body, or by what is known of upstream's. */
const requestFields: ReadonlySet<string> = new Set([
  "accept-encoding",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "range",
]);
const responseFields: ReadonlySet<string> = new Set([
  "accept-ranges",
  "content-encoding",
  "content-length",
  "last-modified",
]);

/** The API server's OpenAPI documents with `imageSpec` in their containers, kept by what they were made of. */
export class OpenApiView {
  readonly #documents = new DocumentCache();

  /**
   * Answers a request for an OpenAPI document, or for the index of them. A client that takes protobuf alone gets
   * version 3 as it is.
   * @returns undefined for other requests
   * @throws FairleadError what `upstream` throws; `upstream-failed` where a document breaks off
   */
  answer(request: ApiRequest, upstream: Upstream): Promise<ApiResponse> | undefined {
    const { path } = request.info;
    if (request.method !== "GET") return undefined;
    if (path === index || path === `${index}/`) return answerIndex(request, upstream);
    if (path.startsWith(`${index}/`)) return this.#answerDocument(request, upstream, "v3");
    return path === "/openapi/v2" ? this.#answerDocument(request, upstream, "v2") : undefined;
  }

  async #answerDocument(request: ApiRequest, upstream: Upstream, form: OpenApiForm): Promise<ApiResponse> {
    const { path } = request.info;
    const type = expectedType(headerText(request.headers, "accept"), form);
    const cached = type === undefined ? undefined : this.#documents.get(`${path} ${type}`);
    const known = unmarkTags(headerText(request.headers, "if-none-match"));
    const response = await send(request, upstream, cached === undefined ? known : [...known, cached.tag]);
    const headers = markHeaders(response.headers);
    const tag = headerText(response.headers, "etag");
    const isCached = response.status === 304 && cached?.tag === tag;
    if (type !== undefined && isCached && !known.includes(tag) && !known.includes("*")) {
      const found = { ...withoutHeaders(headers, responseFields), "content-type": type };
      return compressed(request, { status: 200, headers: found, body: cached.body });
    }
    const sent = mediaTypeOf(headerText(response.headers, "content-type"));
    const isKnown = sent === json || (sent === protobuf && form === "v2");
    const document = isKnown ? await readDocument(response) : undefined;
    if (document === undefined) return { ...response, headers };
    const body = sent === json ? addImageSpecSchemas(document, form) : addImageSpecMessages(document);
    if (body !== document && tag !== "") this.#documents.set(`${path} ${sent}`, { tag, body });
    return compressed(request, { ...response, headers: withoutHeaders(headers, responseFields), body });
  }
}

/** The type of the document that a client gets; undefined for one that is not translated. */
function expectedType(accept: string, form: OpenApiForm): string | undefined {
  if (acceptsJson(accept)) return json;
  const isProtobuf = accept.split(",").some((range) => protobufRanges.has(mediaTypeOf(range)));
  return isProtobuf && form === "v2" ? protobuf : undefined;
}

async function answerIndex(request: ApiRequest, upstream: Upstream): Promise<ApiResponse> {
  const response = await send(request, upstream, []);
  // The type that it is sent with is text/plain.
  const whole = await readDocument(response);
  if (whole === undefined) return response;
  const body = Buffer.from(markIndex(whole.toString()));
  return compressed(request, {
    ...response,
    headers: withoutHeaders(response.headers, responseFields),
    body,
  });
}

async function send(
  { method, target, headers, signal }: ApiRequest,
  upstream: Upstream,
  tags: readonly string[],
): Promise<ApiResponse> {
  const accept = headerText(headers, "accept");
  return upstream.send({
    method,
    target: unmarkTarget(target),
    headers: {
      ...withoutHeaders(headers, requestFields),
      ...(accept === "" ? {} : { accept: preferText(accept) }),
      ...(tags.length === 0 ? {} : { "if-none-match": tags.join(", ") }),
    },
    signal,
  });
}

function markHeaders(headers: HeaderFields): HeaderFields {
  const tag = headerText(headers, "etag");
  const location = headerText(headers, "location");
  return {
    ...headers,
    ...(tag === "" ? {} : { etag: markTag(tag) }),
    ...(location === "" ? {} : { location: markLocation(location) }),
  };
}

/** The whole body of a successful answer. */
async function readDocument(response: ApiResponse): Promise<Buffer | undefined> {
  const source = response.status === 200 ? decodedBody(response) : undefined;
  return source === undefined ? undefined : readSmallBody(source, maxDocumentBytes);
}
