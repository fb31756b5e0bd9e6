import { Buffer } from "node:buffer";
import type { RenderBudget } from "./context.ts";
import { printedFrom } from "./cover.ts";
import { maxEncodingDepth, tooDeep } from "./encoding-depth.ts";
import { escapeCharacters, escapeText, longText, type Escapes } from "./escape.ts";
import { formatJsonNumber } from "./json-number.ts";
import { plainText, TextBuilder } from "./text.ts";
import { isAscii, runeAt } from "./utf8.ts";
import {
  GoBytes,
  GoError,
  GoInteger,
  GoMap,
  GoSlice,
  GoStruct,
  Tracked,
  typeOf,
  untracked,
  type GoValue,
  type Text,
} from "./value.ts";
import { isWellFormed } from "./well-formed.ts";

export interface JsonFormat {
  /** What each level is indented by; everything stands on one line where it is empty, which is the default. */
  readonly indent?: string;
  /** Whether `<`, `>` and `&` are escaped; default: true. */
  readonly escapesHtml?: boolean;
}

/**
 * A value as encoding/json writes it: the keys of maps in the order of their bytes, those of structs as they
 * stand, bytes as base64.
 * @throws GoError for what JSON cannot hold, such as NaN or a map that contains itself
 */
export function encodeJson(value: GoValue, budget: RenderBudget, format: JsonFormat = {}): Text {
  const encoder = new JsonEncoder(value, budget, format);
  encoder.write(value, 0);
  return encoder.out.toText();
}

/** A string in quotes as encoding/json writes it, `<`, `>` and `&` escaped. */
export function quoteJson(text: string): string {
  return `"${htmlSafe.test(text) ? text : plainText(escapeString(text, true))}"`;
}

class JsonEncoder {
  readonly out: TextBuilder = new TextBuilder();
  readonly #root: GoValue;
  readonly #budget: RenderBudget;
  readonly #indent: string;
  readonly #escapesHtml: boolean;

  constructor(root: GoValue, budget: RenderBudget, { indent = "", escapesHtml = true }: JsonFormat) {
    this.#root = root;
    this.#budget = budget;
    this.#indent = indent;
    this.#escapesHtml = escapesHtml;
  }

  write(value: GoValue, depth: number): void {
    const plain = untracked(value);
    if (typeof plain === "string") this.#writeString(value as Text);
    else if (plain instanceof GoMap) this.#writeObject(plain, plain.sortedKeys(), depth);
    else if (plain instanceof GoSlice) this.#writeArray(plain, depth);
    else if (plain instanceof GoBytes) this.#writeString(encodeBase64(plain));
    else if (plain instanceof GoStruct) this.#writeStruct(plain, depth);
    else this.#writeScalar(plain, value);
  }

  #writeScalar(plain: Exclude<GoValue, Tracked>, value: GoValue): void {
    const text = formatScalar(plain);
    this.out.append(value instanceof Tracked ? printedFrom(text, value) : text);
  }

  #writeStruct(struct: GoStruct, depth: number): void {
    const value = untracked(struct.toJson());
    if (value instanceof GoMap) this.#writeObject(value, [...value.entries.keys()], depth);
    else this.write(value, depth);
  }

  #writeObject(map: GoMap, keys: readonly string[], depth: number): void {
    if (depth > maxEncodingDepth) throw tooDeep(this.#root);
    if (map.isNil) return this.out.append("null");
    this.out.append("{");
    for (const [index, key] of keys.entries()) {
      this.#startItem(index, depth + 1);
      this.#writeString(key);
      this.out.append(this.#indent === "" ? ":" : ": ");
      this.write(map.entries.get(key) ?? null, depth + 1);
    }
    this.#end("}", keys.length, depth);
  }

  #writeArray(slice: GoSlice, depth: number): void {
    if (depth > maxEncodingDepth) throw tooDeep(this.#root);
    if (slice.isNil) return this.out.append("null");
    this.out.append("[");
    for (const [index, item] of slice.items.entries()) {
      this.#startItem(index, depth + 1);
      this.write(item, depth + 1);
    }
    this.#end("]", slice.items.length, depth);
  }

  #startItem(index: number, depth: number): void {
    this.#budget.spendItem();
    this.#budget.spendBytes(depth * this.#indent.length);
    if (index > 0) this.out.append(",");
    if (this.#indent !== "") this.out.append(`\n${this.#indent.repeat(depth)}`);
  }

  #end(bracket: string, count: number, depth: number): void {
    if (this.#indent !== "" && count > 0) this.out.append(`\n${this.#indent.repeat(depth)}`);
    this.out.append(bracket);
  }

  #writeString(text: Text): void {
    const plain = plainText(text);
    this.#budget.spendBytes(plain.length + 2);
    const safe = this.#escapesHtml ? htmlSafe : rawSafe;
    this.out.append('"');
    this.out.append(safe.test(plain) ? text : this.#escape(text));
    this.out.append('"');
  }

  #escape(text: Text): Text {
    if (typeof text !== "string" || text.length < longText || !isWellFormed(text)) {
      return escapeString(text, this.#escapesHtml);
    }
    return escapeCharacters(text, this.#escapesHtml ? htmlEscapes : rawEscapes, this.#budget);
  }
}

function formatScalar(value: Exclude<GoValue, Tracked>): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return formatJsonNumber(value);
  if (value instanceof GoInteger) return String(value.value);
  throw new GoError(`json: unsupported type: ${typeOf(value)?.name}`);
}

function encodeBase64(bytes: GoBytes): string {
  return Buffer.from(bytes.text, "latin1").toString("base64");
}

const htmlSafe = /^[ !#-%'-;=?-[\]-\u007f]*$/;
const rawSafe = /^[ !#-[\]-\u007f]*$/;
/** U+2028 and U+2029 are line ends to JavaScript, and always escaped. */
const htmlSpecial = /[\u0000-\u001f"\\<>&]|\u00e2\u0080[\u00a8\u00a9]/g;
const rawSpecial = /[\u0000-\u001f"\\]|\u00e2\u0080[\u00a8\u00a9]/g;
/** A whole character, or a byte that belongs to none. */
const character =
  /[\u0000-\u007f]|[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}|[\u0080-\u00ff]/g;

function escapeString(text: Text, escapesHtml: boolean): Text {
  const special = escapesHtml ? htmlSpecial : rawSpecial;
  const plain = plainText(text);
  if (isAscii(plain) || isWellFormed(plain)) return escapeText(text, special, escapeCharacter);
  return escapeText(text, character, (part) => {
    const { code, width } = runeAt(part, 0);
    if (code === 0xfffd && width === 1) return String.raw`\ufffd`.repeat(part.length);
    return part.replaceAll(special, escapeCharacter);
  });
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', String.raw`\"`],
  ["\\", "\\\\"],
  ["\b", String.raw`\b`],
  ["\f", String.raw`\f`],
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
]);

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  return String.raw`\u${runeAt(character, 0).code.toString(16).padStart(4, "0")}`;
}

/** The same characters as {@link rawSpecial} and {@link htmlSpecial}. */
const rawEscapes: Escapes = [
  "\\",
  '"',
  ...Array.from(Array(0x20).keys(), (code) => String.fromCharCode(code)),
  "\u00e2\u0080\u00a8",
  "\u00e2\u0080\u00a9",
].map((character) => [character, escapeCharacter(character)]);
const htmlEscapes: Escapes = [
  ...rawEscapes,
  ...["<", ">", "&"].map((character) => [character, escapeCharacter(character)] as const),
];
