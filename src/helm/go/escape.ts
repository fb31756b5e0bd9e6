import { madeFrom } from "./cover.ts";
import { sliceText, TextBuilder } from "./text.ts";
import type { Text } from "./value.ts";

/**
 * Replaces each part of a text that a pattern finds; the rest keeps its spans, and so does a part that stays as
 * it is. What has been replaced comes from what the part came from.
 * @param special with the flag `g`; what it finds is never empty
 */
export function escapeText(text: Text, special: RegExp, escape: (part: string) => string): Text {
  if (typeof text === "string") return text.replaceAll(special, escape);
  const builder = new TextBuilder();
  let position = 0;
  for (const { 0: part, index } of text.value.matchAll(special)) {
    const escaped = escape(part);
    if (escaped === part) continue;
    const end = index + part.length;
    builder.append(sliceText(text, position, index));
    builder.append(madeFrom(escaped, sliceText(text, index, end)));
    position = end;
  }
  if (position === 0) return text;
  builder.append(sliceText(text, position));
  return builder.toText();
}
