import { isPrintable } from "../go/printable.ts";
import { encodeRune } from "../go/quote.ts";
import { isDigit, isLetter } from "../go/rune.ts";
import { runeAt } from "../go/utf8.ts";

/** The bytes that mean something inside an action. */
export const byte = {
  newline: 0x0a,
  doubleQuote: 0x22,
  dollar: 0x24,
  singleQuote: 0x27,
  leftParenthesis: 0x28,
  rightParenthesis: 0x29,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  equals: 0x3d,
  backslash: 0x5c,
  backquote: 0x60,
  pipe: 0x7c,
  rightBrace: 0x7d,
} as const;

/** ASCII characters that words are made of. */
const wordBytes = new Uint8Array(0x80);
for (let code = 0; code < 0x80; code++) wordBytes[code] = /\w/u.test(String.fromCharCode(code)) ? 1 : 0;

/** Whether a byte is one of the four spaces that templates know; NaN, as after the end, is none. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** Whether a byte is one of the digits 0 to 9. */
export function isDecimal(code: number): boolean {
  return code >= byte.zero && code <= byte.nine;
}

/** The end of the letters, digits and underscores that begin at a byte. */
export function endOfWord(text: string, start: number): number {
  let end = start;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code < 0x80) {
      if (wordBytes[code] === 0) return end;
      end += 1;
    } else {
      if (end >= text.length) return end;
      const rune = runeAt(text, end);
      if (!isLetter(rune.code) && !isDigit(rune.code)) return end;
      end += rune.width;
    }
  }
}

/** The end of the spaces that begin at a byte. */
export function endOfSpace(text: string, start: number): number {
  let end = start;
  while (isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

/** Where the spaces before a byte begin, not before `start`. */
export function startOfSpace(text: string, start: number, end: number): number {
  let first = end;
  while (first > start && isSpace(text.charCodeAt(first - 1))) first -= 1;
  return first;
}

/** The rune at a byte as Go's `%#U` names it, such as `U+0025 '%'`. */
export function describeRune(text: string, position: number): string {
  const { code } = runeAt(text, position);
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return isPrintable(code) ? `U+${hex} '${encodeRune(code)}'` : `U+${hex}`;
}
