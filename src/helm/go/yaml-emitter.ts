import { Buffer } from "node:buffer";
import type { RenderBudget } from "./context.ts";
import { madeFrom, printedFrom } from "./cover.ts";
import { maxEncodingDepth, tooDeep } from "./encoding-depth.ts";
import { plainText, TextBuilder } from "./text.ts";
import {
  GoInteger,
  GoMap,
  GoSlice,
  Tracked,
  untracked,
  type GoComposite,
  type GoValue,
  type Text,
} from "./value.ts";
import { isWellFormed } from "./well-formed.ts";
import { chooseScalarStyle, isPlainWord, lineEnd } from "./yaml-scalar-style.ts";
import { columnsOf, endsLine, writeScalar, type ScalarPlace } from "./yaml-scalar-writer.ts";

/** What the versions of go-yaml's encoder do differently. */
export interface YamlDialect {
  readonly version: 2 | 3;
  /** The column beyond which a space becomes a line end. */
  readonly width: number;
  /** How much deeper than their key the dashes of a list stand. */
  readonly listIndent: number;
  /**
   * What is written for a value: a map, a slice or a scalar.
   * @throws GoError what the encoder cannot write
   */
  readonly convert: (value: Exclude<GoValue, Tracked>) => GoValue;
  /** What is written for a string. @throws GoError what the encoder cannot write */
  readonly convertText: (text: string) => string;
  /** The keys of a map that `convert` gave, in their order. */
  readonly keysOf: (map: GoMap) => readonly string[];
  /** A float, and whatever `convert` gives that is neither a container nor another scalar. */
  readonly formatScalar: (value: number | GoComposite) => string;
}

/** A key as it is written before its colon, and the columns it takes; none for a key that needs a `?`. */
interface WrittenKey {
  readonly name: string;
  readonly columns: number;
}

/** What the emitter looks ahead for to find a key's colon. */
const maxSimpleKeyLength = 128;

/**
 * A value as go-yaml's emitter writes it, in blocks of two spaces a level, with a line end at the end.
 * @throws GoError what `convert` throws, or the error for a map that contains itself
 */
export function emitYaml(value: GoValue, dialect: YamlDialect, budget: RenderBudget): TextBuilder {
  const emitter = new YamlEmitter(value, dialect, budget);
  emitter.writeDocument();
  return emitter.out;
}

class YamlEmitter {
  readonly out: TextBuilder = new TextBuilder();
  readonly #root: GoValue;
  readonly #dialect: YamlDialect;
  readonly #budget: RenderBudget;
  readonly #keys = new Map<string, WrittenKey>();
  readonly #margins: string[] = [];
  /** Whether the last line is closed, as after a literal. */
  #atLineStart = false;

  constructor(root: GoValue, dialect: YamlDialect, budget: RenderBudget) {
    this.#root = root;
    this.#dialect = dialect;
    this.#budget = budget;
  }

  writeDocument(): void {
    this.#writeHere(this.#root, 0, 2, 0);
    if (!this.#atLineStart) this.out.append("\n");
  }

  /** Writes a value at the column where its items and keys stand, as after a dash. */
  #writeHere(value: GoValue, column: number, scalarIndent: number, depth: number): void {
    const content = this.#convert(value);
    if (content instanceof GoMap && content.entries.size > 0) this.#writeMap(content, column, true, depth);
    else if (content instanceof GoSlice && content.items.length > 0) {
      this.#writeList(content, column, true, depth);
    } else this.#writeScalar(content, value, column, scalarIndent);
  }

  /** Writes a value behind the colon of a key in a map of this indentation. */
  #writeBehindKey(value: GoValue, indent: number, column: number, depth: number): void {
    const content = this.#convert(value);
    if (content instanceof GoMap && content.entries.size > 0) {
      this.#writeMap(content, indent + 2, false, depth);
    } else if (content instanceof GoSlice && content.items.length > 0) {
      this.#writeList(content, indent + this.#dialect.listIndent, false, depth);
    } else {
      this.out.append(" ");
      this.#writeScalar(content, value, column + 1, indent + 2);
    }
  }

  #convert(value: GoValue): Exclude<GoValue, Tracked> {
    const plain = untracked(value);
    return typeof plain === "object" && plain !== null ? untracked(this.#dialect.convert(plain)) : plain;
  }

  #writeList(list: GoSlice, indent: number, startsHere: boolean, depth: number): void {
    if (depth > maxEncodingDepth) throw tooDeep(this.#root);
    let isFirst = startsHere;
    for (const item of list.items) {
      if (!isFirst) this.#startLine(indent);
      isFirst = false;
      this.#budget.spendItem();
      this.#budget.spendBytes(indent);
      this.out.append("- ");
      this.#writeHere(item, indent + 2, indent + 2, depth + 1);
    }
  }

  #writeMap(map: GoMap, indent: number, startsHere: boolean, depth: number): void {
    if (depth > maxEncodingDepth) throw tooDeep(this.#root);
    let isFirst = startsHere;
    for (const key of this.#dialect.keysOf(map)) {
      if (!isFirst) this.#startLine(indent);
      isFirst = false;
      this.#budget.spendItem();
      this.#budget.spendBytes(indent + key.length);
      const value = map.entries.get(key) ?? null;
      const written = this.#tryWriteKey(key);
      if (written === undefined) this.#writeComplexEntry(key, value, indent, depth + 1);
      else {
        this.out.append(written.name);
        this.#writeBehindKey(value, indent, indent + written.columns, depth + 1);
      }
    }
  }

  #startLine(indent: number): void {
    if (!this.#atLineStart) this.out.append("\n");
    if (indent > 0) this.out.append((this.#margins[indent] ??= " ".repeat(indent)));
    this.#atLineStart = false;
  }

  /** The key with its colon, undefined where it is too long or has several lines. */
  #tryWriteKey(text: string): WrittenKey | undefined {
    const known = this.#keys.get(text);
    if (known !== undefined) return known;
    const content = isWellFormed(text) ? text : encodeBinary(text);
    const length = content.length + (content === text ? 0 : binaryTag.length - 1);
    if (length > maxSimpleKeyLength || lineEnd.test(content)) return undefined;
    const builder = new TextBuilder();
    this.#writeText(builder, text, { ...this.#placeAt(0, 0), width: Infinity });
    builder.append(":");
    const name = plainText(builder.toText());
    const key = { name, columns: columnsOf(name) };
    this.#keys.set(text, key);
    return key;
  }

  #writeComplexEntry(key: string, value: GoValue, indent: number, depth: number): void {
    this.out.append("? ");
    this.#writeText(this.out, key, this.#placeAt(indent + 2, indent + 2));
    this.#startLine(indent);
    this.out.append(": ");
    this.#writeHere(value, indent + 2, indent + 2, depth);
  }

  #writeScalar(content: Exclude<GoValue, Tracked>, value: GoValue, column: number, indent: number): void {
    if (typeof content !== "string") {
      const text = this.#formatScalar(content);
      this.out.append(value instanceof Tracked ? printedFrom(text, value) : text);
      return;
    }
    this.#budget.spendBytes(content.length);
    const known = value instanceof Tracked && value.value === content ? (value as Tracked<string>) : content;
    if (column + content.length <= this.#dialect.width && isPlainWord(content)) {
      this.out.append(known);
      return;
    }
    const text = this.#dialect.convertText(content);
    const origin = value instanceof Tracked ? value : null;
    this.#writeText(
      this.out,
      text === content ? known : madeFrom(text, origin),
      this.#placeAt(column, indent),
    );
  }

  #placeAt(column: number, indent: number): ScalarPlace {
    return { column, indent, width: this.#dialect.width, budget: this.#budget };
  }

  #writeText(out: TextBuilder, text: Text, place: ScalarPlace): void {
    const plain = plainText(text);
    if (isWellFormed(plain)) return this.#writeStyled(out, text, false, place);
    out.append(`${binaryTag} `);
    this.#writeStyled(out, madeFrom(encodeBinary(plain), text), true, place);
  }

  #writeStyled(out: TextBuilder, text: Text, isTagged: boolean, place: ScalarPlace): void {
    const plain = plainText(text);
    const style = chooseScalarStyle(plain, this.#dialect.version, isTagged);
    writeScalar(out, text, style, place);
    this.#atLineStart = style === "literal" && endsLine(plain);
  }

  #formatScalar(content: Exclude<GoValue, Tracked | string>): string {
    if (content === null || typeof content === "boolean") return String(content);
    if (content instanceof GoInteger) return String(content.value);
    if (content instanceof GoMap) return "{}";
    return content instanceof GoSlice ? "[]" : this.#dialect.formatScalar(content);
  }
}

const binaryTag = "!!binary";
const base64LineLength = 70;

/** Base64 in lines, each with its end where there are several. */
function encodeBinary(bytes: string): string {
  const base64 = Buffer.from(bytes, "latin1").toString("base64");
  return base64.length < base64LineLength ? base64 : base64.replaceAll(/.{1,70}/g, "$&\n");
}
