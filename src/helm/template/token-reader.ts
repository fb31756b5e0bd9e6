import { plainText } from "../go/text.ts";
import type { Lexer } from "./lexer.ts";
import type { TemplateSource } from "./node.ts";
import { TemplateParseError } from "./template-error.ts";
import { describeToken, type Token, type TokenKind } from "./token.ts";

/** The tokens of one tree as its parser reads them, with a look ahead, and the errors about them. */
export class TokenReader {
  readonly source: TemplateSource;
  readonly #lexer: Lexer;
  /** What is to be read again, last first. */
  readonly #pending: Token[] = [];
  /** Errors are about the line of the token that was lexed last. */
  #lastPosition = 0;
  /** The delimiter of the action that is being read. */
  #actionPosition: number | undefined;

  constructor(source: TemplateSource, lexer: Lexer) {
    this.source = source;
    this.#lexer = lexer;
  }

  next(): Token {
    const again = this.#pending.pop();
    if (again !== undefined) return again;
    const token = this.#lexer.next();
    this.#lastPosition = token.position;
    return token;
  }

  /** Lets a token be read again. */
  backUp(token: Token): void {
    this.#pending.push(token);
  }

  peek(): Token {
    const token = this.next();
    this.#pending.push(token);
    return token;
  }

  nextNonSpace(): Token {
    let token = this.next();
    while (token.kind === "space") token = this.next();
    return token;
  }

  /** The next token that is no space; the spaces before it are gone. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.#pending.push(token);
    return token;
  }

  expect(kind: TokenKind, context: string): Token {
    const token = this.nextNonSpace();
    return token.kind === kind ? token : this.unexpected(token, context);
  }

  /** An action begins; errors further down say where, until {@link endAction}. */
  beginAction(delimiter: Token): void {
    this.#actionPosition = delimiter.position;
  }

  endAction(): void {
    this.#actionPosition = undefined;
  }

  /** @throws TemplateParseError about a token that cannot stand where it stands */
  unexpected(token: Token, context: string): never {
    if (token.kind !== "error") this.fail(`unexpected ${describeToken(token)} in ${context}`);
    this.fail(`${token.text}${this.#startOfAction(token)}`);
  }

  /** @throws TemplateParseError */
  fail(problem: string): never {
    throw new TemplateParseError(this.source.name, this.#lineOf(this.#lastPosition), problem);
  }

  #startOfAction(token: Token): string {
    if (this.#actionPosition === undefined) return "";
    const line = this.#lineOf(this.#actionPosition);
    if (line === this.#lineOf(token.position)) return "";
    const inAction = token.text.endsWith(" action") ? "" : " in action";
    return `${inAction} started at ${this.source.name}:${line}`;
  }

  #lineOf(position: number): number {
    return plainText(this.source.text).slice(0, position).split("\n").length;
  }
}
