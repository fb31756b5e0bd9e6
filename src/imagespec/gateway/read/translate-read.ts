import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { addImageSpecs } from "../../manifest/add-image-specs.ts";
import type { ApiRequest, ApiResponse, UpstreamRequest } from "../api-exchange.ts";
import { compressed, decodedBody, largeBodyBytes } from "./body-encoding.ts";
import { readSmallBody } from "./body-start.ts";
import { headerText, withoutHeaders } from "./header-text.ts";
import { JsonView } from "./json-view.ts";
import { mediaTypeOf, preferText } from "./media-type.ts";
import { viewObject } from "./object-view.ts";
import { viewStream } from "./view-stream.ts";
import { type ViewedAnswer, viewedAnswer } from "./viewed-answer.ts";

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
  const accept = headerText(headers, "accept");
  const rest = withoutHeaders(headers, new Set(["accept-encoding"]));
  const asked = accept === "" ? rest : { ...rest, accept: preferText(accept) };
  return { method, target, headers: asked, body, signal };
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
