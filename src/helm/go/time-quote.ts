/** A text in the quotes of the errors of Go's package time: bytes outside of ASCII and control characters as \xNN. */
export function quoteForTime(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/gu, (character) => `\\${character}`)
    .replaceAll(
      /[^ -\u007f]/gu,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  return `"${escaped}"`;
}
