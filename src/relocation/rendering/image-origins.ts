import type { ImageReference } from "../../reference/reference.ts";
import { formatValuePath, parseValuePath, type ValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "./manifest.ts";
import type { RenderedImage } from "./rendered-image.ts";
import { originsOfPart, type OriginLocator, type TextOrigin } from "./text-origins.ts";
import { spansOfImage } from "./trace.ts";

/** The part of a reference that a piece of its text belongs to; a separator is a `/`, `:` or `@` between two. */
export type ReferencePart = "registry" | "repository" | "tag" | "digest" | "separator";

/** What a piece of a rendered image's text comes from; no piece is in two parts. */
export interface ImageOrigin extends TextOrigin {
  readonly part: ReferencePart;
}

/** What the text of a rendered image comes from, part by part; one unknown piece a part where it is not traced. */
export function originsOfImage(
  manifest: Manifest,
  image: RenderedImage,
  locator: OriginLocator,
): ImageOrigin[] {
  const spans = spansOfImage(manifest, image);
  const origins: ImageOrigin[] = [];
  for (const { part, ...range } of partsOf(image.reference)) {
    for (const origin of originsOfPart(image.text, spans, range, locator)) origins.push({ part, ...origin });
  }
  return origins;
}

interface PartRange {
  readonly part: ReferencePart;
  readonly start: number;
  readonly end: number;
}

/** The parts of a reference in the order in which its text has them. */
function partsOf({ writtenRegistry, writtenPath, tag, digest }: ImageReference): PartRange[] {
  const ranges: PartRange[] = [];
  let position = 0;
  const add = (part: ReferencePart, text: string | undefined): void => {
    if (text === undefined) return;
    ranges.push({ part, start: position, end: position + text.length });
    position += text.length;
  };
  add("registry", writtenRegistry);
  if (writtenRegistry !== undefined) add("separator", "/");
  add("repository", writtenPath);
  if (tag !== undefined) add("separator", ":");
  add("tag", tag);
  if (digest !== undefined) add("separator", "@");
  add("digest", digest);
  return ranges;
}

/**
 * The values that an image comes from, in the order of its text: a leaf, or the map where several leaves of one
 * map make it. What is shared under `global` stays apart, as its map holds more than images.
 */
export function valuesOfOrigins(origins: readonly ImageOrigin[]): ValuePath[] {
  const paths = new Set(origins.flatMap(({ part, path = "" }) => (part === "separator" ? [] : [path])));
  const leaves = [...paths].filter((path) => path !== "").map((path) => parseValuePath(path));
  const parents = Map.groupBy(leaves, (leaf) => formatValuePath(leaf.slice(0, -1)));
  const holders = leaves.map((leaf) => {
    const parent = leaf.slice(0, -1);
    const isShared = (parents.get(formatValuePath(parent))?.length ?? 0) > 1;
    const isImage = parent.length > 0 && parent.at(-1) !== "global" && typeof leaf.at(-1) === "string";
    return isShared && isImage ? parent : leaf;
  });
  return [...new Map(holders.map((path) => [formatValuePath(path), path])).values()];
}
