import { quoteGo } from "../go/quote.ts";
import { runeAt } from "../go/utf8.ts";
import { byte, endOfWord } from "./character.ts";
import { errorToken, type Token } from "./token.ts";

/** What the lexer takes for a number; whether it is one shows when it is read. */
const number =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y;

/** The number, or complex constant such as `1+2i`, that begins at a byte. */
export function lexNumber(text: string, start: number): Token {
  const end = endOfNumber(text, start);
  if (isInWord(text, end)) return badNumber(text, start, end);
  const sign = text.charCodeAt(end);
  if (sign !== byte.plus && sign !== byte.minus) {
    return { kind: "number", position: start, text: text.slice(start, end) };
  }
  const complexEnd = endOfNumber(text, end);
  if (isInWord(text, complexEnd) || !text.startsWith("i", complexEnd - 1)) {
    return badNumber(text, start, complexEnd);
  }
  return { kind: "complex", position: start, text: text.slice(start, complexEnd) };
}

/** The constant in quotes that begins at a byte, with its quotes; it ends on the same line. */
export function lexQuoted(text: string, start: number, kind: "string" | "character-constant"): Token {
  const quote = text.charCodeAt(start);
  for (let end = start + 1; end < text.length; end++) {
    let next = text.charCodeAt(end);
    if (next === quote) return { kind, position: start, text: text.slice(start, end + 1) };
    if (next === byte.backslash) {
      end += 1;
      next = text.charCodeAt(end);
    }
    if (next === byte.newline) break;
  }
  return errorToken(start, `unterminated ${kind === "string" ? "quoted string" : "character constant"}`);
}

/** The constant in backquotes that begins at a byte, with its quotes. */
export function lexRawString(text: string, start: number): Token {
  const end = text.indexOf("`", start + 1);
  return end === -1
    ? errorToken(start, "unterminated raw quoted string")
    : { kind: "raw-string", position: start, text: text.slice(start, end + 1) };
}

function endOfNumber(text: string, start: number): number {
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : start;
}

function isInWord(text: string, position: number): boolean {
  return endOfWord(text, position) > position;
}

/** The error shows the first character that does not belong to a number, too. */
function badNumber(text: string, start: number, end: number): Token {
  const shownEnd = isInWord(text, end) ? end + runeAt(text, end).width : end;
  return errorToken(start, `bad number syntax: ${quoteGo(text.slice(start, shownEnd))}`);
}
