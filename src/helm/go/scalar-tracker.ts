import type { ScalarRange } from "../../yaml/records.ts";
import { sliceSpans, unionOfSources, type Source, type Span } from "../provenance/span.ts";
import { sliceText, TextBuilder } from "./text.ts";
import { Tracked, type GoScalar } from "./value.ts";

/** Finds out where the scalars of a YAML or JSON text come from, by where they stand in it. */
export class ScalarTracker {
  readonly #text: Tracked<string>;
  readonly #plain: string;
  readonly #byteOffsets: Uint32Array | undefined;

  /** @param decoded the text, of which the ranges tell UTF-16 units */
  constructor(text: Tracked<string>, decoded: string) {
    this.#text = text;
    this.#plain = text.value;
    this.#byteOffsets = decoded.length === text.value.length ? undefined : countBytes(decoded);
  }

  /**
   * The scalar with its spans: those of the text where it stands there as it is, those of its lines where it is
   * a literal, and else the union of all that the range comes from.
   */
  track(value: GoScalar, range: ScalarRange): GoScalar | Tracked {
    const start = this.#toBytes(range.start);
    const end = this.#toBytes(range.end);
    const written = this.#plain.slice(start, end).trimEnd();
    const spans = sliceSpans(this.#text.spans, start, start + written.length);
    if (spans.length === 0) return value;
    if (typeof value !== "string") return this.#trackWhole(value, spans, written.length);
    const quote = /^["']/.exec(written)?.[0] ?? "";
    if (written === quote + value + quote) return this.#trackVerbatim(value, start + quote.length);
    const literal = written.startsWith("|") ? this.#tryTrackLines(value, start, end) : undefined;
    return literal ?? trackDerived(value, spans);
  }

  #toBytes(offset: number): number {
    return this.#byteOffsets === undefined ? offset : (this.#byteOffsets[offset] ?? this.#plain.length);
  }

  #trackVerbatim(value: string, start: number): string | Tracked {
    return sliceText(this.#text, start, start + value.length);
  }

  /** A number, bool or nil: its source is exact only if one span covers all of it. */
  #trackWhole(value: GoScalar, spans: readonly Span[], length: number): GoScalar | Tracked {
    const [only] = spans;
    const isCovered = only !== undefined && only.start === 0 && only.end === length;
    if (!isCovered) return trackDerived(value, spans);
    return new Tracked(value, [{ start: 0, end: 0, source: only.source, offset: only.offset }]);
  }

  /** The lines of a literal, each of which ends with what its line of the value is. */
  #tryTrackLines(value: string, start: number, end: number): string | Tracked | undefined {
    const builder = new TextBuilder();
    let position = this.#plain.indexOf("\n", start) + 1;
    const lines = value.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) builder.append("\n");
      if (line === "" && index === lines.length - 1) break;
      const found = this.#plain.indexOf("\n", position);
      const lineEnd = found === -1 || found > end ? end : found;
      if (!this.#plain.slice(position, lineEnd).endsWith(line)) return undefined;
      builder.append(sliceText(this.#text, lineEnd - line.length, lineEnd));
      position = lineEnd + 1;
    }
    return builder.toText();
  }
}

function trackDerived(value: GoScalar, spans: readonly Span[]): GoScalar | Tracked {
  const source: Source | undefined = unionOfSources(spans.map((span) => span.source));
  if (source === undefined) return value;
  const end = typeof value === "string" ? value.length : 0;
  return new Tracked(value, [{ start: 0, end, source, offset: 0 }]);
}

/** The offset in UTF-8 of each UTF-16 unit, and of the end. */
function countBytes(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1);
  let offset = 0;
  for (let index = 0; index < text.length; index++) {
    offsets[index] = offset;
    const code = text.charCodeAt(index);
    // Each half of a surrogate pair has two of its character's four bytes.
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    offset += code < 0x80 ? 1 : code < 0x800 || isSurrogate ? 2 : 3;
  }
  offsets[text.length] = offset;
  return offsets;
}
