import type { RenderBudget } from "./context.ts";
import { plainDirective, type Directive } from "./directive.ts";
import { encodeRune } from "./quote.ts";
import { plainText, sliceText } from "./text.ts";
import { runeAt } from "./utf8.ts";
import { GoInteger, typeOf, untracked, type GoValue, type Text } from "./value.ts";
import { ValuePrinter } from "./value-printer.ts";

/** Go takes wider widths from arguments for mistakes, and in formats too once there is another digit. */
const maxWidth = 1_000_000;

type Draft = { -readonly [Key in keyof Directive]: Directive[Key] };

/** Runs through a format once (doPrintf in Go's fmt/print.go). */
export class Formatter {
  readonly #format: Text;
  readonly #text: string;
  readonly #args: readonly GoValue[];
  readonly #printer: ValuePrinter;
  #position = 0;
  /** Which argument comes next. */
  #next = 0;
  /** Whether an index such as `[3]` has just been read. */
  #isAfterIndex = false;
  #hasGoodIndex = true;
  /** Whether there has been an index at all: then nobody counts what is left over. */
  #isReordered = false;

  constructor(format: Text, args: readonly GoValue[], budget: RenderBudget) {
    this.#format = format;
    this.#text = plainText(format);
    this.#args = args;
    this.#printer = new ValuePrinter(budget);
  }

  /** @throws FairleadError `limit-exceeded` */
  run(): Text {
    const text = this.#text;
    while (this.#position < text.length) {
      const percent = text.indexOf("%", this.#position);
      const end = percent === -1 ? text.length : percent;
      if (end > this.#position) this.#printer.write(sliceText(this.#format, this.#position, end));
      this.#position = end + 1;
      if (percent !== -1) this.#operand();
    }
    if (!this.#isReordered && this.#next < this.#args.length) this.#writeExtra();
    return this.#printer.toText();
  }

  #operand(): void {
    this.#hasGoodIndex = true;
    const directive = this.#flags();
    this.#readIndex();
    this.#width(directive);
    this.#precision(directive);
    if (!this.#isAfterIndex) this.#readIndex();
    if (this.#position >= this.#text.length) return this.#printer.write("%!(NOVERB)");
    const start = this.#position;
    const { code, width } = runeAt(this.#text, start);
    this.#position += width;
    if (code === 0x25) return this.#printer.write(sliceText(this.#format, start, start + 1));
    const verb = encodeRune(code);
    if (!this.#hasGoodIndex) return this.#printer.write(`%!${verb}(BADINDEX)`);
    const arg = this.#args[this.#next];
    if (arg === undefined) return this.#printer.write(`%!${verb}(MISSING)`);
    this.#next += 1;
    this.#printer.print(arg, verb, verb === "v" || verb === "w" ? forValues(directive) : directive);
  }

  #flags(): Draft {
    const directive: Draft = { ...plainDirective };
    for (; ; this.#position++) {
      const flag = flagNames.get(this.#text.charAt(this.#position));
      if (flag === undefined) return directive;
      directive[flag] = true;
    }
  }

  #width(directive: Draft): void {
    if (this.#text.charAt(this.#position) === "*") {
      this.#position += 1;
      this.#isAfterIndex = false;
      const width = this.#integerArgument();
      if (width === undefined) return this.#printer.write("%!(BADWIDTH)");
      directive.width = Math.abs(width);
      directive.minus ||= width < 0;
      directive.zero &&= width >= 0;
      return;
    }
    directive.width = this.#number();
    if (this.#isAfterIndex && directive.width !== undefined) this.#hasGoodIndex = false;
  }

  #precision(directive: Draft): void {
    const text = this.#text;
    // A point at the very end is taken for the verb.
    if (text.charAt(this.#position) !== "." || this.#position + 1 >= text.length) return;
    this.#position += 1;
    if (this.#isAfterIndex) this.#hasGoodIndex = false;
    this.#readIndex();
    if (text.charAt(this.#position) === "*") {
      this.#position += 1;
      this.#isAfterIndex = false;
      const precision = this.#integerArgument();
      if (precision === undefined || precision < 0) this.#printer.write("%!(BADPREC)");
      else directive.precision = precision;
    } else {
      directive.precision = this.#number() ?? 0;
    }
  }

  /** Reads a number of the format, if there is one. */
  #number(): number | undefined {
    let value: number | undefined;
    for (; isDigit(this.#text.charCodeAt(this.#position)); this.#position++) {
      if (value !== undefined && value > maxWidth) {
        this.#position = this.#text.length;
        return undefined;
      }
      value = (value ?? 0) * 10 + Number(this.#text.charAt(this.#position));
    }
    return value;
  }

  /** The next argument as a width or a precision; undefined if it is none. */
  #integerArgument(): number | undefined {
    const arg = untracked(this.#args[this.#next] ?? null);
    if (this.#next < this.#args.length) this.#next += 1;
    if (!(arg instanceof GoInteger)) return undefined;
    const value = Number(arg.value);
    return Math.abs(value) > maxWidth ? undefined : value;
  }

  /** Reads an index such as `[3]`, if there is one. */
  #readIndex(): void {
    this.#isAfterIndex = false;
    if (this.#text.charAt(this.#position) !== "[") return;
    this.#isReordered = true;
    const end = this.#text.indexOf("]", this.#position);
    // Too short a rest of the format is not looked into.
    if (end === -1 || this.#position + 3 > this.#text.length) {
      this.#position += 1;
      this.#hasGoodIndex = false;
      return;
    }
    const digits = this.#text.slice(this.#position + 1, end);
    this.#position = end + 1;
    const isNumber = /^[0-9]+$/u.test(digits) && Number(digits.slice(0, -1)) <= maxWidth;
    this.#isAfterIndex = isNumber;
    const index = Number(digits) - 1;
    if (isNumber && index >= 0 && index < this.#args.length) this.#next = index;
    else this.#hasGoodIndex = false;
  }

  #writeExtra(): void {
    const printer = this.#printer;
    printer.write("%!(EXTRA ");
    for (const [index, arg] of this.#args.slice(this.#next).entries()) {
      if (index > 0) printer.write(", ");
      const type = typeOf(arg);
      if (type !== undefined) printer.write(`${type.name}=`);
      printer.print(arg);
    }
    printer.write(")");
  }
}

const flagNames: ReadonlyMap<string, "sharp" | "zero" | "plus" | "minus" | "space"> = new Map([
  ["#", "sharp"],
  ["0", "zero"],
  ["+", "plus"],
  ["-", "minus"],
  [" ", "space"],
]);

/** With `%v` the flags `#` and `+` mean something else. */
function forValues(directive: Directive): Directive {
  const { sharp, plus } = directive;
  return { ...directive, sharp: false, plus: false, sharpV: sharp, plusV: plus };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
