import { stripVTControlCharacters } from "node:util";

let segmenter: Intl.Segmenter | undefined;

/** Scripts and blocks that terminals draw two columns wide (Unicode Annex 11, `W` and `F`). */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const invisible = /^[\p{Mark}\p{Cc}\p{Cf}]+$/u;
const plain = /^[\u0020-\u007e]*$/u;

/** The columns a text takes on a terminal; colour escapes take none. */
export function textWidth(text: string): number {
  const visible = stripVTControlCharacters(text);
  if (plain.test(visible)) return visible.length;
  let width = 0;
  for (const { segment } of graphemesOf(visible)) width += characterWidth(segment);
  return width;
}

/** The text within `width` columns: where it is longer, its middle gives way to `…`. */
export function truncateMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const characters = Array.from(graphemesOf(text), ({ segment }) => segment);
  const head = takeWithin(characters, Math.ceil((width - 1) / 2));
  const tail = takeWithin(characters.toReversed(), Math.floor((width - 1) / 2));
  return `${head.join("")}…${tail.toReversed().join("")}`;
}

/** The segmenter is made on first use: it costs a tenth of the program's start, and most texts are plain. */
function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

function takeWithin(characters: readonly string[], width: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += characterWidth(character)) > width);
  return end === -1 ? characters : characters.slice(0, end);
}

function characterWidth(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
