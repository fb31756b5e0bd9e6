/** A media type as a header holds it, without its parameters. */
export function mediaTypeOf(text: string): string {
  return (text.split(";", 1)[0] ?? "").trim().toLowerCase();
}

const jsonRanges: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*"]);
/** Protobuf of objects and of OpenAPI documents, and CBOR. */
const binary = /^application\/(?:cbor|cbor-seq|vnd\.kubernetes\.protobuf|com\.github\..*protobuf)$/u;

/**
 * An `Accept` header without protobuf and CBOR, where something else in it can be translated; all else stays as it is
 * written. A client that takes nothing else keeps its header.
 */
export function preferText(accept: string): string {
  const ranges = accept.split(",");
  const rest = ranges.filter((range) => !binary.test(mediaTypeOf(range)));
  const hasText = rest.some(isJson) || rest.some((range) => mediaTypeOf(range) === "application/yaml");
  return rest.length < ranges.length && hasText ? rest.join(",").trim() : accept;
}

/** Whether an `Accept` header takes JSON. */
export function acceptsJson(accept: string): boolean {
  return accept === "" || accept.split(",").some(isJson);
}

function isJson(range: string): boolean {
  return jsonRanges.has(mediaTypeOf(range)) && !isRefused(range);
}

/** Whether an `Accept-Encoding` header takes gzip. */
export function acceptsGzip(acceptEncoding: string): boolean {
  return acceptEncoding
    .split(",")
    .some((coding) => ["gzip", "*"].includes(mediaTypeOf(coding)) && !isRefused(coding));
}

/** A weight of zero (RFC 9110, section 12.4.2). */
function isRefused(range: string): boolean {
  return /;\s*q=0(?:\.0*)?\s*(?:;|$)/iu.test(range);
}
