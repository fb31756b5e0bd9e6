/** A media type as a header holds it, without its parameters. */
export function mediaTypeOf(text: string): string {
  return (text.split(";", 1)[0] ?? "").trim().toLowerCase();
}

const translatable = new Set(["application/json", "application/yaml", "application/*", "*/*"]);
const binary = new Set(["application/vnd.kubernetes.protobuf", "application/cbor", "application/cbor-seq"]);

/**
 * An `Accept` header without protobuf and CBOR, where something else in it can be translated; all else stays as it is
 * written. A client that takes nothing else keeps its header.
 */
export function preferText(accept: string): string {
  const ranges = accept.split(",");
  const rest = ranges.filter((range) => !binary.has(mediaTypeOf(range)));
  const hasText = rest.some((range) => translatable.has(mediaTypeOf(range)) && !isRefused(range));
  return rest.length < ranges.length && hasText ? rest.join(",").trim() : accept;
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
