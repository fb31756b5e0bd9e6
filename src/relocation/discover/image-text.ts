import type { YamlMap } from "../../yaml/value.ts";
import { foldKey, isImageKey } from "./keys.ts";
import { holdsTemplate, hostOf, isForeignText, isReferenceText, splitNameText } from "./name-text.ts";

/** What a string leaf is. */
export type ImageText =
  | { readonly kind: "none" | "template" | "unparsable" }
  | {
      readonly kind: "reference";
      /** The key beside it that holds the tag, where the text has none. */
      readonly tagKey?: string;
      /** Whether a registry set elsewhere goes before it. */
      readonly relative: boolean;
    };

export interface ImageTextContext {
  readonly isKnownHost: (host: string) => boolean;
  /** The user's configuration names it as an image. */
  readonly named: boolean;
  /** It stands in a map called `images`. */
  readonly amongImages: boolean;
}

const none: ImageText = { kind: "none" };

/**
 * Reads a string leaf as an image: any reference under a key called image, a full reference under any key
 * that speaks of an image, and a text that starts with a source registry and ends in a tag or digest.
 * @param siblings the map that holds the leaf, or the list the leaf stands in.
 */
export function imageTextOf(
  text: string,
  key: string,
  siblings: YamlMap,
  context: ImageTextContext,
): ImageText {
  const imageKey = isImageKey(key) || context.named;
  const speaksOfImage =
    imageKey || context.amongImages || /image(?:name|ref|reference|uri)?$/u.test(foldKey(key));
  if (text === "") return none;
  if (holdsTemplate(text)) return speaksOfImage ? { kind: "template" } : none;
  const { prefix, name, suffix } = splitNameText(text);
  if (isForeignText(text.slice(prefix.length))) return none;
  const host = hostOf(name);
  const full = host !== undefined && context.isKnownHost(host);
  const reference = isReferenceText(text.slice(prefix.length));
  const tagKey = tagKeyFor(key, siblings);
  const beside = tagKey === undefined ? {} : { tagKey };
  if (foldKey(key) === "image" || context.named) {
    if (reference || isPartial(suffix)) return { kind: "reference", relative: true, ...beside };
    return { kind: "unparsable" };
  }
  if (!reference) return full && speaksOfImage ? { kind: "unparsable" } : none;
  if (speaksOfImage && (suffix !== "" || name.includes("/") || tagKey !== undefined)) {
    return { kind: "reference", relative: false, ...beside };
  }
  if (/image/iu.test(key) && suffix !== "" && name.includes("/"))
    return { kind: "reference", relative: false };
  return full && (suffix !== "" || speaksOfImage) ? { kind: "reference", relative: false } : none;
}

/** `image` goes with `tag` or `imageTag`, `workerImage` with `workerImageTag` or `workerTag`. */
function tagKeyFor(key: string, siblings: YamlMap): string | undefined {
  const folded = foldKey(key);
  const stem = folded.replace(/image(?:name|ref|reference|uri)?$/u, "");
  const names = new Set([`${folded}tag`, `${stem}imagetag`, `${stem}tag`, stem === "" ? "version" : ""]);
  return Object.keys(siblings).find(
    (name) => names.has(foldKey(name)) && siblings[name] !== null && siblings[name] !== "",
  );
}

/** `repo@sha256`, whose hex stands in the tag beside it. */
function isPartial(suffix: string): boolean {
  return /^@sha\d+$/u.test(suffix);
}
