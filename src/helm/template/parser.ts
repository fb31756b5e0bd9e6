import { quoteGo } from "../go/quote.ts";
import { plainText } from "../go/text.ts";
import { Lexer } from "./lexer.ts";
import { Nesting } from "./nesting.ts";
import type {
  BreakNode,
  ContinueNode,
  IfNode,
  ListNode,
  RangeNode,
  StatementNode,
  TemplateNode,
  TemplateSource,
  TemplateTree,
  WithNode,
} from "./node.ts";
import { PipelineParser } from "./parse-pipeline.ts";
import { TokenReader } from "./token-reader.ts";
import type { Token } from "./token.ts";
import { isEmptyTree } from "./empty-tree.ts";
import { VariableScope } from "./variable-scope.ts";

/**
 * Parses a template as text/template/parse does (Go 1.26).
 * @param hasFunction whether templates may call a function of this name
 * @param maxDepth how deep actions and parentheses may stand in each other; Go takes 10,000 parentheses
 * @returns the tree of the source and those of its `define` and `block` actions, by their names
 * @throws TemplateParseError with Go's message
 * @throws FairleadError `limit-exceeded`
 */
export function parseTemplate(
  source: TemplateSource,
  hasFunction: (name: string) => boolean,
  maxDepth = 300,
): ReadonlyMap<string, TemplateTree> {
  const trees = new Map<string, TemplateTree>();
  const lexer = new Lexer(plainText(source.text), {
    breakIsKeyword: !hasFunction("break"),
    continueIsKeyword: !hasFunction("continue"),
  });
  const nesting = new Nesting(source.name, maxDepth);
  new TreeParser({ source, lexer, hasFunction, nesting, trees }).parseSource();
  return trees;
}

/** What the parsers of all trees of a source share. */
interface SharedState {
  readonly source: TemplateSource;
  readonly lexer: Lexer;
  readonly hasFunction: (name: string) => boolean;
  readonly nesting: Nesting;
  readonly trees: Map<string, TemplateTree>;
}

/** What ends a list of statements: `{{end}}`, or `{{else}}` with the `if` or `with` that may follow still to be read. */
interface ListEnd {
  readonly kind: "end" | "else";
  readonly position: number;
}

type Branch = IfNode | WithNode | RangeNode;

/** Parses one tree: the source itself, a `define` or a `block`. Each has variables and loops of its own. */
class TreeParser {
  readonly #shared: SharedState;
  readonly #source: TemplateSource;
  readonly #tokens: TokenReader;
  readonly #variables = new VariableScope();
  readonly #pipelines: PipelineParser;
  #openRanges = 0;

  constructor(shared: SharedState) {
    const { source, lexer, hasFunction, nesting } = shared;
    this.#shared = shared;
    this.#source = source;
    this.#tokens = new TokenReader(source, lexer);
    this.#pipelines = new PipelineParser(this.#tokens, this.#variables, hasFunction, nesting);
  }

  /** The whole source: the only place where `define` may stand. */
  parseSource(): void {
    const tokens = this.#tokens;
    const nodes: StatementNode[] = [];
    const { position } = tokens.peek();
    while (tokens.peek().kind !== "end-of-file") {
      if (this.#isAtDefinition()) {
        new TreeParser(this.#shared).#definition();
        continue;
      }
      const statement = this.#statement();
      if (isListEnd(statement)) this.#tokens.fail(`unexpected {{${statement.kind}}}`);
      nodes.push(statement);
    }
    this.#add(this.#source.name, { kind: "list", position, source: this.#source, nodes });
  }

  /** Passes `{{define`, or leaves everything as it is. */
  #isAtDefinition(): boolean {
    const delimiter = this.#tokens.peek();
    if (delimiter.kind !== "left-delimiter") return false;
    this.#tokens.next();
    const word = this.#tokens.nextNonSpace();
    if (word.kind === "define") return true;
    this.#tokens.backUp(word);
    this.#tokens.backUp(delimiter);
    return false;
  }

  /** `{{define "name"}} list {{end}}`, from the name on. */
  #definition(): void {
    const context = "define clause";
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    this.#tokens.expect("right-delimiter", context);
    const { list, end } = this.#list();
    if (end.kind !== "end") this.#tokens.fail(`unexpected {{else}} in ${context}`);
    this.#add(name, list);
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== "string" && token.kind !== "raw-string") this.#tokens.unexpected(token, context);
    return this.#pipelines.unquote(token);
  }

  /** Of two trees of one name, one has to be empty. */
  #add(name: string, root: ListNode): void {
    const { trees } = this.#shared;
    const present = trees.get(name);
    if (present === undefined || isEmptyTree(present.root)) {
      trees.set(name, { name, source: this.#source, root });
    } else if (!isEmptyTree(root)) {
      this.#tokens.fail(`template: multiple definition of template ${quoteGo(name)}`);
    }
  }

  /** Statements up to `{{end}}` or `{{else}}`. */
  #list(): { readonly list: ListNode; readonly end: ListEnd } {
    const { position } = this.#tokens.peekNonSpace();
    const nodes: StatementNode[] = [];
    while (this.#tokens.peekNonSpace().kind !== "end-of-file") {
      const statement = this.#statement();
      if (isListEnd(statement)) {
        return { list: { kind: "list", position, source: this.#source, nodes }, end: statement };
      }
      nodes.push(statement);
    }
    return this.#tokens.fail("unexpected EOF");
  }

  #statement(): StatementNode | ListEnd {
    const token = this.#tokens.nextNonSpace();
    const { position, text } = token;
    if (token.kind === "text") return { kind: "text", position, source: this.#source, text };
    if (token.kind !== "left-delimiter") this.#tokens.unexpected(token, "input");
    this.#tokens.beginAction(token);
    const node = this.#action();
    this.#tokens.endAction();
    return node;
  }

  /** What stands between the delimiters, from behind the left one on. */
  #action(): StatementNode | ListEnd {
    const token = this.#tokens.nextNonSpace();
    const word: string = token.kind;
    switch (word) {
      case "block":
        return this.#block();
      case "break":
      case "continue":
        return this.#loopControl(token, word);
      case "else":
        return this.#else();
      case "end":
        return { kind: "end", position: this.#tokens.expect("right-delimiter", "end").position };
      case "if":
      case "range":
      case "with":
        return this.#branch(word);
      case "template":
        return this.#template();
      default: {
        this.#tokens.backUp(token);
        const pipe = this.#pipelines.pipeline("command", "right-delimiter");
        return { kind: "action", position: token.position, source: this.#source, pipe };
      }
    }
  }

  #loopControl({ position }: Token, kind: "break" | "continue"): BreakNode | ContinueNode {
    const token = this.#tokens.nextNonSpace();
    if (token.kind !== "right-delimiter") this.#tokens.unexpected(token, `{{${kind}}}`);
    if (this.#openRanges === 0) this.#tokens.fail(`{{${kind}}} outside {{range}}`);
    return { kind, position, source: this.#source };
  }

  #else(): ListEnd {
    const { kind, position } = this.#tokens.peekNonSpace();
    if (kind === "if" || kind === "with") return { kind: "else", position };
    return { kind: "else", position: this.#tokens.expect("right-delimiter", "else").position };
  }

  /** `{{if pipeline}} list {{else}} list {{end}}`, from the pipeline on; likewise `with` and `range`. */
  #branch(kind: Branch["kind"]): Branch {
    const mark = this.#variables.mark;
    this.#shared.nesting.enter();
    const pipe = this.#pipelines.pipeline(kind, "right-delimiter");
    if (kind === "range") this.#openRanges += 1;
    const { list, end } = this.#list();
    if (kind === "range") this.#openRanges -= 1;
    const elseList = end.kind === "else" ? this.#elseList(kind, end.position) : undefined;
    this.#shared.nesting.leave();
    this.#variables.leave(mark);
    return { kind, position: pipe.position, source: this.#source, pipe, list, elseList };
  }

  /** `{{else if …}}` is `{{else}}{{if …}}` whose `{{end}}` ends both; likewise `{{else with …}}`. */
  #elseList(kind: Branch["kind"], position: number): ListNode {
    const next = this.#tokens.peek().kind;
    if (next === kind && (next === "if" || next === "with")) {
      this.#tokens.next();
      return { kind: "list", position, source: this.#source, nodes: [this.#branch(next)] };
    }
    const { list, end } = this.#list();
    if (end.kind !== "end") this.#tokens.fail("expected end; found {{else}}");
    return list;
  }

  /** `{{block "name" pipeline}} list {{end}}`, from the name on: a definition and its use. */
  #block(): TemplateNode {
    const context = "block clause";
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipelines.pipeline(context, "right-delimiter");
    this.#shared.nesting.enter();
    const block = new TreeParser(this.#shared);
    const { list, end } = block.#list();
    if (end.kind !== "end") this.#tokens.fail(`unexpected {{else}} in ${context}`);
    block.#add(name, list);
    this.#shared.nesting.leave();
    return { kind: "template", position: token.position, source: this.#source, name, pipe };
  }

  /** `{{template "name" pipeline}}`, from the name on. */
  #template(): TemplateNode {
    const context = "template clause";
    const token = this.#tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const next = this.#tokens.nextNonSpace();
    const node = { kind: "template", position: token.position, source: this.#source, name } as const;
    if (next.kind === "right-delimiter") return { ...node, pipe: undefined };
    this.#tokens.backUp(next);
    return { ...node, pipe: this.#pipelines.pipeline(context, "right-delimiter") };
  }
}

function isListEnd(node: StatementNode | ListEnd): node is ListEnd {
  return node.kind === "end" || node.kind === "else";
}
