import { joinTexts, plainText, sliceText, sourceOf, trackedFrom } from "../../helm/go/text.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoMap, GoSlice, Tracked, untracked, type GoValue, type Text } from "../../helm/go/value.ts";
import { readYaml } from "../../helm/go/yaml-reader.ts";
import type { Span } from "../../helm/provenance/span.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "./manifest.ts";
import type { RenderedImage, SplitKeys } from "./rendered-image.ts";

/**
 * What the text of a rendered image comes from, in the terms of {@link RenderedImage.text}; empty where nothing
 * is known, as of what `helm` rendered.
 */
export function spansOfImage(manifest: Manifest, image: RenderedImage): readonly Span[] {
  const value = tracedValueAt(manifest, image.path);
  const text = image.keys === undefined ? textOf(value) : splitText(value, image.keys);
  if (!(text instanceof Tracked)) return [];
  if (image.encoded === true) return wholeSpans(text, image.text);
  if (image.span === undefined) return text.spans;
  const decoded = fromBytes(text.value);
  const [start, end] = [image.span.start, image.span.end].map((at) => toBytes(decoded.slice(0, at)).length);
  const part = sliceText(text, start ?? 0, end);
  return part instanceof Tracked ? part.spans : [];
}

/** The value at a path of a manifest, its scalars with what they come from; undefined where there is none. */
export function tracedValueAt(manifest: Manifest, path: ValuePath): GoValue | undefined {
  let value: GoValue | undefined = tracedContent(manifest);
  for (const step of path) {
    const container: GoValue = untracked(value ?? null);
    if (container instanceof GoMap && typeof step === "string") value = container.entries.get(toBytes(step));
    else if (container instanceof GoSlice && typeof step === "number") value = container.items[step];
    else return undefined;
  }
  return value;
}

/** Documents are read for their origins when the first is asked for, and once. */
const contents = new WeakMap<Manifest, GoValue>();

function tracedContent(manifest: Manifest): GoValue | undefined {
  if (manifest.traced === undefined) return undefined;
  const known = contents.get(manifest);
  if (known !== undefined) return known;
  const document = readYaml(manifest.traced).value;
  const items = document instanceof GoMap ? document.entries.get("items") : undefined;
  const content =
    manifest.item === undefined ? document : items instanceof GoSlice ? items.items[manifest.item] : null;
  contents.set(manifest, content ?? null);
  return content;
}

function textOf(value: GoValue | undefined): Text | undefined {
  const plain = untracked(value ?? null);
  return typeof plain === "string" ? (value as Text) : undefined;
}

/** The text that several keys spell, as rendered-image.ts puts it together. */
function splitText(map: GoValue | undefined, { path, version }: SplitKeys): Text | undefined {
  if (!(map instanceof GoMap)) return undefined;
  const parts = path.map((key) => textOf(map.entries.get(key)) ?? "").map((part) => withoutLastSlashes(part));
  const name = joinTexts(parts, "/");
  const tag = version === undefined ? undefined : textOf(map.entries.get(version));
  return tag === undefined ? name : joinTexts([name, tag], plainText(tag).startsWith("sha256:") ? "@" : ":");
}

function withoutLastSlashes(text: Text): Text {
  return sliceText(text, 0, plainText(text).replace(/\/+$/u, "").length);
}

/** What is in base64 comes from all that went into it. */
function wholeSpans(encoded: Tracked, text: string): readonly Span[] {
  const source = sourceOf([encoded]);
  return source === undefined ? [] : trackedFrom(toBytes(text), source).spans;
}
