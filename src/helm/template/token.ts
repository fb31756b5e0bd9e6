import { quoteGo } from "../go/quote.ts";
import { runes } from "../go/utf8.ts";

/** Words with a meaning of their own; `.` and `nil` count among them, as in Go's lexer. */
export type Keyword =
  | "."
  | "block"
  | "break"
  | "continue"
  | "define"
  | "else"
  | "end"
  | "if"
  | "nil"
  | "range"
  | "template"
  | "with";

export type TokenKind =
  | Keyword
  | "error"
  | "end-of-file"
  | "text"
  | "left-delimiter"
  | "right-delimiter"
  | "space"
  | "assign"
  | "declare"
  | "pipe"
  | "left-parenthesis"
  | "right-parenthesis"
  | "bool"
  | "character"
  | "character-constant"
  | "complex"
  | "field"
  | "identifier"
  | "number"
  | "raw-string"
  | "string"
  | "variable";

/** A piece of a template; of an error, `text` is what is wrong. */
export interface Token {
  readonly kind: TokenKind;
  /** Byte offset in the source. */
  readonly position: number;
  readonly text: string;
}

const keywords: ReadonlySet<string> = new Set<Keyword>([
  "block",
  "break",
  "continue",
  "define",
  "else",
  "end",
  "if",
  "nil",
  "range",
  "template",
  "with",
]);

/** Whether a word is one of the language's own. */
export function isKeyword(word: string): word is Keyword {
  return keywords.has(word);
}

/** The last token of a text that cannot be read on, with what is wrong there. */
export function errorToken(position: number, problem: string): Token {
  return { kind: "error", position, text: problem };
}

/** A token as errors name it. */
export function describeToken({ kind, text }: Token): string {
  if (kind === "end-of-file") return "EOF";
  if (kind === "error") return text;
  if (kind === "." || isKeyword(kind)) return `<${text}>`;
  return text.length > 10 ? `${quoteGo(firstRunes(text, 10))}...` : quoteGo(text);
}

function firstRunes(text: string, count: number): string {
  let left = count;
  for (const { offset } of runes(text)) {
    if (left === 0) return text.slice(0, offset);
    left -= 1;
  }
  return text;
}
