/**
 * JSON with two-space indent and a final line end. Control and invisible characters that JSON would let
 * through stand as `\uXXXX`, so that a report may be printed on a terminal.
 */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}
