import { define, parameters, type FunctionTable } from "../go/function.ts";
import { isSpace } from "../go/rune.ts";
import { concatTexts, plainText, sliceText } from "../go/text.ts";
import { isAscii, runeAt, runes, toBytes, type Rune } from "../go/utf8.ts";
import { GoError, type Text } from "../go/value.ts";
import { spent } from "./growth.ts";
import { handOn } from "./hand-on.ts";

const trimCutset = define([parameters.string, parameters.text], ([cutset, text], context) => {
  return handOn(trimRunes(text, belongsTo(cutset)), context);
});

/** Bytes that are white space when each is taken for a rune, as goutils does. */
const byteSpaces = /[\t-\r \u0085\u00a0]+/gu;

/** Sprig's functions that take something off a text; the rest keeps its spans. */
export const trimFunctions: FunctionTable = {
  trim: define([parameters.text], ([text], context) => handOn(trimRunes(text, isSpace), context)),
  trimAll: trimCutset,
  trimall: trimCutset,
  trimPrefix: define([parameters.string, parameters.text], ([prefix, text], context) => {
    const begins = prefix !== "" && plainText(text).startsWith(prefix);
    return handOn(begins ? sliceText(text, prefix.length) : text, context);
  }),
  trimSuffix: define([parameters.string, parameters.text], ([suffix, text], context) => {
    const plain = plainText(text);
    const ends = suffix !== "" && plain.endsWith(suffix);
    return handOn(ends ? sliceText(text, 0, plain.length - suffix.length) : text, context);
  }),
  nospace: define([parameters.text], ([text], context) => {
    const plain = plainText(text);
    const stripped = plain.replaceAll(byteSpaces, "");
    if (stripped.length === plain.length) return handOn(text, context);
    const encoded = spent(context, toBytes(stripped));
    return typeof text === "string" || encoded !== stripped ? encoded : withoutSpaces(text);
  }),
  trunc: define([parameters.int, parameters.text], ([{ value }, text], context) =>
    handOn(truncate(text, Number(value)), context),
  ),
  substr: define([parameters.int, parameters.int, parameters.text], ([start, end, text], context) =>
    handOn(substring(text, Number(start.value), Number(end.value)), context),
  ),
  abbrev: define([parameters.int, parameters.text], ([width, text], context) =>
    handOn(abbreviate(text, 0, Number(width.value)), context),
  ),
  abbrevboth: define([parameters.int, parameters.int, parameters.text], ([left, right, text], context) =>
    handOn(abbreviate(text, Number(left.value), Number(right.value)), context),
  ),
};

function belongsTo(cutset: string): (code: number) => boolean {
  if (isAscii(cutset)) return (code) => code < 0x80 && cutset.includes(String.fromCharCode(code));
  const codes = new Set([...runes(cutset)].map(({ code }) => code));
  return (code) => codes.has(code);
}

function trimRunes(text: Text, isTrimmed: (code: number) => boolean): Text {
  const plain = plainText(text);
  let start = 0;
  let end = plain.length;
  while (start < end) {
    const { code, width } = runeAt(plain, start);
    if (!isTrimmed(code)) break;
    start += width;
  }
  while (end > start) {
    const { code, width } = runeBefore(plain, end);
    if (!isTrimmed(code)) break;
    end -= width;
  }
  return start === 0 && end === plain.length ? text : sliceText(text, start, end);
}

/** The rune that ends before a byte (Go's utf8.DecodeLastRuneInString). */
function runeBefore(bytes: string, end: number): Rune {
  for (let offset = end - 1; offset >= Math.max(0, end - 4); offset--) {
    const isContinuation = (bytes.charCodeAt(offset) & 0xc0) === 0x80;
    if (isContinuation) continue;
    const rune = runeAt(bytes, offset);
    if (offset + rune.width === end) return rune;
    break;
  }
  return { code: 0xfffd, offset: end - 1, width: 1 };
}

function withoutSpaces(text: Text): Text {
  const parts: Text[] = [];
  let position = 0;
  for (const { 0: spaces, index } of plainText(text).matchAll(byteSpaces)) {
    parts.push(sliceText(text, position, index));
    position = index + spaces.length;
  }
  return concatTexts([...parts, sliceText(text, position)]);
}

/** The first bytes, or with a negative count the last ones. */
function truncate(text: Text, count: number): Text {
  const { length } = plainText(text);
  if (count >= 0) return count < length ? sliceText(text, 0, count) : text;
  return length + count > 0 ? sliceText(text, length + count) : text;
}

/** A negative start counts as none, a negative or too great end as the text's own; the rest is Go's slicing. */
function substring(text: Text, start: number, end: number): Text {
  const { length } = plainText(text);
  if (start < 0) {
    if (end < 0) throw outOfBounds(`:${end}`);
    if (end > length) throw outOfBounds(`:${end}`, ` with length ${length}`);
    return sliceText(text, 0, end);
  }
  const last = end < 0 || end > length ? length : end;
  if (start > last) throw outOfBounds(`${start}:${last}`);
  return sliceText(text, start, last);
}

function outOfBounds(range: string, reason = ""): GoError {
  return new GoError(`runtime error: slice bounds out of range [${range}]${reason}`);
}

/** Goutils' AbbreviateFull: an ellipsis for what does not fit, at the left edge too where that is far enough in. */
function abbreviate(text: Text, leftEdge: number, width: number): Text {
  const { length } = plainText(text);
  const kept = width - 3;
  if (width < 4 || (leftEdge > 0 && width < 7) || length <= width) return text;
  const offset = Math.min(leftEdge, length - kept);
  if (offset <= 4) return concatTexts([sliceText(text, 0, kept), "..."]);
  if (offset + kept < length) {
    return concatTexts(["...", abbreviate(sliceText(text, offset), 0, kept)]);
  }
  return concatTexts(["...", sliceText(text, length - kept)]);
}
