import type { RenderBudget } from "./context.ts";
import { madeFrom } from "./cover.ts";
import { replacePlain, sliceText, TextBuilder } from "./text.ts";
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

/** Characters with their escapes. What escapes begin with comes first, so that it is not escaped again. */
export type Escapes = readonly (readonly [character: string, escape: string])[];

/** From this length on {@link escapeCharacters} is worth looking for each character by itself. */
export const longText = 10_000;

/**
 * Escapes one character after the other, each with native methods: for long texts, which may be nothing but
 * characters to escape.
 * @throws FairleadError `limit-exceeded`
 */
export function escapeCharacters(text: string, escapes: Escapes, budget: RenderBudget): string {
  let escaped = text;
  for (const [character, escape] of escapes) {
    if (!text.includes(character)) continue;
    budget.spendBytes(countIn(escaped, character) * (escape.length - character.length));
    escaped = replacePlain(escaped, character, escape);
  }
  return escaped;
}

/** How often a text stands in another, without overlaps. @param search not empty */
export function countIn(text: string, search: string): number {
  let count = 0;
  for (let found = text.indexOf(search); found !== -1; found = text.indexOf(search, found + search.length)) {
    count += 1;
  }
  return count;
}
