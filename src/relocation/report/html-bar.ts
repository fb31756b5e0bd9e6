import { type Markup, markup } from "./html-template.ts";

export interface BarPart {
  readonly className: string;
  readonly count: number;
}

/**
 * A bar of parts in proportion, as SVG: its widths are attributes, so the page's policy can forbid inline
 * styles. It repeats what the text beside it says and is hidden from screen readers.
 */
export function formatBar(parts: readonly BarPart[]): Markup {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  let start = 0;
  const rectangles = parts
    .filter((part) => part.count > 0)
    .map((part) => {
      const width = (100 * part.count) / total;
      const rectangle = markup`<rect
        class="${part.className}"
        x="${start.toFixed(2)}"
        width="${width.toFixed(2)}"
        height="1"
      />`;
      start += width;
      return rectangle;
    });
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${rectangles}
  </svg>`;
}
