/** A piece of a Go layout: literal text, then the element that stands for a part of the time. */
export interface LayoutPiece {
  readonly prefix: string;
  /** As the reference time has it, such as `Jan` or `Z07:00`; a fraction such as `.000`; empty at the end. */
  readonly element: string;
}

/** In Go's order: the first that fits at a place is taken. */
const elements =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|0[1-6]|002|15|1|2006|2|_2(?!006)|__2|[345]|PM|pm|[-Z]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)/g;

/** The pieces of a layout; the last has no element. */
export function parseLayout(layout: string): LayoutPiece[] {
  const pieces: LayoutPiece[] = [];
  let position = 0;
  for (const match of layout.matchAll(elements)) {
    pieces.push({ prefix: layout.slice(position, match.index), element: match[0] });
    position = match.index + match[0].length;
  }
  pieces.push({ prefix: layout.slice(position), element: "" });
  return pieces;
}

/** Whether an element is a fraction of a second, such as `.000` or `,999`. */
export function isFraction(element: string): boolean {
  return element.startsWith(".") || element.startsWith(",");
}

/** Whether an element is an offset, such as `-0700` or `Z07:00`. */
export function isOffset(element: string): boolean {
  return element.startsWith("-") || element.startsWith("Z");
}
