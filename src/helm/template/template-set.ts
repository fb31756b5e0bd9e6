import { FairleadError } from "../../core/error.ts";
import type { GoContext } from "../go/context.ts";
import type { FunctionTable } from "../go/function.ts";
import { GoError, type GoFunction, type GoValue, type Text } from "../go/value.ts";
import { quoteGo } from "../go/quote.ts";
import { fromBytes } from "../go/utf8.ts";
import { executeTemplate, type Templates } from "./execution.ts";
import { withoutInterface } from "./evaluated.ts";
import { isEmptyTree } from "./empty-tree.ts";
import type { ListNode, TemplateSource, TemplateTree } from "./node.ts";
import { parseTemplate } from "./parser.ts";

/** Functions that belong to one set, such as `include`, which looks its templates up there. */
export type BindFunctions = (set: TemplateSet) => FunctionTable;

/** Templates that can call each other by name, with the functions that they can call. */
export class TemplateSet implements Templates {
  readonly context: GoContext;
  readonly #functions: FunctionTable;
  readonly #bind: BindFunctions;
  readonly #bound: FunctionTable;
  readonly #parent: TemplateSet | undefined;
  readonly #templates = new Map<string, TemplateTree>();

  constructor(
    functions: FunctionTable,
    context: GoContext,
    bind: BindFunctions = () => ({}),
    parent?: TemplateSet,
  ) {
    this.context = context;
    this.#functions = functions;
    this.#bind = bind;
    this.#parent = parent;
    this.#bound = bind(this);
  }

  /** A set that has these templates too, and whose own do not get into this one (Go's Template.Clone). */
  createChild(): TemplateSet {
    return new TemplateSet(this.#functions, this.context, this.#bind, this);
  }

  /**
   * Adds the templates of a text; an empty one does not replace one that is there.
   * @returns the text's own template
   * @throws TemplateParseError, FairleadError `limit-exceeded`
   */
  parse(source: TemplateSource): TemplateTree {
    const trees = this.read(source);
    this.add(trees);
    return trees.get(source.name) ?? { name: source.name, source, root: emptyList(source) };
  }

  /**
   * Parses a text, and adds nothing.
   * @returns what {@link add} takes, of this set or of another one with the same functions
   * @throws TemplateParseError, FairleadError `limit-exceeded`
   */
  read(source: TemplateSource): ReadonlyMap<string, TemplateTree> {
    return parseTemplate(source, (name) => this.#isFunction(name));
  }

  /** Adds templates; an empty one does not replace one that is there. */
  add(trees: ReadonlyMap<string, TemplateTree>): void {
    for (const [name, tree] of trees) {
      if (isEmptyTree(tree.root) && this.findTemplate(name) !== undefined) continue;
      this.#templates.set(name, tree);
    }
  }

  /**
   * Executes a template of the set.
   * @throws GoError where there is none of this name; TemplateExecError; FairleadError `limit-exceeded`
   */
  execute(name: string, data: GoValue): Text {
    const tree = this.findTemplate(name);
    if (tree === undefined) {
      throw new GoError(`template: no template ${quoteGo(name)} associated with template "gotpl"`);
    }
    return this.executeTree(tree, data);
  }

  /** Executes a template that {@link parse} gave. */
  executeTree(tree: TemplateTree, data: GoValue): Text {
    try {
      return executeTemplate(tree, this, withoutInterface(data));
    } catch (error) {
      // Not every depth can be counted beforehand: what JavaScript's own stack refuses is a limit too.
      if (!(error instanceof RangeError)) throw error;
      // No expression here: there may be no stack left for one.
      if (lengthErrors.has(error.message)) throw tooLong(tree, error);
      throw new StackExhaustedError(tree, error);
    }
  }

  findTemplate(name: string): TemplateTree | undefined {
    return this.#templates.get(name) ?? this.#parent?.findTemplate(name);
  }

  findFunction(name: string): GoFunction | undefined {
    if (Object.hasOwn(this.#bound, name)) return this.#bound[name];
    return Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
  }

  #isFunction(name: string): boolean {
    return name === "and" || name === "or" || this.findFunction(name) !== undefined;
  }
}

/** JavaScript's stack ran out, which says nothing of the depth that Go's would allow. */
export class StackExhaustedError extends FairleadError {
  constructor({ name }: TemplateTree, cause: RangeError) {
    super("limit-exceeded", `the template ${fromBytes(name)} nests too deeply`, {
      hint: "look for a template that includes itself",
      cause,
    });
  }
}

/** What V8 says of a text or list that is longer than it can hold. */
const lengthErrors = new Set(["Invalid string length", "Invalid array length"]);

function tooLong({ name }: TemplateTree, cause: RangeError): FairleadError {
  const message = `the template ${fromBytes(name)} makes a text or list longer than JavaScript can hold`;
  return new FairleadError("limit-exceeded", message, { cause });
}

function emptyList(source: TemplateSource): ListNode {
  return { kind: "list", position: 0, source, nodes: [] };
}
