import { printValue } from "../go/format.ts";
import { sliceText, TextBuilder } from "../go/text.ts";
import {
  GoBytes,
  GoInteger,
  GoMap,
  GoSlice,
  intOf,
  Tracked,
  untracked,
  type GoValue,
  type Text,
} from "../go/value.ts";
import { goTypes } from "../go/type.ts";
import type { Origin, Source, Span } from "../provenance/span.ts";
import { asNil, invalid, Invalid, type Evaluated, type Functions } from "./evaluated.ts";
import { Evaluation } from "./evaluation.ts";
import { quoteGo } from "../go/quote.ts";
import type {
  IfNode,
  ListNode,
  RangeNode,
  StatementNode,
  TemplateNode,
  TemplateTree,
  TextNode,
  WithNode,
} from "./node.ts";

/** The templates that one execution can call by name. */
export interface Templates extends Functions {
  findTemplate(name: string): TemplateTree | undefined;
}

/** Text/template's own limit of `{{template}}` inside `{{template}}`. */
const maxDepth = 100_000;

type Flow = "next" | "break" | "continue";

/**
 * Executes a template and gives what it writes.
 * @throws TemplateExecError as text/template; FairleadError `limit-exceeded`
 */
export function executeTemplate(tree: TemplateTree, templates: Templates, data: Evaluated): Text {
  const output = new TextBuilder();
  new Execution(tree, templates, data, output, 0, []).list(tree.root);
  return output.toText();
}

class Execution {
  readonly #templates: Templates;
  readonly #output: TextBuilder;
  readonly #depth: number;
  readonly #evaluation: Evaluation;
  readonly #tracking: boolean;
  /** The empty values because of which this part is written, where they are tracked. */
  #insteadOf: readonly Origin[];

  constructor(
    tree: TemplateTree,
    templates: Templates,
    data: Evaluated,
    output: TextBuilder,
    depth: number,
    insteadOf: readonly Origin[],
  ) {
    this.#templates = templates;
    this.#output = output;
    this.#depth = depth;
    this.#evaluation = new Evaluation(tree, templates, data);
    this.#tracking = templates.context.tracking;
    this.#insteadOf = insteadOf;
  }

  list(list: ListNode): Flow {
    this.#evaluation.at(list);
    for (const node of list.nodes) {
      const flow = this.#statement(node);
      if (flow !== "next") return flow;
    }
    return "next";
  }

  #statement(node: StatementNode): Flow {
    this.#templates.context.budget.spendStep();
    this.#evaluation.at(node);
    switch (node.kind) {
      case "text":
        this.#write(node);
        return "next";
      case "action": {
        const value = this.#evaluation.pipeline(node.pipe);
        if (node.pipe.declarations.length === 0) {
          this.#evaluation.at(node);
          this.#print(value);
        }
        return "next";
      }
      case "if":
      case "with":
        return this.#branch(node);
      case "range":
        return this.#range(node);
      case "template":
        this.#template(node);
        return "next";
      default:
        return node.kind;
    }
  }

  #write(node: TextNode): void {
    this.#templates.context.budget.spendBytes(node.text.length);
    if (!this.#tracking) {
      this.#output.append(node.text);
      return;
    }
    const { name, text } = this.#evaluation.tree.source;
    if (text instanceof Tracked) {
      this.#output.append(sliceText(text, node.position, node.position + node.text.length));
      return;
    }
    const origins: readonly Origin[] = [{ kind: "template", file: name, offset: node.position }];
    const source: Source =
      this.#insteadOf.length === 0
        ? { origins, exact: true }
        : { origins, exact: true, insteadOf: this.#insteadOf };
    this.#output.appendFrom(node.text, source);
  }

  #print(value: Evaluated): void {
    const { budget } = this.#templates.context;
    const text = value instanceof Invalid ? "<no value>" : printValue(value, budget);
    budget.spendBytes(typeof text === "string" ? text.length : text.value.length);
    this.#output.append(text instanceof Tracked && this.#insteadOf.length > 0 ? this.#marked(text) : text);
  }

  /** What is printed where a value is empty could be replaced by that value. */
  #marked(text: Tracked<string>): Text {
    const spans = text.spans.map((span): Span => {
      const insteadOf = [...(span.source.insteadOf ?? []), ...this.#insteadOf];
      return { ...span, source: { ...span.source, insteadOf } };
    });
    return new Tracked(text.value, spans);
  }

  #branch(node: IfNode | WithNode): Flow {
    const evaluation = this.#evaluation;
    const mark = evaluation.variables.length;
    const value = evaluation.pipeline(node.pipe);
    const { dot, dotIsInterface } = evaluation;
    const outer = this.#insteadOf;
    let flow: Flow = "next";
    if (evaluation.truth(value)) {
      if (node.kind === "with") {
        evaluation.dot = value;
        evaluation.dotIsInterface = false;
      }
      flow = this.list(node.list);
    } else {
      if (this.#tracking) this.#passOver(value);
      if (node.elseList !== undefined) flow = this.list(node.elseList);
    }
    this.#insteadOf = outer;
    evaluation.dot = dot;
    evaluation.dotIsInterface = dotIsInterface;
    evaluation.variables.length = mark;
    return flow;
  }

  #passOver(condition: Evaluated): void {
    const origins = valueOrigins(condition);
    this.#insteadOf = [...this.#insteadOf, ...origins];
    for (const origin of origins) this.#templates.context.emptyConditions?.add(origin);
  }

  #range(node: RangeNode): Flow {
    const evaluation = this.#evaluation;
    const outerMark = evaluation.variables.length;
    const { dot, dotIsInterface } = evaluation;
    const value = asNil(evaluation.pipeline(node.pipe));
    const mark = evaluation.variables.length;
    let hasRun = false;
    let flow: Flow = "next";
    for (const [index, element, isInterface] of this.#iterations(untracked(value), node)) {
      hasRun = true;
      this.#templates.context.budget.spendStep();
      this.#bind(node, index, element, isInterface);
      evaluation.dot = element;
      evaluation.dotIsInterface = isInterface;
      flow = this.list(node.list);
      evaluation.variables.length = mark;
      if (flow === "break") break;
    }
    evaluation.dot = dot;
    evaluation.dotIsInterface = dotIsInterface;
    flow = "next";
    if (!hasRun && node.elseList !== undefined) flow = this.list(node.elseList);
    evaluation.variables.length = outerMark;
    return flow;
  }

  *#iterations(
    value: Exclude<GoValue, Tracked>,
    node: RangeNode,
  ): Generator<readonly [index: Evaluated, element: GoValue, isInterface: boolean]> {
    if (value === null) return;
    if (value instanceof GoSlice) {
      const isInterface = value.type.element?.kind === "interface";
      const { length } = value.items;
      for (let index = 0; index < length; index++) {
        yield [intOf(index), value.items[index] ?? null, isInterface];
      }
    } else if (value instanceof GoMap) {
      const isInterface = value.type.element?.kind === "interface";
      this.#templates.context.budget.spendCopies(value.entries.size);
      const entries = value.sortedKeys().map((key) => [key, value.entries.get(key) ?? null] as const);
      for (const [key, element] of entries) yield [value.keyValue(key), element, isInterface];
    } else if (value instanceof GoInteger) {
      if (node.pipe.declarations.length > 1) {
        this.#evaluation.fail(`can't use ${value.value} to iterate over more than one variable`);
      }
      for (let count = 0n; count < value.value; count++) {
        yield [invalid, new GoInteger(count, value.type), false];
      }
    } else if (value instanceof GoBytes) {
      for (let index = 0; index < value.text.length; index++) {
        const byte = new GoInteger(BigInt(value.text.charCodeAt(index)), goTypes.uint8);
        yield [intOf(index), byte, false];
      }
    } else {
      const text = printValue(value, this.#templates.context.budget);
      this.#evaluation.fail(`range can't iterate over ${typeof text === "string" ? text : text.value}`);
    }
  }

  #bind(node: RangeNode, index: Evaluated, element: GoValue, isInterface: boolean): void {
    const { declarations, isAssign } = node.pipe;
    if (declarations.length === 0) return;
    const [first = "", second = ""] = declarations.map(({ identifiers }) => identifiers[0] ?? "");
    const hasIndex = declarations.length > 1;
    if (isAssign) {
      this.#evaluation.assign(first, hasIndex ? index : element, !hasIndex && isInterface);
      if (hasIndex) this.#evaluation.assign(second, element, isInterface);
      return;
    }
    this.#evaluation.setTop(1, element, isInterface);
    if (hasIndex) this.#evaluation.setTop(2, index, false);
  }

  #template(node: TemplateNode): void {
    const tree = this.#templates.findTemplate(node.name);
    if (tree === undefined) return this.#evaluation.fail(`template ${quoteGo(node.name)} not defined`);
    if (this.#depth === maxDepth) {
      return this.#evaluation.fail(`exceeded maximum template depth (${maxDepth})`);
    }
    const data = this.#evaluation.pipeline(node.pipe);
    const depth = this.#depth + 1;
    new Execution(tree, this.#templates, data, this.#output, depth, this.#insteadOf).list(tree.root);
  }
}

/** The value paths that a condition comes from. */
function valueOrigins(value: Evaluated): Origin[] {
  if (!(value instanceof Invalid || value instanceof Tracked)) return [];
  return value.spans.flatMap(({ source }) => source.origins.filter(({ kind }) => kind === "value"));
}
