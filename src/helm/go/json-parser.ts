import { FairleadError } from "../../core/error.ts";
import { maxEncodingDepth } from "./encoding-depth.ts";
import { quoteRune } from "./quote.ts";
import { ScalarTracker } from "./scalar-tracker.ts";
import { plainText } from "./text.ts";
import { fromBytes, toBytes } from "./utf8.ts";
import { GoError, GoMap, GoSlice, Tracked, type GoScalar, type GoValue, type Text } from "./value.ts";
import { toWellFormed } from "./well-formed.ts";

const space = /[ \t\r\n]*/y;
const digits = /[0-9]*/y;
const stringRun = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const hexDigits = /[0-9a-fA-F]*/y;
const literals: ReadonlyMap<string, { readonly word: string; readonly value: null | boolean }> = new Map([
  ["t", { word: "true", value: true }],
  ["f", { word: "false", value: false }],
  ["n", { word: "null", value: null }],
]);

/** A decoded value, and what encoding/json reports after it has decoded all it can. */
export interface DecodedJson {
  readonly value: GoValue;
  /** The first number that is no float64; nil takes its place. */
  readonly problem?: string;
}

/** @throws FairleadError `limit-exceeded` for a depth that we do not follow */
export function refuseDepth(depth: number): void {
  if (depth <= maxEncodingDepth) return;
  throw new FairleadError("limit-exceeded", `JSON nests deeper than ${maxEncodingDepth} levels`);
}

/** Reads JSON byte by byte, for what encoding/json says of malformed text and for where each scalar stands. */
export class JsonParser {
  readonly #text: string;
  readonly #tracker: ScalarTracker | undefined;
  #position = 0;
  #problem: string | undefined;

  constructor(text: Text) {
    this.#text = plainText(text);
    this.#tracker = text instanceof Tracked ? new ScalarTracker(text, text.value) : undefined;
  }

  /** @throws GoError what encoding/json says of malformed text */
  parse(): DecodedJson {
    const value = this.#parseValue(0);
    if (this.#peek() !== "") throw this.#fail("after top-level value");
    return this.#problem === undefined ? { value } : { value, problem: this.#problem };
  }

  #parseValue(depth: number): GoValue {
    const first = this.#peek();
    if (first === "{") return this.#parseObject(depth + 1);
    if (first === "[") return this.#parseArray(depth + 1);
    const start = this.#position;
    const value = this.#parseScalar(first);
    return this.#tracker?.track(value, { start, end: this.#position }) ?? value;
  }

  #parseScalar(first: string): GoScalar {
    if (first === '"') return this.#parseString();
    if (/^[-0-9]/.test(first)) return this.#parseNumber();
    const literal = literals.get(first);
    if (literal === undefined) throw this.#fail("looking for beginning of value");
    for (const expected of literal.word) {
      if (this.#text.charAt(this.#position) !== expected) {
        throw this.#failWithin(`in literal ${literal.word} (expecting '${expected}')`);
      }
      this.#position += 1;
    }
    return literal.value;
  }

  #parseObject(depth: number): GoMap {
    const map = new GoMap();
    this.#open(depth);
    for (let next = this.#peek(); next !== "}"; next = this.#peek()) {
      if (map.entries.size > 0) {
        if (next !== ",") throw this.#fail("after object key:value pair");
        this.#position += 1;
        next = this.#peek();
      }
      if (next !== '"') throw this.#fail("looking for beginning of object key string");
      const key = this.#parseString();
      if (this.#peek() !== ":") throw this.#fail("after object key");
      this.#position += 1;
      map.entries.set(key, this.#parseValue(depth));
    }
    this.#position += 1;
    return map;
  }

  #parseArray(depth: number): GoSlice {
    const items: GoValue[] = [];
    this.#open(depth);
    for (let next = this.#peek(); next !== "]"; next = this.#peek()) {
      if (items.length > 0) {
        if (next !== ",") throw this.#fail("after array element");
        this.#position += 1;
      }
      items.push(this.#parseValue(depth));
    }
    this.#position += 1;
    return new GoSlice(items);
  }

  #open(depth: number): void {
    refuseDepth(depth);
    this.#position += 1;
  }

  #parseString(): string {
    const start = this.#position;
    this.#position += 1;
    let hasEscape = false;
    for (;;) {
      this.#take(stringRun);
      const stop = this.#text.charAt(this.#position);
      if (stop === '"') break;
      if (stop !== "\\") throw this.#fail("in string literal");
      if (this.#take(escape) === "") throw this.#failInEscape();
      hasEscape = true;
    }
    this.#position += 1;
    const literal = this.#text.slice(start, this.#position);
    return hasEscape ? toBytes(JSON.parse(fromBytes(literal)) as string) : toWellFormed(literal.slice(1, -1));
  }

  #failInEscape(): GoError {
    this.#position += 1;
    if (this.#text.charAt(this.#position) !== "u") return this.#failWithin("in string escape code");
    this.#position += 1;
    this.#take(hexDigits);
    return this.#failWithin(String.raw`in \u hexadecimal character escape`);
  }

  #parseNumber(): number | null {
    const start = this.#position;
    if (this.#text.charAt(start) === "-") this.#position += 1;
    if (this.#text.charAt(this.#position) === "0") this.#position += 1;
    else this.#takeDigits("in numeric literal");
    if (this.#text.charAt(this.#position) === ".") {
      this.#position += 1;
      this.#takeDigits("after decimal point in numeric literal");
    }
    if (/^[eE]/.test(this.#text.charAt(this.#position))) {
      this.#position += 1;
      if (/^[-+]/.test(this.#text.charAt(this.#position))) this.#position += 1;
      this.#takeDigits("in exponent of numeric literal");
    }
    const literal = this.#text.slice(start, this.#position);
    const number = Number(literal);
    if (Number.isFinite(number)) return number;
    this.#problem ??= `json: cannot unmarshal number ${literal} into Go value of type float64`;
    return null;
  }

  #takeDigits(context: string): void {
    if (this.#take(digits) === "") throw this.#failWithin(context);
  }

  /** The character after any space, an empty string at the end. */
  #peek(): string {
    this.#take(space);
    return this.#text.charAt(this.#position);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const taken = pattern.exec(this.#text)?.[0] ?? "";
    this.#position += taken.length;
    return taken;
  }

  /** The error where a space could have stood, so that the end is no character too many. */
  #fail(context: string): GoError {
    if (this.#position >= this.#text.length) return new GoError("unexpected end of JSON input");
    return this.#failWithin(context);
  }

  /** The error within a number, a word or an escape: encoding/json takes the end for a space. */
  #failWithin(context: string): GoError {
    const code = this.#position < this.#text.length ? this.#text.charCodeAt(this.#position) : 0x20;
    return new GoError(`invalid character ${quoteRune(code)} ${context}`);
  }
}
