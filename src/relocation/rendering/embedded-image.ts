import { type ImageReference, tryParseReference } from "../../reference/reference.ts";

/** A reference inside a longer text. */
export interface EmbeddedImage {
  readonly text: string;
  readonly reference: ImageReference;
  readonly span: { readonly start: number; readonly end: number };
}

const hostedPattern =
  /(?<![\w./:@%-])(?:docker:\/\/)?(?<image>(?<host>(?:(?:[a-zA-Z0-9-]+\.)+[a-zA-Z0-9-]+(?::\d+)?|[a-zA-Z0-9-]+:\d+|localhost))\/[a-z0-9][a-z0-9._/-]{0,254}(?::[A-Za-z0-9_][\w.-]{0,127})?(?:@sha(?:256|384|512):[0-9a-f]{64,128})?)/gu;

/** A line of a manifest or of JSON inside a longer text, such as a pod template in a ConfigMap. */
const linePattern = /^[ \t]*(?:- +)?["']?image["']? *: *["']?(?<image>[a-z0-9][^\s"'#{},]*)["']?,?[ \t]*$/gmu;

/** JSON in one line, such as a pod template in an annotation, and JSON in a string of JSON. */
const jsonPattern =
  /"image\\{0,3}"[ \t]{0,9}:[ \t]{0,9}\\{0,3}"(?<image>[a-z0-9][^\s"'\\#{},]{0,400})\\{0,3}"/gu;

/** `--image=`, `-sidecar-image=`: an argument, or a part of a command line. */
const flagPattern = /(?<![\w.-])--?[\w.-]*image=["']?(?<image>[a-z0-9][^\s"'\\#{},;|&)]{0,400})/giu;

/**
 * The references in a text, in their order: what starts with a known registry and ends in a tag or digest, and
 * what a line, a JSON key or a flag calls an image and has either.
 */
export function findEmbeddedImages(text: string, isKnownHost: (host: string) => boolean): EmbeddedImage[] {
  const images = new Map<number, EmbeddedImage>();
  const add = (match: RegExpExecArray, isFull: boolean): void => {
    const image = match.groups?.["image"] ?? "";
    const written = image.replace(/[.-]+$/u, "");
    const reference = tryParseReference(written);
    if (reference === undefined) return;
    const hasVersion = (reference.tag ?? reference.digest) !== undefined;
    if (!hasVersion && (isFull || reference.writtenRegistry === undefined)) return;
    if (!hasVersion && !isKnownHost(reference.writtenRegistry ?? "")) return;
    const start = match.index + match[0].lastIndexOf(image);
    images.set(start, { text: written, reference, span: { start, end: start + written.length } });
  };
  for (const match of text.matchAll(hostedPattern)) {
    if (isKnownHost(match.groups?.["host"] ?? "")) add(match, true);
  }
  for (const pattern of [...(text.includes("\n") ? [linePattern] : []), jsonPattern, flagPattern]) {
    for (const match of text.matchAll(pattern)) add(match, false);
  }
  return [...images.values()].sort((left, right) => left.span.start - right.span.start);
}
