/** Where a text stops being what helm prints. */
export interface Difference {
  /** Counted from 1. */
  readonly line: number;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares a text with what helm printed, byte for byte but for words that helm itself prints anew each time.
 * Such a word has to stand in the same place and to look alike: the same alphabet, about the same length.
 * @param first what helm printed
 * @param second what helm printed when it was run again; default: the same
 * @returns the first line that differs, or undefined
 */
export function findDifference(
  actual: string,
  first: string,
  second: string = first,
): Difference | undefined {
  if (actual === first) return undefined;
  const [actualLines, firstLines, secondLines] = [actual, first, second].map((text) => text.split("\n"));
  if (actualLines === undefined || firstLines === undefined || secondLines === undefined) return undefined;
  const comparable = firstLines.length === secondLines.length;
  const count = Math.max(actualLines.length, firstLines.length);
  for (let index = 0; index < count; index++) {
    const actualLine = actualLines[index];
    const firstLine = firstLines[index];
    if (actualLine === firstLine) continue;
    const secondLine = comparable ? secondLines[index] : firstLine;
    if (actualLine === undefined || firstLine === undefined || !isAlike(actualLine, firstLine, secondLine)) {
      return { line: index + 1, expected: firstLine ?? "(no line)", actual: actualLine ?? "(no line)" };
    }
  }
  return undefined;
}

const word = /[A-Za-z0-9+/=_$.]+/gu;

function isAlike(actual: string, first: string, second: string | undefined): boolean {
  if (second === undefined || first === second) return false;
  const [actualWords, firstWords, secondWords] = [actual, first, second].map(
    (line) => line.match(word) ?? [],
  );
  if (actualWords === undefined || firstWords === undefined || secondWords === undefined) return false;
  if (actual.replaceAll(word, "") !== first.replaceAll(word, "")) return false;
  if (firstWords.length !== actualWords.length || firstWords.length !== secondWords.length) return false;
  return firstWords.every((expected, index) => {
    const found = actualWords[index] ?? "";
    const again = secondWords[index] ?? "";
    if (expected === again) return found === expected;
    return (
      alphabetOf(found) <= Math.max(alphabetOf(expected), alphabetOf(again)) && hasLengthOf(found, expected)
    );
  });
}

/** The smallest of the alphabets in which random words are written, as a number: each holds the one before. */
function alphabetOf(text: string): number {
  const alphabets = [/^[0-9]*$/u, /^[0-9a-f]*$/u, /^[0-9A-Za-z]*$/u];
  // Whether base64 is padded follows from its length alone.
  const unpadded = text.replace(/={1,2}$/u, "");
  const found = alphabets.findIndex((alphabet) => alphabet.test(unpadded));
  return found === -1 ? alphabets.length : found;
}

/** Keys and certificates differ by a few bytes from one to the next, and more so in base64 of base64. */
function hasLengthOf(found: string, expected: string): boolean {
  const tolerance = expected.length > 200 ? Math.max(16, expected.length / 100) : 0;
  return Math.abs(found.length - expected.length) <= tolerance;
}
