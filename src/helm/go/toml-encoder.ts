import { formatGoFloat } from "../../yaml/go-number.ts";
import { bytesOfItem, type RenderBudget } from "./context.ts";
import { printedFrom } from "./cover.ts";
import { formatDuration } from "./duration.ts";
import { maxEncodingDepth, tooDeep } from "./encoding-depth.ts";
import { escapeCharacters, escapeText, longText, type Escapes } from "./escape.ts";
import { concatTexts, plainText, TextBuilder } from "./text.ts";
import { formatTime } from "./time-format.ts";
import { GoTime } from "./time.ts";
import { goTypes } from "./type.ts";
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

/**
 * A value as github.com/BurntSushi/toml writes it: scalars and lists before tables, both sorted by key, two spaces
 * a level, nil left out.
 * @throws GoError what it says of values that TOML has no place for
 */
export function encodeToml(value: GoValue, budget: RenderBudget): Text {
  const encoder = new TomlEncoder(value, budget);
  encoder.write([], value);
  return encoder.out.toText();
}

/** What TOML makes of a value, undefined for nil. */
type TomlKind = "scalar" | "table" | "tables" | "array" | undefined;

/** Of lists, which have to be looked through: some hold each other again and again. */
type KnownKinds = Map<GoSlice, TomlKind>;

class TomlEncoder {
  readonly out: TextBuilder = new TextBuilder();
  readonly #root: GoValue;
  readonly #budget: RenderBudget;
  readonly #kinds: KnownKinds = new Map();

  constructor(root: GoValue, budget: RenderBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  write(key: readonly string[], value: GoValue): void {
    if (key.length > maxEncodingDepth) throw tooDeep(this.#root);
    const plain = untracked(value);
    const kind = kindOf(plain, this.#kinds);
    if (kind === undefined) return;
    if (kind === "table") this.#writeTable(key, plain);
    else if (kind === "tables" && plain instanceof GoSlice) this.#writeTables(key, plain);
    else this.#writeEntry(key, value, false);
  }

  #writeTable(key: readonly string[], table: GoValue): void {
    if (key.length === 1) this.#newline();
    if (key.length > 0) this.#writeHeading(key, "[", "]");
    this.#writeFields(key, table);
  }

  #writeHeading(key: readonly string[], open: string, close: string): void {
    const heading = `${margin(key)}${open}${key.map(formatKey).join(".")}${close}`;
    this.#budget.spendItem();
    this.#budget.spendBytes(heading.length);
    this.out.append(heading);
    this.#newline();
  }

  #writeTables(key: readonly string[], tables: GoSlice): void {
    if (key.length === 0) throw new GoError("toml: top-level values must be Go maps or structs");
    for (const table of tables.items) {
      this.#newline();
      this.#writeHeading(key, "[[", "]]");
      this.#writeFields(key, untracked(table));
    }
  }

  #writeFields(key: readonly string[], table: GoValue): void {
    const [direct, nested] = fieldsOf(table, this.#kinds);
    for (const [name, value] of [...direct, ...nested]) {
      this.#budget.spendItem();
      this.#budget.spendBytes(name.length + 2 * key.length);
      this.write([...key, name], value);
    }
  }

  #writeEntry(key: readonly string[], value: GoValue, isInline: boolean): void {
    const name = key.at(-1);
    if (name !== undefined) this.out.append(`${margin(key)}${formatKey(name)} = `);
    this.#writeElement(value, key.length);
    if (name !== undefined && !isInline) this.#newline();
  }

  #writeElement(value: GoValue, depth: number): void {
    if (depth > maxEncodingDepth) throw tooDeep(this.#root);
    const plain = untracked(value);
    if (plain instanceof GoSlice) this.#writeArray(plain.items, depth);
    else if (plain instanceof GoBytes) this.#writeBytes(plain, depth);
    else if (kindOf(plain, this.#kinds) === "table") this.#writeInlineTable(plain, depth);
    else if (typeof plain === "string") this.#writeString(value as Text);
    else {
      const text = formatScalar(plain);
      this.out.append(value instanceof Tracked ? printedFrom(text, value) : text);
    }
  }

  #writeString(text: Text): void {
    this.#budget.spendBytes(plainText(text).length);
    const isLong = typeof text === "string" && text.length >= longText;
    const escaped = isLong
      ? escapeCharacters(text, escapes, this.#budget)
      : escapeText(text, special, escapeCharacter);
    this.out.append(concatTexts(['"', escaped, '"']));
  }

  #writeBytes(bytes: GoBytes, depth: number): void {
    this.#budget.spendBytes(bytesOfItem * bytes.text.length);
    this.#writeArray(octetsOf(bytes), depth);
  }

  #writeArray(items: readonly GoValue[], depth: number): void {
    this.out.append("[");
    for (const [index, item] of items.entries()) {
      this.#budget.spendItem();
      if (index > 0) this.out.append(", ");
      this.#writeElement(item, depth + 1);
    }
    this.out.append("]");
  }

  /** A field that is nil leaves the comma of the one before it, as in Go. */
  #writeInlineTable(table: GoValue, depth: number): void {
    this.out.append("{");
    const [direct, nested] = fieldsOf(table, this.#kinds);
    const fields = [...direct, ...nested];
    for (const [index, [name, value]] of fields.entries()) {
      const plain = untracked(value);
      this.#budget.spendItem();
      if (kindOf(plain, this.#kinds) === undefined) continue;
      this.out.append(`${formatKey(name)} = `);
      this.#writeElement(value, depth + 1);
      if (index < fields.length - 1) this.out.append(", ");
    }
    this.out.append("}");
  }

  #newline(): void {
    if (this.out.length > 0) this.out.append("\n");
  }
}

function margin(key: readonly string[]): string {
  return "  ".repeat(key.length - 1);
}

type Field = readonly [name: string, value: GoValue];

/** The fields of a table, with those apart that are tables themselves; a struct's stay in their order. */
function fieldsOf(
  table: GoValue,
  known: KnownKinds,
): readonly [direct: readonly Field[], nested: readonly Field[]] {
  const fields: readonly Field[] =
    table instanceof GoMap
      ? table.sortedKeys().map((key) => [key, table.entries.get(key) ?? null])
      : table instanceof GoStruct
        ? [...table.fields]
        : [];
  const isTable = ([, value]: Field): boolean => {
    const kind = kindOf(untracked(value), known);
    return kind === "table" || kind === "tables";
  };
  return [fields.filter((field) => !isTable(field)), fields.filter(isTable)];
}

/** @throws GoError for lists that hold nil, and for what TOML has no place for */
function kindOf(value: Exclude<GoValue, Tracked>, known: KnownKinds): TomlKind {
  if (value === null) return undefined;
  if (value instanceof GoMap) return value.isNil ? undefined : "table";
  if (value instanceof GoSlice) return value.isNil ? undefined : kindOfArray(value, known);
  if (value instanceof GoBytes) return "array";
  if (value instanceof GoStruct && !(value instanceof GoTime)) return "table";
  const type = typeOf(value);
  if (type?.kind === "complex128") throw new GoError(`unsupported type: ${type.name}`);
  return "scalar";
}

function kindOfArray(array: GoSlice, known: KnownKinds): TomlKind {
  const before = known.get(array);
  if (before !== undefined) return before;
  const kinds = array.items.map((item) => {
    const kind = kindOf(untracked(item), known);
    if (kind === undefined) throw new GoError("toml: cannot encode array with nil element");
    return kind;
  });
  const kind = kinds.length > 0 && kinds.every((each) => each === "table") ? "tables" : "array";
  known.set(array, kind);
  return kind;
}

function octetsOf(bytes: GoBytes): GoInteger[] {
  return Array.from(bytes.text, (byte) => new GoInteger(BigInt(byte.charCodeAt(0)), goTypes.uint8));
}

function formatScalar(value: Exclude<GoValue, Tracked | string>): string {
  if (typeof value === "number") return formatTomlFloat(value);
  if (value instanceof GoTime) return formatTime(value.instant, "2006-01-02T15:04:05.999999999Z07:00");
  if (!(value instanceof GoInteger)) return value === true ? "true" : "false";
  const isDuration = value.type.name === goTypes.duration.name;
  return isDuration ? `"${formatDuration(value.value)}"` : String(value.value);
}

function formatTomlFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const text = formatGoFloat(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function formatKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : `"${key.replaceAll(special, escapeCharacter)}"`;
}

const special = /[\u0000-\u001f"\\\u007f]/g;
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', String.raw`\"`],
  ["\\", "\\\\"],
  ["\b", String.raw`\b`],
  ["\t", String.raw`\t`],
  ["\n", String.raw`\n`],
  ["\f", String.raw`\f`],
  ["\r", String.raw`\r`],
]);

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  return short ?? String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The same characters as {@link special}. */
const escapes: Escapes = [
  "\\",
  '"',
  ...Array.from(Array(0x20).keys(), (code) => String.fromCharCode(code)),
  "\u007f",
].map((character) => [character, escapeCharacter(character)]);
