import { isAscii, runes, toBytes } from "./utf8.ts";

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;
const number = /^\p{N}$/u;
const punctuation = /^\p{P}$/u;
const upper = /^\p{Lu}$/u;
const title = /^\p{Lt}$/u;
const lower = /^\p{Ll}$/u;
const space = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;

/** Letters whose case Unicode has defined after version 15.0, which is the one that Go 1.26 knows. */
const casedLater =
  /^[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]$/u;
/** Greek letters with an iota subscript: written in capitals they are two, but Go maps a rune to a rune. */
const withIota = /^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7\u1fb3\u1fc3\u1ff3]$/u;
/** Two letters in one: the capital, the title and the small form follow one another. */
const digraph = /^[\u01c4-\u01cc\u01f1-\u01f3]$/u;
const georgian = /^[\u10d0-\u10ff]$/u;

/** Whether a rune is white space (Go's unicode.IsSpace). */
export function isSpace(code: number): boolean {
  return code < 0x80 ? (code >= 9 && code <= 13) || code === 0x20 : space.test(String.fromCodePoint(code));
}

/** Whether a rune is a letter (Go's unicode.IsLetter). */
export function isLetter(code: number): boolean {
  return code < 0x80 ? isAsciiUpper(code) || isAsciiLower(code) : letter.test(String.fromCodePoint(code));
}

/** Whether a rune is a decimal digit (Go's unicode.IsDigit). */
export function isDigit(code: number): boolean {
  return code < 0x80 ? code >= 0x30 && code <= 0x39 : digit.test(String.fromCodePoint(code));
}

/** Whether a rune is of a number category (Go's unicode.IsNumber). */
export function isNumber(code: number): boolean {
  return code < 0x80 ? isDigit(code) : number.test(String.fromCodePoint(code));
}

/** Whether a rune is punctuation (Go's unicode.IsPunct). */
export function isPunctuation(code: number): boolean {
  return punctuation.test(String.fromCodePoint(code));
}

/** Whether a rune is a capital letter (Go's unicode.IsUpper). */
export function isUpper(code: number): boolean {
  return code < 0x80 ? isAsciiUpper(code) : upper.test(String.fromCodePoint(code));
}

/** Whether a rune is a title case letter (Go's unicode.IsTitle). */
export function isTitle(code: number): boolean {
  return code >= 0x80 && title.test(String.fromCodePoint(code));
}

/** Whether a rune is a small letter (Go's unicode.IsLower). */
export function isLower(code: number): boolean {
  return code < 0x80 ? isAsciiLower(code) : lower.test(String.fromCodePoint(code));
}

/** The rune in upper case (Go's unicode.ToUpper, which gives one rune for one). */
export function toUpper(code: number): number {
  if (code < 0x80) return isAsciiLower(code) ? code - 32 : code;
  const character = String.fromCodePoint(code);
  if (casedLater.test(character)) return code;
  if (withIota.test(character)) return code < 0x1fb0 ? code + 8 : code + 9;
  return single(character.toUpperCase()) ?? code;
}

/** The rune in lower case (Go's unicode.ToLower, which gives one rune for one). */
export function toLower(code: number): number {
  if (code < 0x80) return isAsciiUpper(code) ? code + 32 : code;
  const character = String.fromCodePoint(code);
  if (casedLater.test(character)) return code;
  return code === 0x130 ? 0x69 : (single(character.toLowerCase()) ?? code);
}

/** The rune in title case (Go's unicode.ToTitle). */
export function toTitle(code: number): number {
  if (code < 0x80) return toUpper(code);
  const character = String.fromCodePoint(code);
  if (georgian.test(character)) return code;
  return digraph.test(character) ? toUpper(code) + 1 : toUpper(code);
}

/** The text with each rune mapped (Go's strings.Map); a byte that is no UTF-8 becomes U+FFFD. */
export function mapRunes(text: string, map: (code: number) => number): string {
  let mapped = "";
  for (const { code } of runes(text)) mapped += String.fromCodePoint(map(code));
  return isAscii(mapped) ? mapped : toBytes(mapped);
}

function single(text: string): number | undefined {
  const code = text.codePointAt(0) ?? 0;
  return text.length === (code > 0xffff ? 2 : 1) ? code : undefined;
}

function isAsciiUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isAsciiLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
