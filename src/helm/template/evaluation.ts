import type { GoContext } from "../go/context.ts";
import { quoteGo } from "../go/quote.ts";
import { namedIntegerMethods } from "../go/named-integer.ts";
import { passingOver } from "../go/passed-over.ts";
import { derivedFrom, trackedFrom } from "../go/text.ts";
import { goTypes, isAssignable, type GoType } from "../go/type.ts";
import {
  GoBytes,
  GoComplex,
  GoError,
  GoInteger,
  GoMap,
  GoSlice,
  GoStruct,
  intOf,
  isTrue,
  nilMap,
  nilSlice,
  Tracked,
  typeOf,
  untracked,
  type GoFunction,
  type GoValue,
  type Parameter,
} from "../go/value.ts";
import type { Source } from "../provenance/span.ts";
import { asNil, invalid, Invalid, typeNameOf, withoutInterface } from "./evaluated.ts";
import type { Evaluated, Functions } from "./evaluated.ts";
import { TemplateExecError } from "./exec-error.ts";
import { formatNode, locateNode } from "./format-node.ts";
import type {
  ArgumentNode,
  BoolNode,
  ChainNode,
  CommandNode,
  FieldNode,
  NumberNode,
  PipeNode,
  StringNode,
  TemplateSyntaxNode,
  TemplateTree,
  VariableNode,
} from "./node.ts";

interface Variable {
  readonly name: string;
  value: Evaluated;
  /** Whether Go holds it as an interface, as it does with what `range` gives; errors tell. */
  isInterface: boolean;
}

/** Nothing comes down the pipeline. */
const absent = Symbol("absent");
type Final = Evaluated | typeof absent;

type Receiver = FieldNode | ChainNode | VariableNode;

/** Evaluates the expressions of one execution of a template, as text/template's exec.go does. */
export class Evaluation {
  readonly tree: TemplateTree;
  readonly variables: Variable[];
  dot: Evaluated;
  dotIsInterface = false;
  readonly #functions: Functions;
  readonly #context: GoContext;
  #node: TemplateSyntaxNode | undefined;

  constructor(tree: TemplateTree, functions: Functions, dot: Evaluated) {
    this.tree = tree;
    this.#functions = functions;
    this.#context = functions.context;
    this.dot = dot;
    this.variables = [{ name: "$", value: dot, isInterface: false }];
  }

  /** Errors name this node from now on. */
  at(node: TemplateSyntaxNode): void {
    this.#node = node;
  }

  fail(message: string, cause?: Error): never {
    const { name, source } = this.tree;
    if (this.#node === undefined) throw new TemplateExecError(name, `template: ${name}: ${message}`, cause);
    const { location, context } = locateNode({ ...this.#node, source });
    const place = `template: ${location}: executing ${quoteGo(name)} at <${context}>`;
    throw new TemplateExecError(name, `${place}: ${message}`, cause);
  }

  pipeline(pipe: PipeNode | undefined): Evaluated {
    if (pipe === undefined) return invalid;
    this.at(pipe);
    let final: Final = absent;
    for (const command of pipe.commands) final = withoutInterface(this.#command(command, final));
    const value = final === absent ? invalid : final;
    for (const { identifiers } of pipe.declarations) {
      const name = identifiers[0] ?? "";
      if (pipe.isAssign) this.assign(name, value, false);
      else this.variables.push({ name, value, isInterface: false });
    }
    return value;
  }

  /** Gives a new value to the innermost variable of a name. */
  assign(name: string, value: Evaluated, isInterface: boolean): void {
    const variable = this.#findVariable(name);
    variable.value = value;
    variable.isInterface = isInterface;
  }

  /** Gives a new value to the nth variable from the top, as `range` does with its own. */
  setTop(depth: number, value: Evaluated, isInterface: boolean): void {
    const variable = this.variables.at(-depth);
    if (variable === undefined) return;
    variable.value = value;
    variable.isInterface = isInterface;
  }

  #findVariable(name: string): Variable {
    for (let index = this.variables.length - 1; index >= 0; index--) {
      const variable = this.variables[index];
      if (variable?.name === name) return variable;
    }
    return this.fail(`undefined variable: ${name}`);
  }

  #command(command: CommandNode, final: Final): Evaluated {
    const { args } = command;
    const word = args[0];
    if (word === undefined) return invalid;
    switch (word.kind) {
      case "field":
      case "chain":
      case "variable":
        return this.#receiver(word, args, final);
      case "identifier":
        this.at(word);
        return this.#function(word.name, command, args, final);
      case "pipe":
        this.#refuseArguments(args, final);
        return this.pipeline(word);
      default:
    }
    this.at(word);
    this.#refuseArguments(args, final);
    if (word.kind === "nil") return this.fail("nil is not a command");
    return word.kind === "dot" ? this.dot : this.#constant(word);
  }

  #refuseArguments(args: readonly ArgumentNode[], final: Final): void {
    if (args.length <= 1 && final === absent) return;
    const word = args[0] === undefined ? "" : formatNode(args[0]);
    this.fail(`can't give argument to non-function ${word}`);
  }

  /** A field chain of the dot, of a variable or of a parenthesised pipeline; the last field may be a method. */
  #receiver(node: Receiver, args: readonly ArgumentNode[], final: Final): Evaluated {
    this.at(node);
    switch (node.kind) {
      case "field":
        return this.#fields(this.dot, this.dotIsInterface, node.identifiers, 0, node, args, final);
      case "variable": {
        const { value, isInterface } = this.#findVariable(node.identifiers[0] ?? "");
        if (node.identifiers.length > 1) {
          return this.#fields(value, isInterface, node.identifiers, 1, node, args, final);
        }
        this.#refuseArguments(args, final);
        return value;
      }
      default:
        if (node.node.kind === "nil") this.fail(`indirection through explicit nil in ${formatNode(node)}`);
        return this.#fields(this.#argument(node.node), false, node.fields, 0, node, args, final);
    }
  }

  #fields(
    start: Evaluated,
    startIsInterface: boolean,
    names: readonly string[],
    first: number,
    node: Receiver,
    args: readonly ArgumentNode[],
    final: Final,
  ): Evaluated {
    let receiver = start;
    let isInterface = startIsInterface;
    const last = names.length - 1;
    for (let index = first; index < last; index++) {
      const from = receiver;
      receiver = this.#field(names[index] ?? "", from, isInterface, node, noArguments, absent);
      isInterface = givesInterface(from);
    }
    return this.#field(names[last] ?? "", receiver, isInterface, node, args, final);
  }

  #field(
    name: string,
    receiver: Evaluated,
    isInterface: boolean,
    node: Receiver,
    args: readonly ArgumentNode[],
    final: Final,
  ): Evaluated {
    if (receiver instanceof Invalid) return receiver;
    const value = untracked(receiver);
    if (value === null) return this.fail(`nil pointer evaluating interface {}.${name}`);
    const method = methodsOf(value)?.get(name);
    if (method !== undefined) return this.#call(method, name, node, args, final);
    const hasArguments = args.length > 1 || final !== absent;
    if (value instanceof GoMap) {
      if (hasArguments) this.fail(`${name} is not a method but has arguments`);
      const entry = value.entries.get(name);
      return entry === undefined ? missingEntry(value, name) : entry;
    }
    if (value instanceof GoStruct) {
      const field = value.fields.get(name) ?? value.declaredFields().get(name);
      if (field !== undefined) {
        if (hasArguments) this.fail(`${name} has arguments but cannot be invoked as function`);
        return field;
      }
    }
    return this.fail(`can't evaluate field ${name} in type ${typeNameOf(value, isInterface)}`);
  }

  #function(name: string, node: TemplateSyntaxNode, args: readonly ArgumentNode[], final: Final): Evaluated {
    if (name === "and" || name === "or") return this.#logic(name, args, final);
    const found = this.#functions.findFunction(name);
    return found === undefined
      ? this.fail(`${quoteGo(name)} is not a defined function`)
      : this.#call(found, name, node, args, final);
  }

  /** `and` and `or` evaluate their arguments only as far as needed. */
  #logic(name: "and" | "or", args: readonly ArgumentNode[], final: Final): Evaluated {
    const count = args.length - 1 + (final === absent ? 0 : 1);
    if (count < 1) this.fail(`wrong number of args for ${name}: want at least 1 got ${args.length - 1}`);
    const passed: Evaluated[] = [];
    for (let index = 1; index < args.length; index++) {
      const arg = args[index];
      if (arg === undefined) break;
      const value = this.#argument(arg);
      if (this.truth(value) === (name === "or")) return this.#insteadOf(value, passed);
      passed.push(value);
    }
    if (final !== absent) return this.#insteadOf(final, passed);
    const last = passed.pop() ?? invalid;
    return name === "or" ? this.#insteadOf(last, passed) : last;
  }

  /** What `or` passes over is what could be set to change the result. */
  #insteadOf(value: Evaluated, passed: readonly Evaluated[]): Evaluated {
    if (!this.#context.tracking || value instanceof Invalid || passed.length === 0) return value;
    return passingOver(value, passed.map(asNil));
  }

  truth(value: Evaluated): boolean {
    return !(value instanceof Invalid) && isTrue(value);
  }

  #call(
    called: GoFunction,
    name: string,
    node: TemplateSyntaxNode,
    args: readonly ArgumentNode[],
    final: Final,
  ): Evaluated {
    const given = Math.max(0, args.length - 1);
    const count = given + (final === absent ? 0 : 1);
    const fixed = called.parameters.length;
    if (called.variadic === undefined) {
      if (count !== fixed) this.fail(`wrong number of args for ${name}: want ${fixed} got ${count}`);
    } else if (count < fixed) {
      this.fail(`wrong number of args for ${name}: want at least ${fixed} got ${given}`);
    }
    const values: GoValue[] = [];
    const { tracking } = this.#context;
    const tracked: GoValue[] | undefined = tracking ? [] : undefined;
    for (let index = 0; index < count; index++) {
      const parameter = called.parameters[index] ?? called.variadic;
      if (parameter === undefined) break;
      const arg = args[index + 1];
      const value =
        arg === undefined
          ? this.#checked(final === absent ? invalid : final, parameter)
          : this.#typedArgument(arg, parameter);
      tracked?.push(value);
      const plain = untracked(value);
      if (typeof plain === "string" && plain.length > bytesPerStep) {
        const share = value instanceof Tracked ? trackedBytesPerStep : bytesPerStep;
        this.#context.budget.spendSteps(Math.floor(plain.length / share));
      }
      values.push(parameter.tracked ? value : plain);
    }
    // Go gives this one function the text of its first argument, for its errors.
    if (name === "call") values.unshift(this.#calleeName(args[1], final));
    let result: GoValue;
    try {
      result = called.call(values, this.#context);
    } catch (error) {
      if (!(error instanceof GoError || error instanceof TemplateExecError)) throw error;
      this.at(node);
      return this.fail(`error calling ${name}: ${error.message}`, error);
    }
    const isComplete = tracked === undefined || result instanceof Tracked || called.knowsOrigins === true;
    return isComplete ? result : derivedFrom(result, tracked);
  }

  #calleeName(arg: ArgumentNode | undefined, final: Final): string {
    if (arg !== undefined) return formatNode(arg);
    const value = final === absent || final instanceof Invalid ? null : untracked(final);
    return typeof value === "string" ? value : `<${typeOf(value)?.name ?? "invalid"} Value>`;
  }

  #typedArgument(node: ArgumentNode, parameter: Parameter<unknown>): GoValue {
    this.at(node);
    const { type } = parameter;
    switch (node.kind) {
      case "nil":
        if (type.kind === "interface") return null;
        return zeroOf(type) ?? this.fail(`cannot assign nil to ${type.name}`);
      case "bool":
      case "number":
      case "string":
        return type.kind === "interface" ? asNil(this.#constant(node)) : this.#typedConstant(node, type);
      default:
        return this.#checked(this.#argument(node), parameter);
    }
  }

  /** An argument of no particular type. */
  #argument(node: ArgumentNode): Evaluated {
    this.at(node);
    switch (node.kind) {
      case "dot":
        return this.dot;
      case "pipe":
        return this.pipeline(node);
      case "identifier":
        return this.#function(node.name, node, noArguments, absent);
      case "nil":
        return null;
      case "field":
      case "variable":
      case "chain":
        return this.#receiver(node, noArguments, absent);
      default:
        return this.#constant(node);
    }
  }

  /** Checks that a value may be given for a parameter (exec.go, validateType). */
  #checked(value: Evaluated, { type }: Parameter<unknown>): GoValue {
    if (type.kind === "interface") return asNil(value);
    if (value instanceof Invalid) {
      return zeroOf(type) ?? this.fail(`invalid value; expected ${type.name}`);
    }
    const actual = typeOf(value);
    if (actual !== undefined && isAssignable(actual, type)) {
      // What a function gets, and gives back, has lost the methods of its type.
      const isConverted = value instanceof GoMap && actual.named === true && type.named !== true;
      return isConverted ? value.as(type) : value;
    }
    return this.fail(`wrong type for value; expected ${type.name}; got ${actual?.name ?? "interface {}"}`);
  }

  #typedConstant(node: BoolNode | NumberNode | StringNode, type: GoType): GoValue {
    switch (type.kind) {
      case "string":
        if (node.kind === "string") return this.#constant(node) as GoValue;
        return this.fail(`expected string; found ${formatNode(node)}`);
      case "bool":
        if (node.kind === "bool") return node.value;
        return this.fail(`expected bool; found ${formatNode(node)}`);
      case "float64":
        if (node.kind === "number" && node.float !== undefined) return node.float;
        return this.fail(`expected float; found ${formatNode(node)}`);
      case "int":
      case "int8":
      case "int16":
      case "int32":
      case "int64":
        if (node.kind === "number" && node.int !== undefined) return new GoInteger(node.int, type);
        return this.fail(`expected integer; found ${formatNode(node)}`);
      case "uint":
      case "uint8":
      case "uint16":
      case "uint32":
      case "uint64":
        if (node.kind === "number" && node.uint !== undefined) return new GoInteger(node.uint, type);
        return this.fail(`expected unsigned integer; found ${formatNode(node)}`);
      default:
        return this.fail(`can't handle ${formatNode(node)} for arg of type ${type.name}`);
    }
  }

  /** A constant of the type that its spelling suggests (exec.go, idealConstant). */
  #constant(node: BoolNode | NumberNode | StringNode): Evaluated {
    if (node.kind === "bool") return node.value;
    if (node.kind === "string") return this.#stringConstant(node);
    this.at(node);
    if (node.complex !== undefined) return new GoComplex(node.complex.real, node.complex.imaginary);
    if (node.float !== undefined && looksLikeFloat(node.text)) return node.float;
    if (node.int !== undefined) return intOf(node.int);
    return node.uint === undefined ? invalid : this.fail(`${node.text} overflows int`);
  }

  #stringConstant(node: StringNode): GoValue {
    if (!this.#context.tracking || node.text === "") return node.text;
    const { name, text } = this.tree.source;
    const exact = typeof text === "string" && node.quoted.slice(1, -1) === node.text;
    const source: Source =
      text instanceof Tracked
        ? { origins: text.spans.flatMap((span) => span.source.origins), exact: false }
        : { origins: [{ kind: "template", file: name, offset: node.position + 1 }], exact };
    return trackedFrom(node.text, source);
  }
}

/** So many bytes of an argument take a function about as long as a step to look through. */
const bytesPerStep = 32;
/** Where spans are kept there is no native method for it. */
const trackedBytesPerStep = 2;

const noArguments: readonly ArgumentNode[] = [];

function looksLikeFloat(text: string): boolean {
  const isHexInteger = /^0[xX]/u.test(text) && !/[pP]/u.test(text);
  return !isHexInteger && !text.startsWith("'") && /[.eEpP]/u.test(text);
}

function methodsOf(value: GoValue): ReadonlyMap<string, GoFunction> | undefined {
  if (value instanceof GoMap || value instanceof GoStruct || value instanceof GoSlice) return value.methods;
  return value instanceof GoInteger ? namedIntegerMethods(value) : undefined;
}

/** What nil is for a map or slice parameter; undefined for types that cannot be nil. */
function zeroOf(type: GoType): GoValue | undefined {
  if (type.kind === "map") return nilMap(type);
  return type.kind === "slice" ? nilSlice(type) : undefined;
}

/** What a key that a map does not have gives with `missingkey=zero`. */
function missingEntry({ type, origin }: GoMap, name: string): GoValue {
  if (type.element?.kind === "string") return "";
  if (type.element === goTypes.bytes) return new GoBytes("");
  if (origin === undefined) return null;
  const missing: Source = { origins: [{ kind: "value", path: [...origin.path, name] }], exact: false };
  return trackedFrom(null, missing);
}

/** Whether what a map or struct holds is an interface, whose nil is an error to look into. */
function givesInterface(container: Evaluated): boolean {
  return container instanceof GoMap && container.type.element?.kind === "interface";
}
