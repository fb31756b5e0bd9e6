import { fromBytes, isAscii } from "./utf8.ts";

/** Whose order: go-yaml's second version reads digits before letters wherever they meet, the third not in a number. */
export type KeyOrder = "v2" | "v3";

const letters = /^[A-Za-z]*$/;

/** The keys of a map in go-yaml's order: letters by code, everything else before them, numbers by their value. */
export function sortYamlKeys(keys: string[], order: KeyOrder): string[] {
  if (keys.every((key) => letters.test(key))) return keys.sort();
  if (keys.every(isAscii)) return keys.sort((left, right) => compareKeys(left, right, order));
  return keys
    .map((key) => ({ key, runes: Array.from(fromBytes(key), (character) => character.codePointAt(0) ?? 0) }))
    .sort((left, right) => compareKeys(left.runes, right.runes, order))
    .map(({ key }) => key);
}

/** ASCII, or the runes of what is not. */
type Runes = string | readonly number[];

function runeAt(runes: Runes, index: number): number {
  return typeof runes === "string" ? runes.charCodeAt(index) : (runes[index] ?? 0);
}

function compareKeys(left: Runes, right: Runes, order: KeyOrder): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && runeAt(left, index) === runeAt(right, index)) index++;
  if (index === length) return left.length - right.length;
  const leftRune = runeAt(left, index);
  const rightRune = runeAt(right, index);
  const leftIsLetter = isLetter(leftRune);
  const rightIsLetter = isLetter(rightRune);
  if (leftIsLetter && rightIsLetter) return leftRune - rightRune;
  if (leftIsLetter || rightIsLetter) {
    const lettersFirst = order === "v3" && index > 0 && isDigit(runeAt(left, index - 1));
    return leftIsLetter === lettersFirst ? -1 : 1;
  }
  return compareNumbers(left, right, index);
}

/** By the numbers that begin where the keys differ; after other digits than 0, a 0 does not lead them. */
function compareNumbers(left: Runes, right: Runes, index: number): number {
  const leads = runeAt(left, index) === 0x30 || runeAt(right, index) === 0x30;
  const start = leads && endsInNumber(left, index) ? 1n : 0n;
  const [leftNumber, leftEnd] = numberAt(left, index, start);
  const [rightNumber, rightEnd] = numberAt(right, index, start);
  if (leftNumber !== rightNumber) return leftNumber < rightNumber ? -1 : 1;
  return leftEnd - rightEnd || runeAt(left, index) - runeAt(right, index);
}

function endsInNumber(runes: Runes, end: number): boolean {
  for (let index = end - 1; index >= 0 && isDigit(runeAt(runes, index)); index--) {
    if (runeAt(runes, index) !== 0x30) return true;
  }
  return false;
}

/** The number in an int64, wrapped around where it is too long, and where it ends. */
function numberAt(runes: Runes, start: number, initial: bigint): [number: bigint, end: number] {
  let number = initial;
  let end = start;
  for (; end < runes.length && isDigit(runeAt(runes, end)); end++) {
    number = BigInt.asIntN(64, number * 10n + BigInt(runeAt(runes, end) - 0x30));
  }
  return [number, end];
}

function isDigit(rune: number): boolean {
  return rune < 0x80 ? rune >= 0x30 && rune <= 0x39 : /^\p{Nd}$/u.test(String.fromCodePoint(rune));
}

function isLetter(rune: number): boolean {
  if (rune < 0x80) return (rune >= 0x41 && rune <= 0x5a) || (rune >= 0x61 && rune <= 0x7a);
  return /^\p{L}$/u.test(String.fromCodePoint(rune));
}
