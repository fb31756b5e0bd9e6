import type { RenderBudget } from "./context.ts";
import { escapeCharacters, escapeText, longText, type Escapes } from "./escape.ts";
import { isPrintable } from "./printable.ts";
import { concatTexts } from "./text.ts";
import { isAscii, runeAt, runes, toBytes } from "./utf8.ts";
import type { Text } from "./value.ts";

const special = /["\\\u0000-\u001f\u007f]+|[\u0080-\u00ff]+/gu;
const unescaped = /^[ !#-[\]-~]*$/u;
const escapesByCode: ReadonlyMap<number, string> = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
]);
const codesByEscape: ReadonlyMap<string, number> = new Map(
  [...escapesByCode].map(([code, escape]) => [escape.charAt(1), code]),
);

/** A Go string literal in double quotes that stands for the text (strconv.Quote). */
export function quoteGo(text: string): string {
  return unescaped.test(text) ? `"${text}"` : `"${text.replaceAll(special, escapeDoubleQuoted)}"`;
}

/**
 * Like {@link quoteGo}; what needs no escape keeps its exact spans.
 * @throws FairleadError `limit-exceeded`
 */
export function quoteText(text: Text, budget: RenderBudget): Text {
  if (typeof text === "string") {
    const isLong = text.length >= longText && isAscii(text);
    return isLong ? `"${escapeCharacters(text, asciiEscapes, budget)}"` : quoteGo(text);
  }
  return concatTexts(['"', escapeText(text, special, escapeDoubleQuoted), '"']);
}

/** Like {@link quoteGo}, with escapes for all that is not ASCII (strconv.QuoteToASCII). */
export function quoteToAscii(text: string): string {
  return `"${text.replaceAll(special, (part) => escapeRunes(part, '"', true))}"`;
}

/** A Go character literal (strconv.QuoteRune); what is no rune is U+FFFD. */
export function quoteRune(code: number, onlyAscii = false): string {
  return `'${escapeRunes(encodeRune(code), "'", onlyAscii)}'`;
}

/** Whether the text can stand as it is between backquotes, on one line (strconv.CanBackquote). */
export function canBackquote(text: string): boolean {
  if (/[\u0000-\u0008\u000a-\u001f`\u007f]/u.test(text)) return false;
  for (const { code, width } of runes(text)) {
    const isByteOrderMark = code === 0xfeff;
    if (isByteOrderMark || (code === 0xfffd && width === 1)) return false;
  }
  return true;
}

/** The bytes of a rune (Go's utf8.AppendRune). */
export function encodeRune(code: number): string {
  const isRune = code >= 0 && code <= 0x10ffff;
  return toBytes(String.fromCodePoint(isRune ? code : 0xfffd));
}

/** What {@link quoteGo} escapes of ASCII. */
const asciiEscapes: Escapes = [
  "\\",
  '"',
  ...Array.from(Array(0x20).keys(), (code) => String.fromCharCode(code)),
  "\u007f",
].map((character) => [character, escapeDoubleQuoted(character)]);

function escapeDoubleQuoted(part: string): string {
  return escapeRunes(part, '"', false);
}

function escapeRunes(part: string, quote: '"' | "'", onlyAscii: boolean): string {
  let escaped = "";
  for (const { code, offset, width } of runes(part)) {
    const bytes = part.slice(offset, offset + width);
    if (width === 1 && code === 0xfffd) escaped += `\\x${hex(bytes.charCodeAt(0), 2)}`;
    else if (bytes === quote || bytes === "\\") escaped += `\\${bytes}`;
    else if (isPrintable(code) && !(onlyAscii && code > 0x7e)) escaped += bytes;
    else escaped += escapesByCode.get(code) ?? escapeByNumber(code);
  }
  return escaped;
}

function escapeByNumber(code: number): string {
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** What a Go string, character or raw string literal stands for (strconv.Unquote), undefined for other texts. */
export function unquoteGo(literal: string): string | undefined {
  const quote = literal.charAt(0);
  const inner = literal.slice(1, -1);
  if (literal.length < 2 || !literal.endsWith(quote)) return undefined;
  if (quote === "`") return inner.includes("`") ? undefined : inner.replaceAll("\r", "");
  if (quote !== '"' && quote !== "'") return undefined;
  return unquoteInner(inner, quote);
}

function unquoteInner(inner: string, quote: '"' | "'"): string | undefined {
  let text = "";
  let position = 0;
  let count = 0;
  while (position < inner.length) {
    const character = unquoteCharacter(inner, quote, position);
    const isNewline = inner.charAt(position) === "\n";
    if (character === undefined || isNewline) return undefined;
    text += character.isRune ? encodeRune(character.code) : String.fromCharCode(character.code);
    position += character.width;
    count += 1;
  }
  return quote === "'" && count > 1 ? undefined : text;
}

/** A character of a literal: a rune, or the byte that an escape such as `\xff` names. */
export interface UnquotedCharacter {
  readonly code: number;
  readonly isRune: boolean;
  /** The bytes it takes in the literal. */
  readonly width: number;
}

/**
 * Reads the character at a position within a literal (strconv.UnquoteChar).
 * @param quote what the literal stands in: it can be escaped, and does not stand there unescaped
 */
export function unquoteCharacter(
  text: string,
  quote: '"' | "'",
  position = 0,
): UnquotedCharacter | undefined {
  const first = text.charAt(position);
  if (first === "" || first === quote) return undefined;
  if (first === "\\") return unquoteEscape(text, quote, position + 1);
  const { code, width } = runeAt(text, position);
  return { code, isRune: true, width };
}

const octal = /[0-7]{3}/uy;

function unquoteEscape(text: string, quote: string, position: number): UnquotedCharacter | undefined {
  const letter = text.charAt(position);
  const code = codesByEscape.get(letter);
  if (code !== undefined) return { code, isRune: false, width: 2 };
  if (letter === "\\" || letter === quote) return { code: letter.charCodeAt(0), isRune: false, width: 2 };
  octal.lastIndex = position;
  const octalDigits = octal.exec(text)?.[0];
  if (octalDigits !== undefined) {
    const code = Number.parseInt(octalDigits, 8);
    return code > 255 ? undefined : { code, isRune: false, width: 4 };
  }
  return unquoteHexadecimal(text, letter, position);
}

function unquoteHexadecimal(text: string, letter: string, position: number): UnquotedCharacter | undefined {
  const length = { x: 2, u: 4, U: 8 }[letter];
  const digits = text.slice(position + 1, position + 1 + (length ?? 0));
  if (length === undefined || digits.length < length || !/^[0-9a-f]+$/iu.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  const isRune = letter !== "x";
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (isRune && (isSurrogate || code > 0x10ffff)) return undefined;
  return { code, isRune, width: 2 + length };
}
