/** How a target counts the length of a text. */
export type LengthUnit = "code points" | "utf-16" | "bytes";

const sizes: Readonly<Record<LengthUnit, (character: string) => number>> = {
  "code points": () => 1,
  "utf-16": (character) => character.length,
  bytes: (character) => Buffer.byteLength(character),
};

/** The length of a text as a target counts it. */
export function lengthOf(text: string, unit: LengthUnit): number {
  if (unit === "utf-16") return text.length;
  return unit === "bytes" ? Buffer.byteLength(text) : Array.from(text).length;
}

/** A text of at most `limit`, cut between two code points; what is cut off shows as `…`. */
export function truncate(text: string, limit: number, unit: LengthUnit = "code points"): string {
  // No text is longer in code points or UTF-16 than in bytes.
  if (Buffer.byteLength(text) <= limit) return text;
  const sizeOf = sizes[unit];
  const ellipsis = sizeOf("…");
  let length = 0;
  let cut = 0;
  let index = 0;
  for (const character of text) {
    length += sizeOf(character);
    if (length > limit) return `${text.slice(0, cut)}…`;
    index += character.length;
    if (length <= limit - ellipsis) cut = index;
  }
  return text;
}
