import { plainText, sliceText } from "../go/text.ts";
import type { Text } from "../go/value.ts";
import type { HelmVersion } from "../chart/chart.ts";

/**
 * The documents of a rendered file, in order (pkg/releaseutil/manifest.go). Helm 3 takes the white space off
 * both ends of each and knows a separator only where nothing but white space stands between it and a line end
 * before it that no other separator has used up; Helm 4 takes each `---` at a line's start and keeps what ends a
 * document.
 */
export function splitManifests(file: Text, helm: HelmVersion): readonly Text[] {
  return helm === "helm3" ? splitAsHelm3(file) : splitAsHelm4(file);
}

function splitAsHelm3(file: Text): Text[] {
  const plain = plainText(file);
  const { start, end } = trimmed(plain, 0, plain.length);
  const documents: Text[] = [];
  const add = (from: number, to: number): void => {
    if (from === to) return;
    const part = trimmed(plain, from, to);
    documents.push(sliceText(file, part.start, part.end));
  };
  let position = start;
  if (plain.startsWith("---", start) && start + 3 <= end) position = skipBlanks(plain, start + 3, end);
  for (;;) {
    const found = plain.indexOf("\n---", position);
    if (found === -1 || found + 4 > end) break;
    let from = found;
    while (from > position && isBlank(plain.charCodeAt(from - 1))) from -= 1;
    add(position, from);
    position = skipBlanks(plain, found + 4, end);
  }
  add(position, end);
  return documents;
}

function splitAsHelm4(file: Text): Text[] {
  const plain = plainText(file);
  const documents: Text[] = [];
  const add = (from: number, to: number): void => {
    const part = trimmed(plain, from, to);
    if (part.start < part.end) documents.push(sliceText(file, part.start, to));
  };
  let position = trimmed(plain, 0, plain.length).start;
  let found = plain.startsWith("---", position) ? position : nextAtLineStart(plain, position);
  while (found !== -1) {
    add(position, found);
    position = found + 3;
    while (plain[position] === " " || plain[position] === "\t") position += 1;
    found = nextAtLineStart(plain, position - 1);
  }
  add(position, plain.length);
  return documents;
}

function nextAtLineStart(text: string, from: number): number {
  const found = text.indexOf("\n---", from);
  return found === -1 ? -1 : found + 1;
}

/** What Go's regular expressions take for white space. */
function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09 || unit === 0x0c;
}

function skipBlanks(text: string, from: number, end: number): number {
  let position = from;
  while (position < end && isBlank(text.charCodeAt(position))) position += 1;
  return position;
}

/** UTF-8 of the white space beyond ASCII. */
const wideSpaces =
  /^(?:\u00c2[\u0085\u00a0]|\u00e1\u009a\u0080|\u00e2\u0080[\u0080-\u008a\u00a8\u00a9\u00af]|\u00e2\u0081\u009f|\u00e3\u0080\u0080)$/u;

/** The part without white space at its ends (strings.TrimSpace), on bytes. */
export function trimmed(text: string, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  for (let width = 1; width > 0; start += width) width = spaceWidth(text, start, end, 1);
  for (let width = 1; width > 0; end -= width) width = spaceWidth(text, start, end, -1);
  return { start, end };
}

/** How many bytes the white space at one end of a part takes; 0 where there is none. */
function spaceWidth(text: string, start: number, end: number, direction: 1 | -1): number {
  if (start >= end) return 0;
  const unit = text.charCodeAt(direction === 1 ? start : end - 1);
  if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)) return 1;
  if (unit < 0x80) return 0;
  for (const width of [2, 3]) {
    if (end - start < width) return 0;
    const piece = direction === 1 ? text.slice(start, start + width) : text.slice(end - width, end);
    if (wideSpaces.test(piece)) return width;
  }
  return 0;
}

/** The text without white space at its ends (strings.TrimSpace). */
export function trimText(text: Text): Text {
  const plain = plainText(text);
  const { start, end } = trimmed(plain, 0, plain.length);
  return sliceText(text, start, end);
}
