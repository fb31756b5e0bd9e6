/**
 * Makes text from outside safe to print on one terminal line: control characters, line ends,
 * bidirectional overrides and invisible format characters become visible escapes.
 */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (character) => {
      if (character === "\n") return "\\n";
      if (character === "\t") return "\\t";
      if (character === "\r") return "\\r";
      const code = character.codePointAt(0) ?? 0;
      return code < 0x100
        ? `\\x${code.toString(16).padStart(2, "0")}`
        : `\\u${code.toString(16).padStart(4, "0")}`;
    },
  );
}

/**
 * A line that CI systems cannot take for one of their commands: GitHub reads `::name::` at the start of a
 * line and `##[name]` anywhere, GitLab reads `section_start:` after an escape, which is already gone.
 */
export function escapeLine(text: string): string {
  if (!/[^ -~]|::|##/u.test(text)) return text;
  return escapeControls(text)
    .replace(/^(\s*):(?=:)/u, "$1\\x3a")
    .replace(/##(?=vso\[|\[)/gu, "#\\x23");
}

/** JSON text, its meaning unchanged, in which nothing is left that a terminal or a CI system acts on. */
export function escapeJson(json: string): string {
  return json
    .replace(
      /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
      (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    )
    .replace(/##(?=vso\[|\[)/gu, String.raw`#\u0023`);
}

/** The start of a text from outside, safe to quote in a message; what is left off shows as `…`. */
export function excerpt(text: string, maxLength = 200): string {
  return text.length <= maxLength
    ? escapeControls(text)
    : `${escapeControls(text.slice(0, maxLength).toWellFormed())}…`;
}
