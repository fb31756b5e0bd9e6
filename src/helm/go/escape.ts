import { unionOfSources, type Span } from "../provenance/span.ts";
import { plainText, sliceText, TextBuilder } from "./text.ts";
import { Tracked, type Text } from "./value.ts";

/**
 * Replaces each part of a text that a pattern finds; the rest keeps its spans, and so does a part that stays as
 * it is. What has been replaced comes from what the part came from.
 * @param special with the flag `g`; what it finds is never empty
 */
export function escapeText(text: Text, special: RegExp, escape: (part: string) => string): Text {
  const plain = plainText(text);
  if (typeof text === "string") return plain.replaceAll(special, escape);
  const builder = new TextBuilder();
  let position = 0;
  for (const { 0: part, index } of plain.matchAll(special)) {
    const escaped = escape(part);
    if (escaped === part) continue;
    builder.append(sliceText(text, position, index));
    position = index + part.length;
    appendDerived(builder, escaped, sliceText(text, index, position));
  }
  if (position === 0) return text;
  builder.append(sliceText(text, position));
  return builder.toText();
}

/** Appends what was made from a value, without telling which part from which. */
export function appendDerived(builder: TextBuilder, text: string, from: unknown): void {
  const source = from instanceof Tracked ? unionOfSources(sourcesOf(from.spans)) : undefined;
  if (source === undefined) builder.append(text);
  else builder.appendFrom(text, source);
}

function sourcesOf(spans: readonly Span[]): Span["source"][] {
  return spans.map((span) => span.source);
}
