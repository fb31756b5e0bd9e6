import { escapeText } from "../go/escape.ts";
import { isPrintable } from "../go/printable.ts";
import { runes } from "../go/utf8.ts";
import type { Text } from "../go/value.ts";

const htmlEscapes: ReadonlyMap<string, string> = new Map([
  // U+FFFD as bytes.
  ["\u0000", "\u00ef\u00bf\u00bd"],
  ['"', "&#34;"],
  ["'", "&#39;"],
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);

/** The text with escapes for HTML (text/template's HTMLEscapeString). */
export function escapeHtml(text: Text): Text {
  return escapeText(text, /[\u0000"'&<>]/gu, (character) => htmlEscapes.get(character) ?? character);
}

/** The text with escapes for JavaScript (text/template's JSEscapeString). */
export function escapeJavaScript(text: Text): Text {
  return escapeText(text, /[\u0000-\u001f\\'"<>&=]|[\u0080-\u00ff]+/gu, escapeForJavaScript);
}

function escapeForJavaScript(part: string): string {
  if ("\\'\"".includes(part)) return `\\${part}`;
  let escaped = "";
  for (const { code, offset, width } of runes(part)) {
    const isKept = code >= 0x80 && isPrintable(code);
    escaped += isKept ? part.slice(offset, offset + width) : `\\u${hexadecimal(code).padStart(4, "0")}`;
  }
  return escaped;
}

/** The text as it can stand in the query of a URL (net/url's QueryEscape). */
export function escapeQuery(text: Text): Text {
  return escapeText(text, /[^A-Za-z0-9\-_.~]/gu, (character) =>
    character === " " ? "+" : `%${hexadecimal(character.charCodeAt(0)).padStart(2, "0")}`,
  );
}

function hexadecimal(code: number): string {
  return code.toString(16).toUpperCase();
}
