import { escapeControls } from "../../core/escape.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text from outside for an element or a quoted attribute of XML 1.0 or HTML: control and invisible
 * characters become visible escapes, and what XML's `Char` production (§2.2) leaves out becomes U+FFFD.
 */
export function escapeMarkup(text: string): string {
  return escapeControls(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"']/gu, (character) => entities[character] ?? character);
}
