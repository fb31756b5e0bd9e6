import type { TextEdit } from "../../yaml/scalar-edit.ts";
import {
  type EntryValue,
  formatEntry,
  isLineBreak,
  lineEndOf,
  separatorOf,
  styleOfEntry,
} from "./entry-style.ts";
import type { WrittenEntry, WrittenMap } from "./written-node.ts";

/** The text and the indentation of its block maps. */
export interface EditedText {
  readonly text: string;
  readonly step: string;
}

/** A new entry. */
export interface NewEntry {
  readonly key: string;
  readonly value: EntryValue;
}

/** Whether an entry is written so simply that it can be edited: its key is a scalar that nothing announces. */
export function isEditable(text: string, { key }: WrittenEntry): boolean {
  if (key.kind !== "scalar" || key.isBlock || key.hasAnchor || key.hasTag) return false;
  let before = key.start;
  while (before > 0 && /\s/u.test(text.charAt(before - 1))) before--;
  return text[before - 1] !== "?";
}

/** Puts an entry behind another one; a comment on the other one's line stays there. */
export function insertBehind(
  { text, step }: EditedText,
  map: WrittenMap,
  entry: WrittenEntry,
  { key, value }: NewEntry,
): TextEdit {
  const style = styleOfEntry(text, map, entry, step);
  const place = map.isFlow ? entry.value.end : endOfEntry(text, entry);
  return { start: place, end: place, text: separatorOf(style) + formatEntry(key, value, style) };
}

/** Puts an entry before another one. */
export function insertBefore(
  { text, step }: EditedText,
  map: WrittenMap,
  entry: WrittenEntry,
  { key, value }: NewEntry,
): TextEdit {
  const style = styleOfEntry(text, map, entry, step);
  const { start } = entry.key;
  return { start, end: start, text: formatEntry(key, value, style) + separatorOf(style) };
}

/** Where an entry of a block ends, with a comment on its last line. */
function endOfEntry(text: string, { value }: WrittenEntry): number {
  // A literal scalar without content ends where the next line begins.
  return value.end > 0 && isLineBreak(text.charCodeAt(value.end - 1))
    ? value.end
    : lineEndOf(text, value.end);
}
