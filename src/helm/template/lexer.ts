import { quoteGo } from "../go/quote.ts";
import { runeAt } from "../go/utf8.ts";
import { describeRune, endOfSpace, endOfWord, isSpace, startOfSpace } from "./character.ts";
import { isKeyword, type Token, type TokenKind } from "./token.ts";

const code = {
  newline: 0x0a,
  doubleQuote: 0x22,
  dollar: 0x24,
  singleQuote: 0x27,
  leftParenthesis: 0x28,
  rightParenthesis: 0x29,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  equals: 0x3d,
  backslash: 0x5c,
  backquote: 0x60,
  pipe: 0x7c,
  rightBrace: 0x7d,
} as const;

/** What the lexer takes for a number; what it really is shows only when it is read. */
const number =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y;

/** Which words are keywords only as long as no function has their name. */
export interface LexerOptions {
  readonly breakIsKeyword: boolean;
  readonly continueIsKeyword: boolean;
}

/**
 * Splits a template into tokens, as text/template/parse/lex.go does: one a call, so that what stands behind an
 * error is never looked at. After an `error` or `end-of-file` token there is nothing more to ask for.
 */
export class Lexer {
  readonly #text: string;
  readonly #options: LexerOptions;
  #position = 0;
  #isInAction = false;
  #openParentheses = 0;

  constructor(text: string, options: LexerOptions) {
    this.#text = text;
    this.#options = options;
  }

  next(): Token {
    return this.#isInAction ? this.#actionToken() : this.#textToken();
  }

  /** Text up to the next action, or that action's delimiter; comments are passed over. */
  #textToken(): Token {
    const text = this.#text;
    for (;;) {
      const start = this.#position;
      const delimiter = text.indexOf("{{", start);
      if (delimiter === -1) {
        return start === text.length
          ? this.#take("end-of-file", start, start)
          : this.#take("text", start, text.length);
      }
      const trims = text.charCodeAt(delimiter + 2) === code.minus && isSpace(text.charCodeAt(delimiter + 3));
      if (delimiter > start) {
        const end = trims ? startOfSpace(text, start, delimiter) : delimiter;
        this.#position = delimiter;
        if (end > start) return { kind: "text", position: start, text: text.slice(start, end) };
      }
      const inside = delimiter + (trims ? 4 : 2);
      if (!text.startsWith("/*", inside)) {
        this.#position = inside;
        this.#isInAction = true;
        this.#openParentheses = 0;
        return { kind: "left-delimiter", position: delimiter, text: "{{" };
      }
      const error = this.#skipComment(inside);
      if (error !== undefined) return error;
    }
  }

  #skipComment(start: number): Token | undefined {
    const text = this.#text;
    const close = text.indexOf("*/", start + 2);
    if (close === -1) return errorAt(start, "unclosed comment");
    const end = close + 2;
    if (text.startsWith("}}", end)) {
      this.#position = end + 2;
      return undefined;
    }
    if (!this.#isTrimmingDelimiter(end)) return errorAt(start, "comment ends before closing delimiter");
    this.#position = endOfSpace(text, end + 4);
    return undefined;
  }

  /** Whether ` -}}` stands here. */
  #isTrimmingDelimiter(position: number): boolean {
    const text = this.#text;
    return (
      text.charCodeAt(position + 1) === code.minus &&
      isSpace(text.charCodeAt(position)) &&
      text.startsWith("}}", position + 2)
    );
  }

  #isRightDelimiter(position: number): boolean {
    const text = this.#text;
    return text.charCodeAt(position) === code.rightBrace && text.charCodeAt(position + 1) === code.rightBrace;
  }

  #actionToken(): Token {
    const text = this.#text;
    const start = this.#position;
    if (this.#isTrimmingDelimiter(start)) return this.#closeAction(start, true);
    const first = text.charCodeAt(start);
    switch (first) {
      case code.rightBrace:
        return this.#isRightDelimiter(start) ? this.#closeAction(start, false) : this.#takeOne("character");
      case code.equals:
        return this.#takeOne("assign");
      case code.colon:
        return text.charCodeAt(start + 1) === code.equals
          ? this.#take("declare", start, start + 2)
          : errorAt(start, "expected :=");
      case code.pipe:
        return this.#takeOne("pipe");
      case code.doubleQuote:
        return this.#quoted("string", "unterminated quoted string");
      case code.singleQuote:
        return this.#quoted("character-constant", "unterminated character constant");
      case code.backquote:
        return this.#rawString();
      case code.dollar:
        return this.#isTerminator(start + 1) ? this.#takeOne("variable") : this.#name("variable");
      case code.dot:
        return this.#fieldOrNumber();
      case code.plus:
      case code.minus:
        return this.#number();
      case code.leftParenthesis:
        this.#openParentheses += 1;
        return this.#takeOne("left-parenthesis");
      case code.rightParenthesis:
        this.#openParentheses -= 1;
        return this.#openParentheses < 0
          ? errorAt(start, "unexpected right paren")
          : this.#takeOne("right-parenthesis");
      default:
    }
    if (first >= code.zero && first <= code.nine) return this.#number();
    if (isSpace(first)) return this.#space();
    return this.#word();
  }

  #closeAction(start: number, trims: boolean): Token {
    if (this.#openParentheses > 0) return errorAt(start, "unclosed left paren");
    const delimiter = trims ? start + 2 : start;
    const end = delimiter + 2;
    this.#position = trims ? endOfSpace(this.#text, end) : end;
    this.#isInAction = false;
    return { kind: "right-delimiter", position: delimiter, text: "}}" };
  }

  #space(): Token {
    const start = this.#position;
    const end = endOfSpace(this.#text, start);
    // The last space belongs to a delimiter that trims.
    return this.#take("space", start, this.#isTrimmingDelimiter(end - 1) ? end - 1 : end);
  }

  #word(): Token {
    const text = this.#text;
    const start = this.#position;
    const end = endOfWord(text, start);
    if (end === start) return this.#otherCharacter();
    if (!this.#isTerminator(end)) return errorAt(start, `bad character ${describeRune(text, end)}`);
    const word = text.slice(start, end);
    this.#position = end;
    return { kind: this.#kindOfWord(word), position: start, text: word };
  }

  #kindOfWord(word: string): TokenKind {
    if (word === "true" || word === "false") return "bool";
    if (!isKeyword(word)) return "identifier";
    if (word === "break" && !this.#options.breakIsKeyword) return "identifier";
    if (word === "continue" && !this.#options.continueIsKeyword) return "identifier";
    return word;
  }

  #otherCharacter(): Token {
    const start = this.#position;
    if (start >= this.#text.length) return errorAt(start, "unclosed action");
    const first = this.#text.charCodeAt(start);
    if (first >= 0x20 && first < 0x7f) return this.#takeOne("character");
    return errorAt(start, `unrecognized character in action: ${describeRune(this.#text, start)}`);
  }

  #fieldOrNumber(): Token {
    const next = this.#position + 1;
    const second = this.#text.charCodeAt(next);
    if (next === this.#text.length || (second >= code.zero && second <= code.nine)) return this.#number();
    return this.#isTerminator(next) ? this.#takeOne(".") : this.#name("field");
  }

  /** A field or variable, whose first character is already known. */
  #name(kind: "field" | "variable"): Token {
    const start = this.#position;
    const end = endOfWord(this.#text, start + 1);
    if (!this.#isTerminator(end)) return errorAt(start, `bad character ${describeRune(this.#text, end)}`);
    return this.#take(kind, start, end);
  }

  /** Whether a word may end here. */
  #isTerminator(position: number): boolean {
    const next = this.#text.charCodeAt(position);
    switch (next) {
      case code.dot:
      case code.comma:
      case code.pipe:
      case code.colon:
      case code.leftParenthesis:
      case code.rightParenthesis:
        return true;
      case code.rightBrace:
        return this.#isRightDelimiter(position);
      default:
        return isSpace(next) || position >= this.#text.length;
    }
  }

  #number(): Token {
    const start = this.#position;
    const end = this.#endOfNumber(start);
    if (this.#continuesAsWord(end)) return this.#badNumber(start, end);
    const sign = this.#text.charCodeAt(end);
    if (sign !== code.plus && sign !== code.minus) return this.#take("number", start, end);
    // A complex constant such as 1+2i.
    const complexEnd = this.#endOfNumber(end);
    if (this.#continuesAsWord(complexEnd) || !this.#text.startsWith("i", complexEnd - 1)) {
      return this.#badNumber(start, complexEnd);
    }
    return this.#take("complex", start, complexEnd);
  }

  #endOfNumber(start: number): number {
    number.lastIndex = start;
    return number.test(this.#text) ? number.lastIndex : start;
  }

  #continuesAsWord(position: number): boolean {
    return endOfWord(this.#text, position) > position;
  }

  /** The error shows the first character that does not belong to a number, too. */
  #badNumber(start: number, end: number): Token {
    const shownEnd = this.#continuesAsWord(end) ? end + runeAt(this.#text, end).width : end;
    return errorAt(start, `bad number syntax: ${quoteGo(this.#text.slice(start, shownEnd))}`);
  }

  #quoted(kind: "string" | "character-constant", unterminated: string): Token {
    const text = this.#text;
    const start = this.#position;
    const quote = text.charCodeAt(start);
    for (let end = start + 1; end < text.length; end++) {
      let next = text.charCodeAt(end);
      if (next === quote) return this.#take(kind, start, end + 1);
      if (next === code.backslash) {
        end += 1;
        next = text.charCodeAt(end);
      }
      if (next === code.newline) break;
    }
    return errorAt(start, unterminated);
  }

  #rawString(): Token {
    const start = this.#position;
    const end = this.#text.indexOf("`", start + 1);
    return end === -1
      ? errorAt(start, "unterminated raw quoted string")
      : this.#take("raw-string", start, end + 1);
  }

  #takeOne(kind: TokenKind): Token {
    return this.#take(kind, this.#position, this.#position + 1);
  }

  #take(kind: TokenKind, start: number, end: number): Token {
    this.#position = end;
    return { kind, position: start, text: this.#text.slice(start, end) };
  }
}

function errorAt(position: number, message: string): Token {
  return { kind: "error", position, text: message };
}
