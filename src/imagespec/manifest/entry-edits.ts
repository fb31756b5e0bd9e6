import type { TextEdit } from "../../yaml/scalar-edit.ts";
import {
  type EntryValue,
  formatEntry,
  isLineBreak,
  lineEndOf,
  lineStartOf,
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

/** Puts an entry in the place of another one; of a block, a comment on its last line stays. */
export function replaceEntry(
  { text, step }: EditedText,
  map: WrittenMap,
  entry: WrittenEntry,
  { key, value }: NewEntry,
): readonly TextEdit[] {
  const style = styleOfEntry(text, map, entry, step);
  const written = formatEntry(key, value, style);
  const head = style.layout === "block" ? written.split(style.lineEnd, 1).join("") : written;
  const replaced = { start: entry.key.start, end: entry.value.end, text: head };
  const place = endOfEntry(text, entry);
  return head === written
    ? [replaced]
    : [replaced, { start: place, end: place, text: written.slice(head.length) }];
}

/** Takes entries out of a map that keeps others. */
export function removeEntries(
  text: string,
  map: WrittenMap,
  removed: ReadonlySet<WrittenEntry>,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let run: WrittenEntry[] = [];
  let kept: WrittenEntry | undefined;
  for (const entry of [...map.entries, undefined]) {
    if (entry !== undefined && removed.has(entry)) {
      run.push(entry);
      continue;
    }
    const [first] = run;
    const last = run.at(-1);
    if (first !== undefined && last !== undefined) {
      edits.push({ ...rangeOf(text, map, { kept, first, last, next: entry }), text: "" });
    }
    run = [];
    kept = entry;
  }
  return edits;
}

/** What goes with a run of entries. @param run the entries before and behind it stay */
function rangeOf(
  text: string,
  map: WrittenMap,
  run: {
    readonly kept: WrittenEntry | undefined;
    readonly first: WrittenEntry;
    readonly last: WrittenEntry;
    readonly next: WrittenEntry | undefined;
  },
): { readonly start: number; readonly end: number } {
  const { kept, first, last, next } = run;
  const { start } = first.key;
  if (map.isFlow) {
    if (next !== undefined) return { start, end: next.key.start };
    return { start: kept?.value.end ?? start, end: last.value.end };
  }
  const lineStart = lineStartOf(text, start);
  const end = endOfEntry(text, last);
  if (text.slice(lineStart, start).trim() !== "") {
    // What stands before it on its line, such as a dash, goes on to the next entry.
    const isNext = next !== undefined && text.slice(last.value.end, next.key.start).trim() === "";
    return { start, end: isNext ? next.key.start : last.value.end };
  }
  if (end < text.length) return { start: lineStart, end: end + breakLength(text, end) };
  return { start: lineStart - breakLength(text, lineStart, -1), end };
}

/** How long the line break is that begins, or else ends, at an offset. */
function breakLength(text: string, offset: number, direction: 1 | -1 = 1): number {
  const around =
    direction === 1 ? text.slice(offset, offset + 2) : text.slice(Math.max(offset - 2, 0), offset);
  if (around === "\r\n") return 2;
  const unit = around.charCodeAt(direction === 1 ? 0 : around.length - 1);
  return isLineBreak(unit) ? 1 : 0;
}
