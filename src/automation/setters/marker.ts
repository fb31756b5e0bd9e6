/** The key of a marker's JSON object; a file without this text has no marker. */
export const markerToken = "$imagepolicy";

/** A comment that names a setter, or looks as if it should. */
export type Marker =
  /** `ns:policy`, or `ns:policy:part`, as it is written. */
  { readonly kind: "setter"; readonly setter: string } | { readonly kind: "malformed" };

/**
 * Reads a comment as Flux reads field comments: without its leading `#`s, it is a JSON object whose values are
 * strings or null, one of them `$imagepolicy`.
 * @returns undefined for a comment that is no JSON object of that kind and does not look like one
 */
export function tryParseMarker(comment: string): Marker | undefined {
  const json = comment.replace(/^#+/u, "");
  const setter = trySetter(json);
  if (setter !== undefined) return { kind: "setter", setter };
  return /^\s*\{\s*["']?\$imagepolicy\b/u.test(json) ? { kind: "malformed" } : undefined;
}

function trySetter(json: string): string | undefined {
  if (!/^[ \t]*\{/u.test(json)) return undefined;
  try {
    const object = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const isText = Object.values(object).every((value) => value === null || typeof value === "string");
    const setter = Object.hasOwn(object, markerToken) ? object[markerToken] : undefined;
    return isText && typeof setter === "string" && setter !== "" ? setter : undefined;
  } catch {
    return undefined;
  }
}
