/** One `*`-pattern against one text, in at most `pattern × text` steps: `*` is any run of characters. */
export function matchesGlob(pattern: string, text: string): boolean {
  let patternIndex = 0;
  let textIndex = 0;
  let star = -1;
  let resume = 0;
  while (textIndex < text.length) {
    if (pattern[patternIndex] === "*") {
      star = patternIndex++;
      resume = textIndex;
    } else if (pattern[patternIndex] === text[textIndex]) {
      patternIndex++;
      textIndex++;
    } else if (star >= 0) {
      // The last star takes one character more; an earlier one cannot do better.
      patternIndex = star + 1;
      textIndex = ++resume;
    } else return false;
  }
  while (pattern[patternIndex] === "*") patternIndex++;
  return patternIndex === pattern.length;
}
