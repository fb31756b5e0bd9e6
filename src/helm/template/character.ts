import { isPrintable } from "../go/printable.ts";
import { encodeRune } from "../go/quote.ts";
import { isDigit, isLetter } from "../go/rune.ts";
import { runeAt } from "../go/utf8.ts";

/** ASCII characters that words are made of. */
const wordBytes = new Uint8Array(0x80);
for (let code = 0; code < 0x80; code++) wordBytes[code] = /\w/u.test(String.fromCharCode(code)) ? 1 : 0;

/** Whether a byte is one of the four spaces that templates know; NaN, as after the end, is none. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
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
