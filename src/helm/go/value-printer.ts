import { FairleadError } from "../../core/error.ts";
import { bytesOfItem, type RenderBudget } from "./context.ts";
import { madeFrom, printedFrom } from "./cover.ts";
import { isPlain, padsWithZeros, plainDirective, type Directive } from "./directive.ts";
import { formatFloatVerb, formatInteger } from "./format-number.ts";
import { formatPointer } from "./format-pointer.ts";
import { formatString } from "./format-string.ts";
import { printScalar, textOf } from "./scalar-text.ts";
import { plainText, TextBuilder } from "./text.ts";
import { goTypes, type GoType } from "./type.ts";
import { isAscii, runes } from "./utf8.ts";
import {
  GoBytes,
  GoComplex,
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

type Plain = Exclude<GoValue, Tracked>;

/** Deeper than any chart goes, and safe to walk recursively; Go itself crashes where it runs out of stack. */
const maxDepth = 500;
const { bytes: byteSliceType, uint8: byteType } = goTypes;
const byteVerbs = new Set(["s", "q", "x", "X"]);
const textVerbs = new Set(["v", "s", "x", "X", "q"]);

/** Writes values as the verbs of fmt do. */
export class ValuePrinter {
  readonly #output = new TextBuilder();
  readonly #budget: RenderBudget;
  #directive = plainDirective;
  /** A value under a verb that is not for it is shown as it is in memory. */
  #showsMemory = false;

  constructor(budget: RenderBudget) {
    this.#budget = budget;
  }

  /** What has been written. */
  toText(): Text {
    return this.#output.toText();
  }

  /** @throws FairleadError `limit-exceeded` */
  write(text: Text): void {
    this.#budget.spendBytes(plainText(text).length);
    this.#output.append(text);
  }

  /**
   * Writes a value as an operand of Printf.
   * @throws FairleadError `limit-exceeded`
   */
  print(value: GoValue, verb = "v", directive: Directive = plainDirective): void {
    this.#directive = directive;
    this.#argument(value, verb);
  }

  /** Writes a value as the action of a template does, which prints what a pointer points to. */
  printPointed(value: GoValue): void {
    const pointerText = value instanceof GoStruct ? value.pointerText() : undefined;
    const isPointer = value instanceof GoStruct && value.type.kind === "ptr" && value.text() === undefined;
    if (pointerText !== undefined) this.write(pointerText);
    else if (isPointer) this.#fields(value, "v", "{", 0);
    else this.print(value);
  }

  #argument(value: GoValue, verb: string): void {
    const plain = untracked(value);
    if (plain === null) {
      if (verb === "T" || verb === "v") this.#pad(nilText(value));
      else this.#badVerb(value, verb);
    } else if (verb === "T") {
      this.#pad(formatString(typeName(plain), "s", this.#directive, this.#budget) ?? "");
    } else if (verb === "p") {
      this.#pointer(plain, verb);
    } else if (plain instanceof GoBytes) {
      this.#bytes(plain, verb, "[]byte");
    } else {
      this.#value(value, verb, 0);
    }
  }

  /** Writes what stands in a map, slice or struct. */
  #element(value: GoValue, verb: string, depth: number, type: GoType | undefined): void {
    const plain = untracked(value);
    if (plain === null) {
      this.write(this.#directive.sharpV ? `${type?.name ?? "interface {}"}(nil)` : nilText(value));
    } else if (plain instanceof GoBytes) {
      this.#bytes(plain, verb, byteSliceType.name);
    } else {
      this.#value(value, verb, depth);
    }
  }

  #value(value: GoValue, verb: string, depth: number): void {
    const plain = untracked(value);
    if (typeof plain === "string") return this.#string(value as Text, verb);
    if (typeof plain === "boolean") {
      return verb === "t" || verb === "v"
        ? this.#scalar(value, String(plain), true)
        : this.#badVerb(value, verb);
    }
    if (typeof plain === "number") {
      const text = formatFloatVerb(plain, verb, this.#directive);
      return text === undefined ? this.#badVerb(value, verb) : this.#scalar(value, text, false);
    }
    if (this.#method(value, plain, verb)) return;
    if (plain instanceof GoInteger) this.#integer(value, plain, verb);
    else if (plain instanceof GoComplex) this.#complex(plain, verb);
    else if (depth > maxDepth) throw tooDeep();
    else if (plain instanceof GoSlice) this.#slice(plain, verb, depth + 1);
    else if (plain instanceof GoMap) this.#map(plain, verb, depth + 1);
    else if (plain instanceof GoStruct) this.#struct(plain, verb, depth);
  }

  /** `String()` of the types that have it. */
  #method(value: GoValue, plain: Plain, verb: string): boolean {
    if (this.#showsMemory) return false;
    if (verb === "w") {
      this.#badVerb(value, verb);
      return true;
    }
    const text = this.#directive.sharpV || !textVerbs.has(verb) ? undefined : textOf(plain);
    if (text === undefined) return false;
    this.#string(value instanceof Tracked ? printedFrom(text, value) : text, verb);
    return true;
  }

  #string(text: Text, verb: string): void {
    const formatted = formatString(text, verb, this.#directive, this.#budget);
    if (formatted === undefined) this.#badVerb(text, verb);
    else this.#pad(formatted);
  }

  #integer(value: GoValue, { value: integer, type }: GoInteger, verb: string): void {
    const formatted = formatInteger(integer, type.kind.startsWith("int"), verb, this.#directive);
    if (formatted === undefined) this.#badVerb(value, verb);
    else this.#scalar(value, formatted.text, formatted.zeros);
  }

  #complex(value: GoComplex, verb: string): void {
    const real = formatFloatVerb(value.real, verb, this.#directive);
    const imaginary = formatFloatVerb(value.imaginary, verb, { ...this.#directive, plus: true });
    if (real === undefined || imaginary === undefined) return this.#badVerb(value, verb);
    this.write("(");
    this.#pad(real, false);
    this.#pad(imaginary, false);
    this.write("i)");
  }

  /** Writes the text of a number or a bool: as the value's own if it is how Go prints it. */
  #scalar(value: GoValue, text: string, zeros: boolean): void {
    if (!(value instanceof Tracked)) return this.#pad(text, zeros);
    const isAsPrinted = text === printScalar(value.value);
    this.#pad(isAsPrinted ? printedFrom(text, value) : madeFrom(text, value), zeros);
  }

  #bytes({ text }: GoBytes, verb: string, typeName: string): void {
    if (byteVerbs.has(verb)) return this.#pad(formatString(text, verb, this.#directive, this.#budget) ?? "");
    // Some charts print all they have, and their files are megabytes.
    this.#budget.spendBytes(4 * text.length);
    if (verb === "v" && isPlain(this.#directive)) {
      return this.write(`[${Buffer.from(text, "latin1").join(" ")}]`);
    }
    this.#budget.spendBytes(bytesOfItem * text.length);
    const bytes = Array.from(text, (byte) => new GoInteger(BigInt(byte.charCodeAt(0)), byteType));
    const { sharpV } = this.#directive;
    const name = verb === "v" ? typeName : byteSliceType.name;
    this.#list(bytes, sharpV ? `${name}{` : "[", sharpV ? "}" : "]", sharpV, (byte) => {
      this.#value(byte, verb, 1);
    });
  }

  #slice(slice: GoSlice, verb: string, depth: number): void {
    const { sharpV } = this.#directive;
    const { name, element } = slice.type;
    if (sharpV && slice.isNil) return this.write(`${name}(nil)`);
    this.#list(slice.items, sharpV ? `${name}{` : "[", sharpV ? "}" : "]", sharpV, (item) => {
      this.#element(item, verb, depth, element);
    });
  }

  #map(map: GoMap, verb: string, depth: number): void {
    const { sharpV } = this.#directive;
    const { name, element } = map.type;
    if (sharpV && map.isNil) return this.write(`${name}(nil)`);
    this.#list(map.sortedKeys(), sharpV ? `${name}{` : "map[", sharpV ? "}" : "]", sharpV, (key) => {
      this.#value(key, verb, depth);
      this.write(":");
      this.#element(map.entries.get(key) ?? null, verb, depth, element);
    });
  }

  #struct(struct: GoStruct, verb: string, depth: number): void {
    const isPointer = struct.type.kind === "ptr";
    if (isPointer && depth > 0) return this.#pointer(struct, verb);
    const name = this.#directive.sharpV ? struct.type.name.replace(/^\*/u, "") : "";
    this.#fields(struct, verb, `${isPointer ? "&" : ""}${name}{`, depth);
  }

  #fields(struct: GoStruct, verb: string, open: string, depth: number): void {
    const { sharpV, plusV } = this.#directive;
    this.#list([...struct.declaredFields()], open, "}", sharpV, ([field, value]) => {
      if (plusV || sharpV) this.write(`${field}:`);
      this.#element(value, verb, depth + 1, undefined);
    });
  }

  #list<Item>(
    items: readonly Item[],
    open: string,
    close: string,
    withCommas: boolean,
    printItem: (item: Item) => void,
  ): void {
    this.write(open);
    for (const [index, item] of items.entries()) {
      this.#budget.spendItem();
      if (index > 0) this.write(withCommas ? ", " : " ");
      printItem(item);
    }
    this.write(close);
  }

  #pointer(value: Plain, verb: string): void {
    const text = formatPointer(value, verb, this.#directive);
    if (text === undefined) this.#badVerb(value, verb);
    else if (verb === "v" && this.#directive.sharpV) this.write(text);
    else this.#pad(text, false);
  }

  /** `%!d(string=hi)`. */
  #badVerb(value: GoValue, verb: string): void {
    const plain = untracked(value);
    this.write(`%!${verb}(`);
    if (plain === null) {
      this.write(nilText(value));
    } else {
      this.#showsMemory = true;
      this.write(`${typeName(plain)}=`);
      this.#argument(value, "v");
      this.#showsMemory = false;
    }
    this.write(")");
  }

  /** Writes a text, filled up to the width. */
  #pad(text: Text, mayUseZeros = true): void {
    const { width, minus } = this.#directive;
    const missing = width === undefined ? 0 : width - countRunes(plainText(text));
    if (missing <= 0) return this.write(text);
    this.#budget.spendBytes(missing);
    const padding = (mayUseZeros && padsWithZeros(this.#directive) ? "0" : " ").repeat(missing);
    if (!minus) this.#output.append(padding);
    this.write(text);
    if (minus) this.#output.append(padding);
  }
}

function nilText(value: GoValue): Text {
  return value instanceof Tracked ? printedFrom("<nil>", value) : "<nil>";
}

function countRunes(text: string): number {
  return isAscii(text) ? text.length : [...runes(text)].length;
}

function typeName(value: Plain): string {
  return typeOf(value)?.name ?? "";
}

function tooDeep(): FairleadError {
  return new FairleadError("limit-exceeded", `a value to print is nested more than ${maxDepth} deep`, {
    hint: "does a map or list of the template contain itself?",
  });
}
