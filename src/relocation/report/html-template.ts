import { escapeMarkup } from "./markup.ts";

/** HTML that is safe to insert as it is. Only {@link html} and {@link trusted} make it. */
export interface Html {
  readonly html: string;
}

export type HtmlPart = string | number | Html | undefined | readonly HtmlPart[];

/** A template tag: text and numbers are escaped, lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const text = strings.map((literal, index) =>
    index < parts.length ? literal + formatPart(parts[index]) : literal,
  );
  return { html: text.join("") };
}

/** Text of our own that is HTML, CSS or a script already. */
export function trusted(text: string): Html {
  return { html: text };
}

/** Text of several lines for a `pre` element: each line is escaped, the line ends stay. */
export function lines(text: string): Html {
  return { html: text.split("\n").map(escapeMarkup).join("\n") };
}

function formatPart(part: HtmlPart): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeMarkup(part);
  if (typeof part === "number") return part.toLocaleString("en");
  return "html" in part ? part.html : part.map(formatPart).join("");
}
