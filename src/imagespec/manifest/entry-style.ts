import { doubleQuoted, isPlainString } from "../../yaml/dump.ts";
import type { WrittenEntry, WrittenMap } from "./written-node.ts";

/** What an entry can hold; what is undefined is left out. */
export type EntryValue = string | { readonly [key: string]: EntryValue | undefined };

/** How the entries of a map are written. */
export interface EntryStyle {
  /** A block; or within brackets, each entry on a line of its own, or all on one. */
  readonly layout: "block" | "lines" | "line";
  readonly lineEnd: string;
  /** What stands before an entry on its line. */
  readonly indent: string;
  /** By how much the entries of a map within are indented further. */
  readonly step: string;
  /** Whether keys and values are in double quotes, as in JSON. */
  readonly isQuoted: boolean;
  /** Between a key and its value. */
  readonly colon: string;
  /** Between a comma and the next entry on its line. */
  readonly gap: string;
  /** Within the brackets of a map on one line. */
  readonly pad: string;
}

const lineBreak = /\r\n|[\r\n]/gu;

/**
 * Tells how an entry of a map is written, so that one beside it can be written alike.
 * @param step by how much the block maps of the document are indented
 */
export function styleOfEntry(text: string, map: WrittenMap, entry: WrittenEntry, step: string): EntryStyle {
  if (!map.isFlow) {
    const indent = " ".repeat(map.start - lineStartOf(text, map.start));
    const lineEnd = lineEndNear(text, map.start);
    return { layout: "block", lineEnd, indent, step, isQuoted: false, colon: ": ", gap: " ", pad: "" };
  }
  const isQuoted = text[entry.key.start] === '"';
  const colon = isQuoted && text[entry.value.start - 1] === ":" ? ":" : ": ";
  const gap = colon === ":" ? "" : " ";
  const before = tryIndentOf(text, entry.key.start);
  const pad = /^\{[ ]+[^ \r\n]/u.test(text.slice(map.start, map.start + 20)) ? " " : "";
  if (before === undefined) {
    return { layout: "line", lineEnd: "\n", indent: "", step: "", isQuoted, colon, gap, pad };
  }
  const outer = /^[ \t]*/u.exec(text.slice(lineStartOf(text, map.start), map.start))?.[0] ?? "";
  const inner = before.startsWith(outer) ? before.slice(outer.length) : "";
  return {
    layout: "lines",
    lineEnd: lineEndNear(text, map.start),
    indent: before,
    step: inner === "" ? step : inner,
    isQuoted,
    colon,
    gap,
    pad,
  };
}

/** An entry in a style, without the indentation of its first line. */
export function formatEntry(key: string, value: EntryValue, style: EntryStyle): string {
  const name = formatScalar(key, style);
  if (typeof value === "string") return `${name}${style.colon}${formatScalar(value, style)}`;
  const { layout, lineEnd, indent, step, colon, gap, pad } = style;
  const inner = indent + step;
  const entries = Object.entries(value).flatMap(([innerKey, innerValue]) =>
    innerValue === undefined ? [] : [formatEntry(innerKey, innerValue, { ...style, indent: inner })],
  );
  if (layout === "block") return `${name}:${entries.map((entry) => lineEnd + inner + entry).join("")}`;
  if (layout === "line") return `${name}${colon}{${pad}${entries.join(`,${gap}`)}${pad}}`;
  const lines = entries.map((entry) => lineEnd + inner + entry).join(",");
  return `${name}${colon}{${lines}${lineEnd}${indent}}`;
}

/** What parts an entry from the next one. */
export function separatorOf({ layout, lineEnd, indent, gap }: EntryStyle): string {
  if (layout === "block") return lineEnd + indent;
  return layout === "line" ? `,${gap}` : `,${lineEnd}${indent}`;
}

function formatScalar(text: string, { layout, isQuoted }: EntryStyle): string {
  if (isQuoted) return doubleQuoted(text);
  // A colon within brackets is the end of a key to some readers.
  if (isPlainString(text) && (layout === "block" || /^[\w./@-]+$/u.test(text))) return text;
  return /^[ -&(-~]*"[ -&(-~]*$/u.test(text) ? `'${text}'` : doubleQuoted(text);
}

/** What stands before an offset on its line, if that is only blanks; a text of one long line is not looked through. */
function tryIndentOf(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && /[ \t]/u.test(text.charAt(start - 1))) start--;
  return start === 0 || isLineBreak(text.charCodeAt(start - 1)) ? text.slice(start, offset) : undefined;
}

/** Where the line of an offset begins; a byte order mark is no part of it. */
export function lineStartOf(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start--;
  return start === 0 && text.startsWith("\ufeff") && offset > 0 ? 1 : start;
}

/** Where the line of an offset ends, its break left out. */
export function lineEndOf(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a UTF-16 unit ends a line of YAML 1.1. */
export function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** The line break after an offset, else one before it. */
function lineEndNear(text: string, offset: number): string {
  lineBreak.lastIndex = offset;
  const next = lineBreak.exec(text)?.[0];
  if (next !== undefined) return next;
  lineBreak.lastIndex = 0;
  return lineBreak.exec(text)?.[0] ?? "\n";
}
