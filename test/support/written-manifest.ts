import { isPlainString } from "../../src/yaml/dump.ts";
import type { Random } from "./random.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value as somebody might have written it in YAML. */
export interface WrittenYaml {
  readonly text: string;
  /** Comments and blank lines that stand apart from images, each with its whole line, in their order. */
  readonly kept: readonly string[];
}

/** Keys whose values are no concern of an image: comments are put anywhere but within the others. */
const imageKeys: ReadonlySet<string> = new Set(["image", "imageSpec", "annotations"]);

/** Writes a map as YAML of mixed style: blocks and brackets, every quoting, comments, odd indentation. */
export function writeMixedYaml(value: { readonly [key: string]: Json }, random: Random): WrittenYaml {
  const writer = new MixedWriter(random);
  return { text: writer.map(value, "", "", true), kept: writer.kept };
}

class MixedWriter {
  readonly kept: string[] = [];
  readonly #random: Random;
  #comments = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param first what stands before the first entry on its line already */
  map(value: { readonly [key: string]: Json }, indent: string, first: string, commented: boolean): string {
    let text = "";
    let before: string | undefined = first;
    for (const [key, item] of Object.entries(value)) {
      const isFree = commented && !isOfImage(key, item);
      if (isFree && before === undefined) text += this.#between(indent);
      text += (before ?? indent) + this.#key(key) + this.#entry(item, indent, isFree);
      before = undefined;
    }
    return text;
  }

  /** What follows a key. */
  #entry(value: Json, indent: string, commented: boolean): string {
    const deeper = indent + this.#random.pick(["  ", "  ", "    ", " "]);
    if (isList(value) && value.length > 0 && this.#random.below(6) > 0) {
      const dashes = this.#random.pick([indent, deeper]);
      const behind = this.#behind(commented);
      const items = value.map((item) => this.#item(item, dashes, commented)).join("");
      return `:${behind}\n${items}`;
    }
    if (isMap(value) && Object.keys(value).length > 0 && this.#random.below(6) > 0) {
      return `:${this.#behind(commented)}\n${this.map(value, deeper, deeper, commented)}`;
    }
    if (typeof value === "string" && this.#random.below(12) === 0 && /^[\w./:@-]+$/u.test(value)) {
      return `: ${this.#random.pick(["|-", ">-"])}\n${deeper}${value}\n`;
    }
    const blank = this.#random.pick([" ", " ", " ", "   "]);
    return `:${blank}${this.#flow(value, deeper)}${this.#behind(commented)}\n`;
  }

  #item(value: Json, dashes: string, commented: boolean): string {
    const blank = this.#random.pick([" ", " ", "   "]);
    const head = `${dashes}-${blank}`;
    if (isMap(value) && Object.keys(value).length > 0 && this.#random.below(4) > 0) {
      const indent = `${dashes} ${blank}`;
      const isBelow = this.#random.below(8) === 0;
      const first = isBelow ? `${dashes}-${this.#behind(commented)}\n${indent}` : head;
      return this.map(value, indent, first, commented);
    }
    return `${head}${this.#flow(value, `${dashes}  `)}${this.#behind(commented)}\n`;
  }

  #flow(value: Json, indent: string): string {
    if (!isList(value) && !isMap(value)) return this.#scalar(value);
    const pad = this.#random.pick(["", " "]);
    const isSpread = this.#random.below(4) === 0;
    const deeper = `${indent}  `;
    const items = isList(value)
      ? value.map((item) => this.#flow(item, deeper))
      : Object.entries(value).map(([key, item]) => `${this.#key(key)}: ${this.#flow(item, deeper)}`);
    const [open, close] = isList(value) ? ["[", "]"] : ["{", "}"];
    if (items.length === 0) return open + close;
    return isSpread
      ? `${open}\n${items.map((item) => deeper + item).join(",\n")}\n${indent}${close}`
      : `${open}${pad}${items.join(", ")}${pad}${close}`;
  }

  #key(key: string): string {
    return this.#random.below(8) === 0 ? JSON.stringify(key) : key;
  }

  #scalar(value: null | boolean | number | string): string {
    if (typeof value !== "string") return String(value);
    const style = this.#random.below(4);
    if (style === 0 || value === "") return JSON.stringify(value);
    // Within brackets some characters of a block's plain scalars mean something.
    if (style > 1 && isPlainString(value) && /^[\w./-]+$/u.test(value)) return value;
    return `'${value.replaceAll("'", "''")}'`;
  }

  #between(indent: string): string {
    const line = this.#random.pick(["", "", "", "\n", `${indent}# keep`, "# keep", `${indent}#keep`]);
    if (line === "" || line === "\n") return line;
    const numbered = `${line} ${this.#comments++}; {{ .x }} 😀\n`;
    this.kept.push(numbered);
    return numbered;
  }

  #behind(commented: boolean): string {
    if (!commented || this.#random.below(4) > 0) return "";
    const comment = ` # keep ${this.#comments++};`;
    this.kept.push(`${comment}\n`);
    return comment;
  }
}

/** Whether an entry may go as a whole: metadata does where nothing is left in it. */
function isOfImage(key: string, value: Json): boolean {
  return imageKeys.has(key) || (isMap(value) && Object.keys(value).join("") === "annotations");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isMap(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
