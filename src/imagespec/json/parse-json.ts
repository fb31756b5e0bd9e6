import { FairleadError } from "../../core/error.ts";
import { type JsonArray, JsonNumber, type JsonObject, type JsonValue } from "./value.ts";

export interface ParsedJson {
  readonly value: JsonValue;
  /** JSON pointers of keys that their object has twice; the later one won, as in Go. */
  readonly duplicates: readonly string[];
}

/** Levels of objects and arrays that are followed; Kubernetes's own limit is ten times as many. */
const maxDepth = 1000;

const blank = /[ \t\r\n]*/y;
const stringRun = /[^"\\\u0000-\u001f]*/y;
const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Reads a JSON text without loss (RFC 8259).
 * @throws FairleadError `input-invalid` where it is malformed, `limit-exceeded` where it is deeper than 1,000 levels
 */
export function parseJson(text: string): ParsedJson {
  const parser = new JsonTextParser(text);
  return { value: parser.parse(), duplicates: parser.duplicates };
}

class JsonTextParser {
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): JsonValue {
    const value = this.#parseValue();
    this.#skipBlank();
    if (this.#position < this.#text.length) throw this.#fail("something follows the value");
    return value;
  }

  #parseValue(): JsonValue {
    this.#skipBlank();
    switch (this.#text[this.#position]) {
      case "{":
        return this.#parseObject();
      case "[":
        return this.#parseArray();
      case '"':
        return this.#parseString();
      case "t":
        return this.#take("true", true);
      case "f":
        return this.#take("false", false);
      case "n":
        return this.#take("null", null);
      default:
        return new JsonNumber(this.#match(numberText));
    }
  }

  #parseObject(): JsonObject {
    const object: JsonObject = new Map();
    this.#open();
    if (this.#skips("}")) return object;
    do {
      this.#skipBlank();
      if (this.#text[this.#position] !== '"') throw this.#fail("a key is expected");
      const key = this.#parseString();
      this.#path.push(key);
      if (object.has(key)) this.duplicates.push(formatPointer(this.#path));
      this.#expect(":");
      object.set(key, this.#parseValue());
      this.#path.pop();
    } while (this.#skips(","));
    this.#expect("}");
    return object;
  }

  #parseArray(): JsonArray {
    const array: JsonArray = [];
    this.#open();
    if (this.#skips("]")) return array;
    do {
      this.#path.push(array.length);
      array.push(this.#parseValue());
      this.#path.pop();
    } while (this.#skips(","));
    this.#expect("]");
    return array;
  }

  #open(): void {
    this.#position += 1;
    if (this.#path.length < maxDepth) return;
    throw new FairleadError("limit-exceeded", `the JSON is deeper than ${maxDepth} levels`);
  }

  #parseString(): string {
    const start = this.#position;
    this.#position += 1;
    let escaped = false;
    for (;;) {
      this.#match(stringRun);
      const next = this.#text[this.#position];
      if (next === '"') break;
      if (next !== "\\") throw this.#fail("a string does not end");
      this.#match(escape);
      escaped = true;
    }
    this.#position += 1;
    const written = this.#text.slice(start, this.#position);
    return escaped ? (JSON.parse(written) as string) : written.slice(1, -1);
  }

  #take<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#position)) throw this.#fail("a value is expected");
    this.#position += word.length;
    return value;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const matched = pattern.exec(this.#text)?.[0];
    if (matched === undefined) throw this.#fail("a value is expected");
    this.#position += matched.length;
    return matched;
  }

  #skipBlank(): void {
    this.#match(blank);
  }

  #skips(mark: string): boolean {
    this.#skipBlank();
    if (this.#text[this.#position] !== mark) return false;
    this.#position += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#skips(mark)) throw this.#fail(`'${mark}' is expected`);
  }

  #fail(reason: string): FairleadError {
    return new FairleadError("input-invalid", `malformed JSON at offset ${this.#position}: ${reason}`);
  }
}

/** A path as a JSON pointer (RFC 6901). */
export function formatPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
