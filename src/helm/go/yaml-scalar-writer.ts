import type { RenderBudget } from "./context.ts";
import { escapeText } from "./escape.ts";
import { plainText, sliceText, TextBuilder } from "./text.ts";
import { isAscii, runeAt } from "./utf8.ts";
import type { Text } from "./value.ts";
import { lineEnd, type ScalarStyle } from "./yaml-scalar-style.ts";

/** Where a scalar is written. */
export interface ScalarPlace {
  /** The column of its first character. */
  readonly column: number;
  /** The column at which its further lines begin. */
  readonly indent: number;
  /** The column beyond which a space becomes a line end. */
  readonly width: number;
  readonly budget: RenderBudget;
}

/**
 * Writes a string in a style that {@link chooseScalarStyle} allows, with its spans.
 * @throws FairleadError `limit-exceeded`
 */
export function writeScalar(out: TextBuilder, text: Text, style: ScalarStyle, place: ScalarPlace): void {
  switch (style) {
    case "plain":
      writeFolded(out, text, "", place);
      break;
    case "single-quoted":
      out.append("'");
      writeFolded(out, text, "'", { ...place, column: place.column + 1 });
      out.append("'");
      break;
    case "double-quoted":
      out.append('"');
      writeFolded(out, text, '"', { ...place, column: place.column + 1 });
      out.append('"');
      break;
    case "literal":
      writeLiteral(out, text, place);
      break;
  }
}

type Quote = "" | "'" | '"';

/** A plain scalar has nothing to escape, and no line end. */
const needsEscape: Readonly<Record<Quote, RegExp>> = {
  "": /(?!)/,
  "'": new RegExp(`'|${lineEnd.source}`),
  '"': /[^ !#-[\]-~]/,
};

/** Appends all at once where nothing is escaped and no line is too long. */
function writeFolded(out: TextBuilder, text: Text, quote: Quote, place: ScalarPlace): void {
  const plain = plainText(text);
  const isVerbatim = !needsEscape[quote].test(plain);
  const fits = place.column + plain.length <= place.width || !plain.includes(" ");
  if (isVerbatim && fits) out.append(text);
  else new ScalarFolder(out, text, quote, place).write();
}

/** The parts of a scalar that are not simply copied. */
const stops: Readonly<Record<Quote, RegExp>> = {
  "": / /g,
  "'": new RegExp(` |'|${lineEnd.source}`, "g"),
  '"': / |["\\\u0000-\u001f\u007f]|\u00c2[\u0080-\u009f]|\u00e2\u0080[\u00a8\u00a9]|\u00ef\u00bb\u00bf|\u00ef\u00bf[\u00be\u00bf]|[\u00f0-\u00f4][\u0080-\u00bf]{3}/g,
};
/** go-yaml looks for a byte order mark at the beginning only, and then escapes every character. */
const everything = /[\u0000-\u007f]|[\u00c0-\u00ff][\u0080-\u00bf]+/g;
const byteOrderMark = "\u00ef\u00bb\u00bf";

/** Writes a scalar piece by piece: line ends in place of spaces beyond the width, and escapes. */
class ScalarFolder {
  readonly #out: TextBuilder;
  readonly #text: Text;
  readonly #plain: string;
  readonly #quote: Quote;
  readonly #place: ScalarPlace;
  #column: number;
  #afterSpace = false;
  #afterLineEnd = false;

  constructor(out: TextBuilder, text: Text, quote: Quote, place: ScalarPlace) {
    this.#out = out;
    this.#text = text;
    this.#plain = plainText(text);
    this.#quote = quote;
    this.#place = place;
    this.#column = place.column;
  }

  write(): void {
    const escapesAll = this.#quote === '"' && this.#plain.startsWith(byteOrderMark);
    const pattern = escapesAll ? everything : stops[this.#quote];
    let position = 0;
    for (const { 0: stop, index } of this.#plain.matchAll(pattern)) {
      this.#place.budget.spendItem();
      this.#copy(position, index);
      position = index + stop.length;
      if (stop === " " && !escapesAll) this.#writeSpace(index);
      else if (this.#quote === "'" && stop === "'") this.#writeEscaped(index, position, "''");
      else if (this.#quote === '"') this.#writeEscaped(index, position, escapeCharacter(stop));
      else this.#writeLineEnd(index, position);
    }
    this.#copy(position, this.#plain.length);
  }

  #copy(start: number, end: number): void {
    if (start === end) return;
    this.#indentLine();
    this.#out.append(sliceText(this.#text, start, end));
    this.#column += columnsOf(this.#plain.slice(start, end));
    this.#afterSpace = false;
  }

  #writeEscaped(start: number, end: number, escaped: string): void {
    this.#indentLine();
    this.#out.append(escapeText(sliceText(this.#text, start, end), /^[^]+$/g, () => escaped));
    this.#column += escaped.length;
    this.#afterSpace = false;
  }

  #writeSpace(index: number): void {
    if (this.#canFoldAt(index)) {
      this.#startLine();
      if (this.#quote === '"' && this.#plain.charCodeAt(index + 1) === 0x20) {
        this.#out.append("\\");
        this.#column += 1;
      }
    } else {
      this.#out.append(sliceText(this.#text, index, index + 1));
      this.#column += 1;
    }
    this.#afterSpace = true;
  }

  #canFoldAt(index: number): boolean {
    if (this.#afterSpace || this.#column <= this.#place.width) return false;
    const isInside = index > 0 && index < this.#plain.length - 1;
    return isInside && (this.#quote === '"' || this.#plain.charCodeAt(index + 1) !== 0x20);
  }

  #startLine(): void {
    this.#place.budget.spendBytes(this.#place.indent);
    this.#out.append(`\n${" ".repeat(this.#place.indent)}`);
    this.#column = this.#place.indent;
  }

  /** A line end that is no line feed, as it is: what follows it is indented. */
  #writeLineEnd(start: number, end: number): void {
    this.#out.append(sliceText(this.#text, start, end));
    this.#column = 0;
    this.#afterLineEnd = true;
  }

  #indentLine(): void {
    if (!this.#afterLineEnd) return;
    this.#out.append(" ".repeat(this.#place.indent));
    this.#column = this.#place.indent;
    this.#afterLineEnd = false;
  }
}

/** Characters in UTF-8. */
export function columnsOf(text: string): number {
  return isAscii(text) ? text.length : text.replaceAll(/[\u0080-\u00bf]/g, "").length;
}

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [0x00, "0"],
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x1b, "e"],
  [0x22, '"'],
  [0x5c, "\\"],
  [0x85, "N"],
  [0xa0, "_"],
  [0x2028, "L"],
  [0x2029, "P"],
]);

function escapeCharacter(character: string): string {
  const { code } = runeAt(character, 0);
  const short = shortEscapes.get(code);
  if (short !== undefined) return `\\${short}`;
  const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(digits, "0")}`;
}

/** Writes lines that are not empty behind their indentation; ends where the text ends. */
function writeLiteral(out: TextBuilder, text: Text, { indent, budget }: ScalarPlace): void {
  const plain = plainText(text);
  out.append(literalHeader(plain));
  const margin = " ".repeat(indent);
  let position = 0;
  for (const { 0: end, index } of plain.matchAll(literalLineEnd)) {
    budget.spendItem();
    if (index > position) {
      budget.spendBytes(indent);
      out.append(margin);
      out.append(sliceText(text, position, index));
    }
    position = index + end.length;
    out.append(end);
  }
  if (position < plain.length) {
    out.append(margin);
    out.append(sliceText(text, position));
  }
}

const literalLineEnd = /\n|\u00e2\u0080[\u00a8\u00a9]/g;

/** Whether text written as a literal ends at the beginning of a line. */
export function endsLine(text: string): boolean {
  return text.endsWith("\n") || endsWithSeparator(text);
}

/** With a line or paragraph separator, which is a line end of three bytes. */
function endsWithSeparator(text: string): boolean {
  return text.endsWith("\u00e2\u0080\u00a8") || text.endsWith("\u00e2\u0080\u00a9");
}

/** `|` with the indentation where the first line does not show it, and what happens to line ends at the end. */
function literalHeader(text: string): string {
  const hint = /^(?: |\n|\u00e2\u0080[\u00a8\u00a9])/.test(text) ? "2" : "";
  if (!endsLine(text)) return `|${hint}-\n`;
  const rest = text.slice(0, endsWithSeparator(text) ? -3 : -1);
  return rest === "" || endsLine(rest) ? `|${hint}+\n` : `|${hint}\n`;
}
