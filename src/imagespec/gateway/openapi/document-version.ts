import { createHash } from "node:crypto";
import { imageSpecProperty, imageSpecSchemas } from "./image-spec-schemas.ts";

const content = JSON.stringify([imageSpecSchemas("v3"), imageSpecProperty("v3")]);
/** Marks what names a version of a document: clients keep documents by their hash for ever. */
const mark = `.imagespec-${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;

/** The index of the documents, each with the hash of what the gateway makes of it. */
export function markIndex(index: string): string {
  return index.replaceAll(/"serverRelativeURL"\s*:\s*"[^"]*[?&]hash=[^"&]*/gu, (url) => url + mark);
}

/** A redirect's address, with the hash of what the gateway makes of the document. */
export function markLocation(location: string): string {
  return location.replace(/[?&]hash=[^&#]*/u, (hash) => hash + mark);
}

/**
 * The request target upstream. A hash that is not of the gateway's making is spoilt, so that upstream redirects to
 * the one that is.
 */
export function unmarkTarget(target: string): string {
  return target.replace(/[?&]hash=[^&]*/u, (hash) =>
    hash.endsWith(mark) ? hash.slice(0, -mark.length) : `${hash}-`,
  );
}

/** The entity tag of what the gateway makes of a document. */
export function markTag(tag: string): string {
  return tag.replace(/"$/u, `${mark}"`);
}

/** The entity tags in an `If-None-Match` that upstream can know. */
export function unmarkTags(tags: string): readonly string[] {
  return (tags.match(/(?:W\/)?"[^"]*"|\*/gu) ?? [])
    .filter((tag) => tag === "*" || tag.endsWith(`${mark}"`))
    .map((tag) => tag.replace(`${mark}"`, '"'));
}
