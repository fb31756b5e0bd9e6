import { escapeMarkup } from "./markup.ts";

/** HTML that is safe to insert as it is. Only {@link markup}, {@link lines} and {@link trusted} make it. */
export interface Markup {
  readonly html: string;
}

export type MarkupPart = string | number | Markup | undefined | readonly MarkupPart[];

/**
 * A template tag for HTML: text and numbers are escaped, lists are joined, undefined is nothing. The
 * indentation of the template itself is left out.
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const text = strings.map((literal, index) => literal.replace(/\n\s*/gu, "\n") + formatPart(parts[index]));
  return { html: text.join("") };
}

/** Text of our own that is HTML, CSS or a script already. */
export function trusted(text: string): Markup {
  return { html: text };
}

/** Text of several lines for a `pre` element: each line is escaped, the line ends stay. */
export function lines(text: string): Markup {
  return { html: text.split("\n").map(escapeMarkup).join("\n") };
}

function formatPart(part: MarkupPart): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeMarkup(part);
  if (typeof part === "number") return part.toLocaleString("en");
  return "html" in part ? part.html : part.map(formatPart).join("");
}
