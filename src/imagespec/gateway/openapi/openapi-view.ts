import type { ApiRequest, ApiResponse, HeaderFields, Upstream } from "../api-exchange.ts";
import { compressed, decodedBody } from "../read/body-encoding.ts";
import { readSmallBody } from "../read/body-start.ts";
import { headerText, withoutHeaders } from "../read/header-text.ts";
import { acceptsJson, mediaTypeOf, preferText } from "../read/media-type.ts";
import { addImageSpecSchemas } from "./add-schemas.ts";
import { DocumentCache } from "./document-cache.ts";
import { markIndex, markLocation, markTag, unmarkTags, unmarkTarget } from "./document-version.ts";
import type { OpenApiForm } from "./image-spec-schemas.ts";

const index = "/openapi/v3";
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
   * Answers a request for an OpenAPI document, or for the index of them. A client that takes protobuf alone gets it as
   * it is.
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
    const cached = acceptsJson(headerText(request.headers, "accept")) ? this.#documents.get(path) : undefined;
    const known = unmarkTags(headerText(request.headers, "if-none-match"));
    const response = await send(request, upstream, cached === undefined ? known : [...known, cached.tag]);
    const headers = markHeaders(response.headers);
    const tag = headerText(response.headers, "etag");
    if (response.status === 304 && cached?.tag === tag && !known.includes(tag) && !known.includes("*")) {
      const found = { ...withoutHeaders(headers, responseFields), "content-type": "application/json" };
      return compressed(request, { status: 200, headers: found, body: cached.body });
    }
    const document = await readJson(response);
    if (document === undefined) return { ...response, headers };
    const body = addImageSpecSchemas(document, form);
    if (body !== document && tag !== "") this.#documents.set(path, { tag, body });
    return compressed(request, { ...response, headers: withoutHeaders(headers, responseFields), body });
  }
}

async function answerIndex(request: ApiRequest, upstream: Upstream): Promise<ApiResponse> {
  const response = await send(request, upstream, []);
  // The type that it is sent with is text/plain.
  const source = response.status === 200 ? decodedBody(response) : undefined;
  const whole = source === undefined ? undefined : await readSmallBody(source, maxDocumentBytes);
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

/** The body of a successful answer in JSON. */
async function readJson(response: ApiResponse): Promise<Buffer | undefined> {
  const mediaType = mediaTypeOf(headerText(response.headers, "content-type"));
  if (response.status !== 200 || mediaType !== "application/json") return undefined;
  const source = decodedBody(response);
  return source === undefined ? undefined : readSmallBody(source, maxDocumentBytes);
}
