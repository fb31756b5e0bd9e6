import { quoteGo, unquoteGo } from "../go/quote.ts";
import { isAscii } from "../go/utf8.ts";
import { GoError } from "../go/value.ts";
import { formatNode } from "./format-node.ts";
import type { Nesting } from "./nesting.ts";
import type {
  ArgumentNode,
  CommandNode,
  FieldNode,
  IdentifierNode,
  NumberNode,
  PipeNode,
  StringNode,
  VariableNode,
} from "./node.ts";
import { parseNumber } from "./number-node.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Token, TokenKind } from "./token.ts";
import type { VariableScope } from "./variable-scope.ts";

/** Parses what stands inside an action: pipelines, their commands and operands. */
export class PipelineParser {
  readonly #tokens: TokenReader;
  readonly #variables: VariableScope;
  readonly #hasFunction: (name: string) => boolean;
  readonly #nesting: Nesting;

  constructor(
    tokens: TokenReader,
    variables: VariableScope,
    hasFunction: (name: string) => boolean,
    nesting: Nesting,
  ) {
    this.#tokens = tokens;
    this.#variables = variables;
    this.#hasFunction = hasFunction;
    this.#nesting = nesting;
  }

  /** `declarations? command ('|' command)*` up to the token that ends it. @throws TemplateParseError */
  pipeline(context: string, end: "right-delimiter" | "right-parenthesis"): PipeNode {
    const { source } = this.#tokens;
    const { position } = this.#tokens.peekNonSpace();
    const { isAssign, declarations } = this.#declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.#tokens.nextNonSpace();
      if (token.kind === end) break;
      if (!operandKinds.has(token.kind)) this.#tokens.unexpected(token, context);
      this.#tokens.backUp(token);
      commands.push(this.#command());
    }
    this.#checkCommands(commands, context);
    return { kind: "pipe", position, source, isAssign, declarations, commands };
  }

  /** `$x :=`, `$x =`, or in a range `$index, $element :=`. */
  #declarations(context: string): Pick<PipeNode, "isAssign" | "declarations"> {
    const tokens = this.#tokens;
    const declarations: VariableNode[] = [];
    for (;;) {
      const variable = tokens.peekNonSpace();
      if (variable.kind !== "variable") return { isAssign: false, declarations };
      tokens.next();
      // Whether `$x` is an argument shows only after the space behind it, which an argument needs again.
      const following = tokens.peek();
      const next = tokens.peekNonSpace();
      if (next.kind === "assign" || next.kind === "declare") {
        tokens.next();
        declarations.push(this.#declare(variable));
        return { isAssign: next.kind === "assign", declarations };
      }
      if (next.kind !== "character" || next.text !== ",") {
        if (following.kind === "space") tokens.backUp(following);
        tokens.backUp(variable);
        return { isAssign: false, declarations };
      }
      tokens.next();
      declarations.push(this.#declare(variable));
      if (context !== "range" || declarations.length === 2) {
        tokens.fail(`too many declarations in ${context}`);
      }
      const { kind } = tokens.peekNonSpace();
      if (kind !== "variable" && kind !== "right-delimiter" && kind !== "right-parenthesis") {
        tokens.fail("range can only initialize variables");
      }
    }
  }

  #declare({ text, position }: Token): VariableNode {
    this.#variables.declare(text);
    return { kind: "variable", position, source: this.#tokens.source, identifiers: [text] };
  }

  #checkCommands(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.#tokens.fail(`missing value for ${context}`);
    for (let index = 1; index < commands.length; index++) {
      const first = commands[index]?.args[0];
      if (first !== undefined && (isLiteral(first) || first.kind === "dot")) {
        this.#tokens.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  /** `operand (space operand)*`, with the pipe behind it, but without what ends the pipeline. */
  #command(): CommandNode {
    const tokens = this.#tokens;
    const { position } = tokens.peekNonSpace();
    const args: ArgumentNode[] = [];
    for (;;) {
      const operand = this.#operand();
      if (operand !== undefined) args.push(operand);
      const token = tokens.next();
      if (token.kind === "space") continue;
      if (token.kind === "pipe") break;
      if (token.kind !== "right-delimiter" && token.kind !== "right-parenthesis") {
        tokens.unexpected(token, "operand");
      }
      tokens.backUp(token);
      break;
    }
    if (args.length === 0) tokens.fail("empty command");
    return { kind: "command", position, source: tokens.source, args };
  }

  /** `term .Field*`; undefined where no operand begins. */
  #operand(): ArgumentNode | undefined {
    const tokens = this.#tokens;
    const term = this.#term();
    if (term === undefined) return undefined;
    const { kind, position } = tokens.peek();
    if (kind !== "field") return term;
    const fields: string[] = [];
    while (tokens.peek().kind === "field") fields.push(tokens.next().text.slice(1));
    if (isLiteral(term) || term.kind === "dot") {
      tokens.fail(`unexpected . after term ${quoteGo(formatNode(term))}`);
    }
    if (term.kind === "field" || term.kind === "variable") {
      return { ...term, position, identifiers: [...term.identifiers, ...fields] };
    }
    return { kind: "chain", position, source: tokens.source, node: term, fields };
  }

  #term(): ArgumentNode | undefined {
    const token = this.#tokens.nextNonSpace();
    const { position, text } = token;
    const { source } = this.#tokens;
    const kind: string = token.kind;
    switch (kind) {
      case "identifier":
        return this.#identifier(token);
      case ".":
        return { kind: "dot", position, source };
      case "nil":
        return { kind: "nil", position, source };
      case "variable":
        return this.#variable(token);
      case "field":
        return { kind: "field", position, source, identifiers: [text.slice(1)] } satisfies FieldNode;
      case "bool":
        return { kind: "bool", position, source, value: text === "true" };
      case "character-constant":
      case "complex":
      case "number":
        return this.#number(token, kind);
      case "left-parenthesis":
        return this.#parentheses();
      case "string":
      case "raw-string":
        return this.#string(token);
      default:
        this.#tokens.backUp(token);
        return undefined;
    }
  }

  #identifier({ text, position }: Token): IdentifierNode {
    if (!this.#hasFunction(text)) this.#tokens.fail(`function ${quoteGo(text)} not defined`);
    return { kind: "identifier", position, source: this.#tokens.source, name: text };
  }

  #variable({ text, position }: Token): VariableNode {
    if (!this.#variables.has(text)) this.#tokens.fail(`undefined variable ${quoteGo(text)}`);
    return { kind: "variable", position, source: this.#tokens.source, identifiers: [text] };
  }

  #number({ text, position }: Token, kind: "character-constant" | "complex" | "number"): NumberNode {
    try {
      return { kind: "number", position, source: this.#tokens.source, text, ...parseNumber(text, kind) };
    } catch (error) {
      if (error instanceof GoError) this.#tokens.fail(error.message);
      throw error;
    }
  }

  #parentheses(): PipeNode {
    this.#nesting.enter();
    const pipe = this.pipeline("parenthesized pipeline", "right-parenthesis");
    this.#nesting.leave();
    return pipe;
  }

  #string(token: Token): StringNode {
    const { text: quoted, position } = token;
    return { kind: "string", position, source: this.#tokens.source, quoted, text: this.unquote(token) };
  }

  /** The string that a constant stands for. @throws TemplateParseError */
  unquote({ text }: Token): string {
    const isPlain = text.startsWith('"') && !text.includes("\\") && isAscii(text);
    return isPlain ? text.slice(1, -1) : (unquoteGo(text) ?? this.#tokens.fail("invalid syntax"));
  }
}

const operandKinds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "bool",
  "character-constant",
  "complex",
  ".",
  "field",
  "identifier",
  "number",
  "nil",
  "raw-string",
  "string",
  "variable",
  "left-parenthesis",
]);

function isLiteral({ kind }: ArgumentNode): boolean {
  return kind === "bool" || kind === "string" || kind === "number" || kind === "nil";
}
