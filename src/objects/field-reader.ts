import { excerpt } from "../core/escape.ts";
import { findSimilar } from "../core/similar-text.ts";
import { formatValuePath, type ValuePath } from "../yaml/value-path.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../yaml/value.ts";
import { tryParseDuration } from "./duration.ts";

/** What is wrong with a field of an object. */
export interface FieldProblem {
  readonly path: ValuePath;
  /** One sentence that names the field. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** The object is of use nevertheless. */
  readonly isWarning?: boolean;
}

interface TextRule {
  /** In UTF-16 units; default: 4096. */
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** What the pattern asks for. */
  readonly expected?: string;
}

const defaultMaxLength = 4096;
const maxEntries = 1000;

/**
 * Reads the fields of a map of an object, and notes what is wrong with them: whoever reads goes on with a value
 * of the right type, and looks at the problems at the end. A field that is null counts as absent.
 */
export class FieldReader {
  readonly problems: FieldProblem[];
  readonly #map: YamlMap;
  readonly #path: ValuePath;
  readonly #known = new Set<string>();
  /** Whether values may be quoted in messages. */
  readonly #isSecret: boolean;

  /** @param options.isSecret no value is quoted in a message */
  constructor(
    map: YamlMap,
    path: ValuePath,
    problems: FieldProblem[],
    { isSecret = false }: { readonly isSecret?: boolean } = {},
  ) {
    this.#map = map;
    this.#path = path;
    this.problems = problems;
    this.#isSecret = isSecret;
  }

  /** The map as it is written. */
  get written(): YamlMap {
    return this.#map;
  }

  /** A text; undefined where there is none. */
  text(key: string, rule: TextRule = {}): string | undefined {
    return this.#textOf(this.#get(key), [...this.#path, key], rule);
  }

  /** A text that has to be there and must not be empty. */
  requiredText(key: string, rule: TextRule = {}): string {
    const before = this.problems.length;
    const text = this.text(key, rule);
    if (text === undefined || text === "") {
      if (this.problems.length === before) this.problem(key, "is required");
      return "";
    }
    return text;
  }

  /** One of the given words. */
  choice<Word extends string>(key: string, words: readonly Word[], fallback: Word): Word {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const word = words.find((word) => word === text);
    if (word !== undefined) return word;
    const similar = findSimilar(text, words);
    this.problem(
      key,
      `is none of ${words.join(", ")}${this.#quote(text)}`,
      similar && `did you mean ${similar}?`,
    );
    return fallback;
  }

  boolean(key: string): boolean {
    const value = this.#get(key);
    if (typeof value === "boolean") return value;
    if (value !== undefined) this.problem(key, `is ${describe(value)}, not true or false`);
    return false;
  }

  /** A whole number. */
  integer(key: string): number | undefined {
    const value = this.#get(key);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    this.problem(key, `is ${describe(value)}, not a whole number`);
    return undefined;
  }

  /** A duration such as `1h30m`, in milliseconds. */
  duration(key: string, { withHours = true }: { readonly withHours?: boolean } = {}): number | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const durationMs = withHours || !text.includes("h") ? tryParseDuration(text) : undefined;
    if (durationMs === undefined) {
      const units = withHours ? "h, m, s and ms" : "m, s and ms";
      this.problem(
        key,
        `is no duration${this.#quote(text)}`,
        `a duration has the units ${units}, such as 5m30s`,
      );
    }
    return durationMs;
  }

  /** A map below this one; undefined where there is none. */
  map(key: string): FieldReader | undefined {
    const value = this.#get(key);
    if (value === undefined) return undefined;
    if (isYamlMap(value)) {
      return new FieldReader(value, [...this.#path, key], this.problems, { isSecret: this.#isSecret });
    }
    this.problem(key, `is ${describe(value)}, not a map`);
    return undefined;
  }

  /** A map that has to be there. */
  requiredMap(key: string): FieldReader {
    const before = this.problems.length;
    const map = this.map(key);
    if (map !== undefined) return map;
    if (this.problems.length === before) this.problem(key, "is required");
    return new FieldReader({}, [...this.#path, key], []);
  }

  /** A list of maps; empty where there is none. */
  maps(key: string): readonly FieldReader[] {
    return this.#list(key).flatMap((item, index) => {
      const path = [...this.#path, key, index];
      if (isYamlMap(item)) {
        return [new FieldReader(item, path, this.problems, { isSecret: this.#isSecret })];
      }
      this.#note(path, `is ${describe(item)}, not a map`);
      return [];
    });
  }

  /** A list of texts; empty where there is none. */
  texts(key: string, rule: TextRule & { readonly maxItems?: number } = {}): readonly string[] {
    const { maxItems = maxEntries } = rule;
    const list = this.#list(key);
    if (list.length > maxItems) this.problem(key, `has ${list.length} items, ${maxItems} are allowed`);
    return list.slice(0, maxItems).flatMap((item, index) => {
      const path = [...this.#path, key, index];
      if (item === null) this.#note(path, "is null, not a text");
      return this.#textOf(item ?? undefined, path, rule) ?? [];
    });
  }

  /** A map of texts; empty, and without a prototype, where there is none. */
  textMap(key: string, rule: TextRule = {}): Readonly<Record<string, string>> {
    const texts = Object.create(null) as Record<string, string>;
    const value = this.#get(key);
    if (value === undefined) return texts;
    if (!isYamlMap(value)) {
      this.problem(key, `is ${describe(value)}, not a map`);
      return texts;
    }
    for (const [name, item] of Object.entries(value)) {
      texts[name] = this.#textOf(item ?? undefined, [...this.#path, key, name], rule) ?? "";
    }
    return texts;
  }

  has(key: string): boolean {
    return this.#get(key) !== undefined;
  }

  /** Notes that a field of this map is wrong. @param message goes on after the field's name */
  problem(key: string, message: string, hint?: string): void {
    this.#note([...this.#path, key], message, hint);
  }

  /** Notes that this map as a whole is wrong. @param message goes on after its name */
  problemOfAll(message: string, hint?: string): void {
    this.#note(this.#path, message, hint);
  }

  /** Warns of fields that nothing has asked for, which may be misspelt. @param others fields that are known besides */
  warnOfOthers(others: readonly string[] = []): void {
    const known = [...this.#known, ...others];
    for (const key of Object.keys(this.#map)) {
      if (known.includes(key)) continue;
      const similar = findSimilar(key, known);
      const path = [...this.#path, key];
      this.problems.push({
        path,
        message: `unknown field ${excerpt(formatValuePath(path))}`,
        hint: similar === undefined ? undefined : `did you mean ${similar}?`,
        isWarning: true,
      });
    }
  }

  #get(key: string): YamlValue | undefined {
    this.#known.add(key);
    return Object.hasOwn(this.#map, key) ? (this.#map[key] ?? undefined) : undefined;
  }

  #list(key: string): readonly YamlValue[] {
    const value = this.#get(key);
    if (value === undefined) return [];
    if (isYamlList(value)) return value;
    this.problem(key, `is ${describe(value)}, not a list`);
    return [];
  }

  #textOf(value: YamlValue | undefined, path: ValuePath, rule: TextRule): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== "string") {
      const isScalar = typeof value === "number" || typeof value === "boolean";
      this.#note(path, `is ${describe(value)}, not a text`, isScalar ? "put it in quotes" : undefined);
      return undefined;
    }
    const { maxLength = defaultMaxLength, pattern, expected = "valid" } = rule;
    if (value.length > maxLength) this.#note(path, `is longer than ${maxLength} characters`);
    else if (pattern?.test(value) === false) this.#note(path, `is not ${expected}${this.#quote(value)}`);
    else return value;
    return undefined;
  }

  #note(path: ValuePath, message: string, hint?: string): void {
    this.problems.push({ path, message: `${excerpt(formatValuePath(path))} ${message}`, hint });
  }

  #quote(text: string): string {
    return this.#isSecret ? "" : `: '${excerpt(text)}'`;
  }
}

function describe(value: YamlValue): string {
  if (value === null) return "null";
  if (isYamlList(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
