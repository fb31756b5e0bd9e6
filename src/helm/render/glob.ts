import { RE2JS } from "re2js";

/** Says whether the whole of a file's name matches. */
export type Glob = (name: string) => boolean;

/**
 * Compiles a pattern of `.Files.Glob` (github.com/gobwas/glob with `/` for a separator): `*` and `?` stop at
 * slashes, `**` does not; `[abc]`, `[a-z]`, `[!abc]`, `{one,other}` and `\` before a character taken literally.
 * Takes time in proportion to the name, whatever the pattern. Undefined where it is malformed.
 */
export function tryCompileGlob(pattern: string): Glob | undefined {
  const source = new GlobTranslator(pattern).tryTranslate();
  if (source === undefined) return undefined;
  const compiled = RE2JS.compile(source, RE2JS.DOTALL);
  return (name) => compiled.matches(name);
}

/** Makes a regular expression of a pattern. */
class GlobTranslator {
  readonly #characters: readonly string[];
  #position = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  tryTranslate(): string | undefined {
    let source = "";
    for (let character = this.#take(); character !== undefined; character = this.#take()) {
      const translated = this.#tryTranslateOne(character);
      if (translated === undefined) return undefined;
      source += translated;
    }
    // What is open at the end counts as closed.
    return source + ")".repeat(this.#depth);
  }

  #tryTranslateOne(character: string): string | undefined {
    switch (character) {
      case "*":
        if (this.#characters[this.#position] !== "*") return "[^/]*";
        this.#position += 1;
        return ".*";
      case "?":
        return "[^/]";
      case "[":
        return this.#tryTranslateClass();
      case "{":
        this.#depth += 1;
        return "(?:";
      case "\\": {
        const escaped = this.#take();
        return escaped === undefined ? "" : RE2JS.quote(escaped);
      }
      default:
        return this.#translateInAlternatives(character);
    }
  }

  #translateInAlternatives(character: string): string {
    if (this.#depth > 0 && character === ",") return "|";
    if (this.#depth > 0 && character === "}") {
      this.#depth -= 1;
      return ")";
    }
    return RE2JS.quote(character);
  }

  /** `[a-z]` or `[abc]`, not both in one. */
  #tryTranslateClass(): string | undefined {
    const negated = this.#characters[this.#position] === "!";
    if (negated) this.#position += 1;
    const start = negated ? "[^" : "[";
    if (this.#characters[this.#position + 1] === "-") {
      const [low = "", , high, close] = this.#characters.slice(this.#position, this.#position + 4);
      this.#position += 4;
      if (high === undefined || close !== "]" || codeOf(high) < codeOf(low)) return undefined;
      return `${start}${hex(low)}-${hex(high)}]`;
    }
    let list = "";
    for (let character = this.#take(); character !== "]"; character = this.#take()) {
      const member = character === "\\" ? this.#take() : character;
      if (member === undefined) return undefined;
      list += hex(member);
    }
    return list === "" ? undefined : `${start}${list}]`;
  }

  #take(): string | undefined {
    const character = this.#characters[this.#position];
    this.#position += 1;
    return character;
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function hex(character: string): string {
  return String.raw`\x{${codeOf(character).toString(16)}}`;
}
