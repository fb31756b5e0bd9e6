import { FairleadError } from "../../core/error.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { copyMap, createDraftMap, isDraftMap, type Draft, type DraftMap } from "./draft.ts";
import { takeJson } from "./json-prefix.ts";

/** Which of Helm's flags a text was given to: `--set`, `--set-string`, and so on. */
export type SetMode = "set" | "set-string" | "set-file" | "set-json" | "set-literal";

export interface SetOptions {
  /** Gives the text of a file named in a `set-file` text; what it throws is thrown. */
  readonly readFile?: (path: string) => string;
}

/** Helm's limits (strvals.MaxIndex, strvals.MaxNestedNameLevel). */
const maxIndex = 65_536;
const maxNestingLevel = 30;

/**
 * Applies the text of one `--set…` flag to values, by the grammar of Helm 3.22 (pkg/strvals):
 * `name.inner[0]=value,other={a,b}`. `\` before a character takes its meaning away. `--set` turns `true`,
 * `false`, `null` and integers without a leading zero into their types, in any case of letters; `--set-file`
 * takes values for file names; `--set-json` takes JSON values; in `--set-literal` the value is all that follows
 * the first `=`, and nothing is escaped.
 *
 * Integers come out as numbers, so those beyond 2^53 are rounded, which Helm does not do.
 * @returns a new map; the target is left alone
 * @throws FairleadError `input-invalid` with the flag's name and the character, counted from 1, for what Helm
 *   refuses; the text itself, which may be a password, is not quoted
 */
export function applySet(target: YamlMap, text: string, mode: SetMode, options: SetOptions = {}): YamlMap {
  const draft = copyMap(target);
  const parser = new SetParser(text, mode, options);
  while (parser.takeAssignment(draft, 0) === "complete");
  return draft;
}

/** `ended`: the text was used up, perhaps in the middle of a name, which Helm lets pass. */
type Outcome = "complete" | "ended";

class SetParser {
  private readonly text: string;
  private readonly mode: SetMode;
  private readonly options: SetOptions;
  private position = 0;

  constructor(text: string, mode: SetMode, options: SetOptions) {
    this.text = text;
    this.mode = mode;
    this.options = options;
  }

  /** Reads `name=value`, or the rest of it below a name's first parts, into the map. */
  takeAssignment(map: DraftMap, level: number): Outcome {
    const { text: name, stop } = this.takeUntil(this.mode === "set-literal" ? "=[." : "=[,.");
    if (stop === "=") return this.takeMapValue(map, name);
    if (stop === "[") return this.takeIndexed(map, name, level);
    if (stop === ".") return this.takeNested(map, name, level + 1);
    if (stop === ",") throw this.fail("a key has no value");
    if (name === "") return "ended";
    throw this.fail("a key has no value");
  }

  private takeMapValue(map: DraftMap, name: string): Outcome {
    const atEnd = this.position === this.text.length;
    const value = this.takeValue();
    if (name !== "") map[name] = value;
    return atEnd && this.mode !== "set-json" && this.mode !== "set-literal" ? "ended" : "complete";
  }

  private takeNested(map: DraftMap, name: string, level: number): Outcome {
    this.checkLevel(level);
    const inner = Object.hasOwn(map, name) ? map[name] : createDraftMap();
    if (!isDraftMap(inner)) throw this.fail(`the value at this key is ${describe(inner)}, not a map`);
    const outcome = this.takeAssignment(inner, level);
    const isEmpty = Object.keys(inner).length === 0;
    if (outcome === "complete" && isEmpty) {
      throw this.fail("a key has no value");
    }
    if (!isEmpty && name !== "") map[name] = inner;
    return outcome;
  }

  private takeIndexed(map: DraftMap, name: string, level: number): Outcome {
    const index = this.takeIndex();
    const list = Object.hasOwn(map, name) ? map[name] : [];
    if (!Array.isArray(list)) throw this.fail(`the value at this key is ${describe(list)}, not a list`);
    const outcome = this.takeItem(list, index, level);
    if (name !== "") map[name] = list;
    return outcome;
  }

  /** Reads what follows `[index]` into the list. */
  private takeItem(list: Draft[], index: number, level: number): Outcome {
    if (index < 0) throw this.fail(`negative ${index} index not allowed`);
    const { text: extra, stop } = this.takeUntil("[.=");
    if (extra !== "") throw this.fail("unexpected data at end of array index");
    if (stop === "=") {
      this.setItem(list, index, this.takeValue());
      return "complete";
    }
    if (stop === "[") return this.takeInnerIndexed(list, index, level + 1);
    if (stop === ".") return this.takeInnerNested(list, index, level);
    return "ended";
  }

  private takeInnerIndexed(list: Draft[], index: number, level: number): Outcome {
    // Helm has no limit here; without one a short text could ask for lists without end.
    this.checkLevel(level);
    const innerIndex = this.takeIndex();
    const inner = list[index] ?? [];
    if (!Array.isArray(inner)) throw this.fail(`item ${index} is ${describe(inner)}, not a list`);
    const outcome = this.takeItem(inner, innerIndex, level);
    if (outcome === "complete") this.setItem(list, index, inner);
    return outcome;
  }

  private takeInnerNested(list: Draft[], index: number, level: number): Outcome {
    const existing = list[index];
    const inner = isDraftMap(existing) ? existing : createDraftMap();
    // Helm puts the map into its place at once only where the list is long enough.
    if (index < list.length) list[index] = inner;
    const outcome = this.takeAssignment(inner, level);
    if (outcome === "complete") this.setItem(list, index, inner);
    return outcome;
  }

  private setItem(list: Draft[], index: number, value: Draft): void {
    if (index > maxIndex) {
      throw this.fail(`index of ${index} is greater than maximum supported index of ${maxIndex}`);
    }
    while (list.length < index) list.push(null);
    list[index] = value;
  }

  private takeIndex(): number {
    const { text, stop } = this.takeUntil("]");
    if (stop === undefined || !/^[-+]?\d{1,18}$/u.test(text)) {
      throw this.fail("an index is not a number followed by ]");
    }
    return Number(text) + 0;
  }

  private takeValue(): Draft {
    if (this.mode === "set-json") return this.takeJsonValue();
    if (this.mode === "set-literal") return this.takeUntil("").text;
    if (this.text[this.position] === "{") return this.takeList();
    if (this.position === this.text.length) return "";
    return this.convert(this.takeUntil(",").text);
  }

  /** `{a,b}` with the comma that may follow it. */
  private takeList(): Draft[] {
    this.position++;
    const list: Draft[] = [];
    for (;;) {
      const { text, stop } = this.takeUntil(",}");
      if (stop === undefined) throw this.fail("list must terminate with '}'");
      list.push(this.convert(text));
      if (stop === "}") {
        if (this.text[this.position] === ",") this.position++;
        return list;
      }
    }
  }

  private takeJsonValue(): Draft {
    if (this.skipToNext()) return null;
    const taken = takeJson(this.text, this.position);
    if (taken === undefined) throw this.fail("malformed JSON value");
    this.position = taken.end;
    this.skipToNext();
    return taken.value;
  }

  /** Skips white space and one comma; whether a comma or the end came before anything else. */
  private skipToNext(): boolean {
    const blank = /[\s\u0085]*/uy;
    blank.lastIndex = this.position;
    blank.exec(this.text);
    this.position = blank.lastIndex;
    if (this.position === this.text.length) return true;
    if (this.text[this.position] !== ",") return false;
    this.position++;
    return true;
  }

  /** The text up to one of the stop characters, which is passed; without a stop where the text ends first. */
  private takeUntil(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let taken = "";
    while (this.position < this.text.length) {
      const character = this.text.charAt(this.position++);
      if (stops.includes(character)) return { text: taken, stop: character };
      if (character === "\\" && this.mode !== "set-literal") taken += this.text.charAt(this.position++);
      else taken += character;
    }
    this.position = this.text.length;
    return { text: taken, stop: undefined };
  }

  private convert(text: string): Draft {
    if (this.mode === "set-string") return text;
    if (this.mode !== "set-file") return typedValue(text);
    if (this.options.readFile === undefined) throw this.fail("files cannot be read here");
    return this.options.readFile(text);
  }

  private checkLevel(level: number): void {
    if (level > maxNestingLevel) {
      throw this.fail(
        `value name nested level is greater than maximum supported nested level of ${maxNestingLevel}`,
      );
    }
  }

  private fail(problem: string): FairleadError {
    const message = `--${this.mode}, character ${this.position}: ${problem}`;
    return new FairleadError("input-invalid", message, {
      hint: "a comma, dot, bracket or brace that belongs to a value needs a backslash before it",
    });
  }
}

/** Helm's types for `--set` (strvals.typedVal): an integer with a leading zero stays a string. */
function typedValue(text: string): Draft {
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text === "0") return 0;
  if (!/^[-+]?\d+$/u.test(text) || text.startsWith("0")) return text;
  const integer = BigInt(text.replace(/^\+/u, ""));
  return integer === BigInt.asIntN(64, integer) ? Number(integer) : text;
}

function describe(value: Draft | undefined): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return isDraftMap(value) ? "a map" : `a ${typeof value}`;
}
