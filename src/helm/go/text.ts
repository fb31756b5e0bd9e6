import { sliceSpans, unionOfSources, type Source, type Span } from "../provenance/span.ts";
import { runes } from "./utf8.ts";
import { GoInteger, GoMap, GoSlice, Tracked, type GoScalar, type GoValue, type Text } from "./value.ts";

/** The bytes of a text. */
export function plainText(text: Text): string {
  return typeof text === "string" ? text : text.value;
}

/** A part of a text with its spans; like `String.prototype.slice`, but without negative positions. */
export function sliceText(text: Text, start: number, end: number = plainText(text).length): Text {
  if (typeof text === "string") return text.slice(start, end);
  const spans = sliceSpans(text.spans, start, end);
  const value = text.value.slice(start, end);
  return spans.length === 0 ? value : new Tracked(value, spans);
}

/** The texts one after another. */
export function concatTexts(parts: readonly Text[]): Text {
  const builder = new TextBuilder();
  for (const part of parts) builder.append(part);
  return builder.toText();
}

/** The texts with another between each two. */
export function joinTexts(parts: readonly Text[], separator: Text): Text {
  const builder = new TextBuilder();
  for (const [index, part] of parts.entries()) {
    if (index > 0) builder.append(separator);
    builder.append(part);
  }
  return builder.toText();
}

/**
 * Replaces what stands in the text, from the left, without overlaps (Go's strings.Replace).
 * @param limit how many at most; default: all
 */
export function replaceInText(text: Text, search: string, replacement: Text, limit: number = Infinity): Text {
  if (search === "") return replaceEmpty(text, replacement, limit);
  if (typeof text === "string" && typeof replacement === "string" && limit === Infinity) {
    return replacePlain(text, search, replacement);
  }
  const plain = plainText(text);
  const builder = new TextBuilder();
  let position = 0;
  for (let count = 0; count < limit; count++) {
    const found = plain.indexOf(search, position);
    if (found === -1) break;
    builder.append(sliceText(text, position, found));
    builder.append(replacement);
    position = found + search.length;
  }
  if (position === 0) return text;
  builder.append(sliceText(text, position));
  return builder.toText();
}

/** So many pieces are joined at once: of each that is appended by itself, V8 keeps a node until the text is read. */
const piecesJoined = 10_000;

/** Replaces all that stands in a text without spans. @param search not empty */
export function replacePlain(text: string, search: string, replacement: string): string {
  if (text.length < piecesJoined) return text.replaceAll(search, () => replacement);
  let replaced = "";
  let pieces: string[] = [];
  let position = 0;
  for (let found = text.indexOf(search); found !== -1; found = text.indexOf(search, position)) {
    pieces.push(text.slice(position, found));
    position = found + search.length;
    if (pieces.length < piecesJoined) continue;
    replaced += pieces.join(replacement) + replacement;
    pieces = [];
  }
  if (position === 0) return text;
  pieces.push(text.slice(position));
  return replaced + pieces.join(replacement);
}

/** Go puts the replacement before each rune and at the end. */
function replaceEmpty(text: Text, replacement: Text, limit: number): Text {
  const builder = new TextBuilder();
  let count = 0;
  for (const { offset, width } of runes(plainText(text))) {
    if (count < limit) builder.append(replacement);
    count += 1;
    builder.append(sliceText(text, offset, offset + width));
  }
  if (count < limit) builder.append(replacement);
  return builder.toText();
}

/** The parts between the separators, with their spans. @param separator not empty */
export function splitText(text: Text, separator: string, limit: number = Infinity): Text[] {
  const plain = plainText(text);
  const parts: Text[] = [];
  let position = 0;
  while (parts.length + 1 < limit) {
    const found = plain.indexOf(separator, position);
    if (found === -1) break;
    parts.push(sliceText(text, position, found));
    position = found + separator.length;
  }
  parts.push(sliceText(text, position));
  return parts;
}

/** More than any file of a chart has; each takes up about a hundred bytes. */
const mostSpans = 100_000;

/** Puts a text together from pieces and keeps their spans. */
export class TextBuilder {
  #text = "";
  #spans: Span[] | undefined;

  get length(): number {
    return this.#text.length;
  }

  append(piece: Text): void {
    if (typeof piece === "string") {
      this.#text += piece;
      return;
    }
    this.#spans ??= [];
    const base = this.#text.length;
    for (const { start, end, source, offset } of piece.spans) {
      this.#push({ start: base + start, end: base + end, source, offset });
    }
    this.#text += piece.value;
  }

  /** Appends text all of which comes from one source. */
  appendFrom(piece: string, source: Source, offset = 0): void {
    if (piece === "") return;
    const start = this.#text.length;
    this.#spans ??= [];
    this.#push({ start, end: start + piece.length, source, offset });
    this.#text += piece;
  }

  toText(): Text {
    return this.#spans === undefined || this.#spans.length === 0
      ? this.#text
      : new Tracked(this.#text, this.#spans);
  }

  /** Adjacent pieces of one source become one span again. */
  #push(span: Span): void {
    if (span.start === span.end) return;
    const spans = this.#spans ?? [];
    const last = spans.at(-1);
    const continues =
      last !== undefined &&
      last.end === span.start &&
      last.source === span.source &&
      (!span.source.exact || last.offset + last.end - last.start === span.offset);
    if (continues) spans[spans.length - 1] = { ...last, end: span.end };
    else spans.push(span);
    if (spans.length > mostSpans) this.#forgetPlaces(spans);
  }

  /** Of a text of too many pieces only what they come from is known. */
  #forgetPlaces(spans: readonly Span[]): void {
    const source = unionOfSources(new Set(spans.map((span) => span.source)));
    const end = spans.at(-1)?.end ?? 0;
    this.#spans = source === undefined ? [] : [{ start: 0, end, source, offset: 0 }];
  }
}

/** A scalar all of which comes from one source. */
export function trackedFrom(value: GoScalar, source: Source): Tracked {
  const end = typeof value === "string" ? value.length : 0;
  return new Tracked(value, [{ start: 0, end, source, offset: 0 }]);
}

/** The value with what it was made from, where something is known: for scalars that carry no spans yet. */
export function derivedFrom(value: GoValue, inputs: readonly GoValue[]): GoValue {
  // Only scalars are tracked.
  if (typeof value === "object" && value !== null && !(value instanceof GoInteger)) return value;
  const source = sourceOf(inputs);
  return source === undefined ? value : trackedFrom(value, source);
}

/** Of more maps and lists each is looked at once: templates can share them so that there is no end to it. */
const visitsUnnoted = 2000;

/** The union of everything that the values come from, inside maps and slices too. */
export function sourceOf(values: readonly GoValue[]): Source | undefined {
  const sources = new Set<Source>();
  const visited = new Set<GoValue>();
  let count = 0;
  const visit = (value: GoValue): void => {
    if (value instanceof Tracked) for (const span of value.spans) sources.add(span.source);
    else if (value instanceof GoSlice || value instanceof GoMap) {
      count += 1;
      if (count > visitsUnnoted) {
        if (visited.has(value)) return;
        visited.add(value);
      }
      for (const item of value instanceof GoSlice ? value.items : value.entries.values()) visit(item);
    }
  };
  values.forEach(visit);
  return unionOfSources(sources);
}
