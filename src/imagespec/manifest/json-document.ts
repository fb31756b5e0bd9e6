import type { Cursor } from "../../yaml/cursor.ts";
import { maxYamlDepth, type NodeProperties, type YamlHandler } from "../../yaml/handler.ts";

const none: NodeProperties = { anchor: undefined, tag: undefined, end: undefined };
const blank = /[ \t\r\n]*/y;
const string = /"(?:[^"\\]|\\.)*"/y;
const word = /[^ \t\r\n,\]}]+/y;

/** Whether a text is one object in JSON; what YAML 1.1 makes of its escapes and long keys is something else. */
export function isJsonObjectText(text: string): boolean {
  if (!/^\ufeff?[ \t\r\n]*\{/u.test(text)) return false;
  try {
    JSON.parse(text.replace(/^\ufeff/u, ""));
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells a handler the nodes of a text in JSON, as the YAML parser tells those of other texts.
 * @param cursor at the beginning of a text that is JSON
 * @throws FairleadError `limit-exceeded`
 */
export function readJsonDocument(cursor: Cursor, handler: YamlHandler): void {
  new JsonReader(cursor, handler).read(0);
}

class JsonReader {
  readonly #cursor: Cursor;
  readonly #handler: YamlHandler;

  constructor(cursor: Cursor, handler: YamlHandler) {
    this.#cursor = cursor;
    this.#handler = handler;
  }

  read(depth: number): void {
    this.#take(blank);
    const start = this.#cursor.position;
    const first = this.#cursor.text[start];
    if (first === "{" || first === "[") {
      if (depth >= maxYamlDepth) {
        throw this.#cursor.exceed(start, `lists and maps nest deeper than ${maxYamlDepth} levels`);
      }
      this.#handler.open(first === "{" ? "map" : "list", none, start);
      this.#readItems(first === "{" ? "}" : "]", depth);
      this.#handler.close(this.#cursor.position);
    } else if (first === '"') this.#scalar(start, JSON.parse(this.#take(string)) as string, false);
    else this.#scalar(start, this.#take(word), true);
    this.#take(blank);
  }

  #readItems(end: string, depth: number): void {
    this.#cursor.position++;
    this.#take(blank);
    while (this.#cursor.text[this.#cursor.position] !== end) {
      this.read(depth + 1);
      // A comma, or the colon behind a key.
      if (this.#cursor.text[this.#cursor.position] !== end) this.#cursor.position++;
    }
    this.#cursor.position++;
  }

  #scalar(start: number, text: string, isPlain: boolean): void {
    this.#handler.scalar(text, isPlain, none, start, this.#cursor.position, undefined);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#cursor.position;
    const [taken = ""] = pattern.exec(this.#cursor.text) ?? [];
    this.#cursor.position += taken.length;
    return taken;
  }
}
