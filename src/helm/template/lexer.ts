import { byte, describeRune, endOfSpace, endOfWord, isSpace, startOfSpace, isDecimal } from "./character.ts";
import { lexNumber, lexQuoted, lexRawString } from "./lex-constant.ts";
import { errorToken, isKeyword, type Token, type TokenKind } from "./token.ts";

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
      const trims = text.charCodeAt(delimiter + 2) === byte.minus && isSpace(text.charCodeAt(delimiter + 3));
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
    if (close === -1) return errorToken(start, "unclosed comment");
    const end = close + 2;
    if (text.startsWith("}}", end)) {
      this.#position = end + 2;
      return undefined;
    }
    if (!this.#isTrimmingDelimiter(end)) return errorToken(start, "comment ends before closing delimiter");
    this.#position = endOfSpace(text, end + 4);
    return undefined;
  }

  /** Whether ` -}}` stands here. */
  #isTrimmingDelimiter(position: number): boolean {
    const text = this.#text;
    return (
      text.charCodeAt(position + 1) === byte.minus &&
      isSpace(text.charCodeAt(position)) &&
      text.startsWith("}}", position + 2)
    );
  }

  #isRightDelimiter(position: number): boolean {
    const text = this.#text;
    return text.charCodeAt(position) === byte.rightBrace && text.charCodeAt(position + 1) === byte.rightBrace;
  }

  #actionToken(): Token {
    const text = this.#text;
    const start = this.#position;
    if (this.#isTrimmingDelimiter(start)) return this.#closeAction(start, true);
    const first = text.charCodeAt(start);
    switch (first) {
      case byte.rightBrace:
        return this.#isRightDelimiter(start) ? this.#closeAction(start, false) : this.#takeOne("character");
      case byte.equals:
        return this.#takeOne("assign");
      case byte.colon:
        return text.charCodeAt(start + 1) === byte.equals
          ? this.#take("declare", start, start + 2)
          : errorToken(start, "expected :=");
      case byte.pipe:
        return this.#takeOne("pipe");
      case byte.doubleQuote:
        return this.#accept(lexQuoted(text, start, "string"));
      case byte.singleQuote:
        return this.#accept(lexQuoted(text, start, "character-constant"));
      case byte.backquote:
        return this.#accept(lexRawString(text, start));
      case byte.dollar:
        return this.#isTerminator(start + 1) ? this.#takeOne("variable") : this.#name("variable");
      case byte.dot:
        return this.#fieldOrNumber(start);
      case byte.plus:
      case byte.minus:
        return this.#accept(lexNumber(text, start));
      case byte.leftParenthesis:
        this.#openParentheses += 1;
        return this.#takeOne("left-parenthesis");
      case byte.rightParenthesis:
        this.#openParentheses -= 1;
        return this.#openParentheses < 0
          ? errorToken(start, "unexpected right paren")
          : this.#takeOne("right-parenthesis");
      default:
    }
    if (isDecimal(first)) return this.#accept(lexNumber(text, start));
    if (isSpace(first)) return this.#space();
    return this.#word();
  }

  #closeAction(start: number, trims: boolean): Token {
    if (this.#openParentheses > 0) return errorToken(start, "unclosed left paren");
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
    if (!this.#isTerminator(end)) return errorToken(start, `bad character ${describeRune(text, end)}`);
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
    if (start >= this.#text.length) return errorToken(start, "unclosed action");
    const first = this.#text.charCodeAt(start);
    if (first >= 0x20 && first < 0x7f) return this.#takeOne("character");
    return errorToken(start, `unrecognized character in action: ${describeRune(this.#text, start)}`);
  }

  #fieldOrNumber(start: number): Token {
    const text = this.#text;
    const next = start + 1;
    if (next === text.length || isDecimal(text.charCodeAt(next))) return this.#accept(lexNumber(text, start));
    return this.#isTerminator(next) ? this.#takeOne(".") : this.#name("field");
  }

  /** A field or variable, whose first character is already known. */
  #name(kind: "field" | "variable"): Token {
    const start = this.#position;
    const end = endOfWord(this.#text, start + 1);
    if (!this.#isTerminator(end)) return errorToken(start, `bad character ${describeRune(this.#text, end)}`);
    return this.#take(kind, start, end);
  }

  /** Whether a word may end here. */
  #isTerminator(position: number): boolean {
    const next = this.#text.charCodeAt(position);
    switch (next) {
      case byte.dot:
      case byte.comma:
      case byte.pipe:
      case byte.colon:
      case byte.leftParenthesis:
      case byte.rightParenthesis:
        return true;
      case byte.rightBrace:
        return this.#isRightDelimiter(position);
      default:
        return isSpace(next) || position >= this.#text.length;
    }
  }

  #takeOne(kind: TokenKind): Token {
    return this.#take(kind, this.#position, this.#position + 1);
  }

  #accept(token: Token): Token {
    this.#position = token.position + token.text.length;
    return token;
  }

  #take(kind: TokenKind, start: number, end: number): Token {
    this.#position = end;
    return { kind, position: start, text: this.#text.slice(start, end) };
  }
}
