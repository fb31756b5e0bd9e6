import { fromBytes, isAscii } from "./utf8.ts";

/** Whose order: go-yaml's second version reads digits before letters wherever they meet, the third not in a number. */
export type KeyOrder = "v2" | "v3";

const letters = /^[A-Za-z]*$/;

/** The keys of a map in go-yaml's order: letters by code, everything else before them, numbers by their value. */
export function sortYamlKeys(keys: string[], order: KeyOrder): string[] {
  if (keys.every((key) => letters.test(key))) return keys.sort();
  return keys
    .map((key) => ({ key, runes: runesOf(key) }))
    .sort((left, right) => compareRunes(left.runes, right.runes, order))
    .map(({ key }) => key);
}

function runesOf(key: string): number[] {
  return isAscii(key)
    ? Array.from({ length: key.length }, (_, index) => key.charCodeAt(index))
    : Array.from(fromBytes(key), (character) => character.codePointAt(0) ?? 0);
}

function compareRunes(left: readonly number[], right: readonly number[], order: KeyOrder): number {
  let afterDigit = false;
  for (let index = 0; index < left.length && index < right.length; index++) {
    const leftRune = left[index] ?? 0;
    const rightRune = right[index] ?? 0;
    if (leftRune === rightRune) {
      afterDigit = isDigit(leftRune);
      continue;
    }
    const leftIsLetter = isLetter(leftRune);
    const rightIsLetter = isLetter(rightRune);
    if (leftIsLetter && rightIsLetter) return leftRune - rightRune;
    if (leftIsLetter || rightIsLetter) {
      const lettersFirst = order === "v3" && afterDigit;
      return leftIsLetter === lettersFirst ? -1 : 1;
    }
    return compareNumbers(left, right, index);
  }
  return left.length - right.length;
}

/** By the numbers that begin where the keys differ; after other digits than 0, a 0 does not lead them. */
function compareNumbers(left: readonly number[], right: readonly number[], index: number): number {
  const leads = left[index] === 0x30 || right[index] === 0x30;
  const start = leads && endsInNumber(left, index) ? 1n : 0n;
  const [leftNumber, leftEnd] = numberAt(left, index, start);
  const [rightNumber, rightEnd] = numberAt(right, index, start);
  if (leftNumber !== rightNumber) return leftNumber < rightNumber ? -1 : 1;
  return leftEnd - rightEnd || (left[index] ?? 0) - (right[index] ?? 0);
}

function endsInNumber(runes: readonly number[], end: number): boolean {
  for (let index = end - 1; index >= 0 && isDigit(runes[index] ?? 0); index--) {
    if (runes[index] !== 0x30) return true;
  }
  return false;
}

/** The number in an int64, wrapped around where it is too long, and where it ends. */
function numberAt(runes: readonly number[], start: number, initial: bigint): [number: bigint, end: number] {
  let number = initial;
  let end = start;
  for (; end < runes.length && isDigit(runes[end] ?? 0); end++) {
    number = BigInt.asIntN(64, number * 10n + BigInt((runes[end] ?? 0) - 0x30));
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
