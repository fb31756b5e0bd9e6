import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { tryCompilePattern } from "../alert/message-pattern.ts";
import { combinationsOf, comprehensionDepth } from "./cost.ts";

/** An expression in CEL, checked. */
export interface CelExpression<Result> {
  /**
   * Its value over the variables that it was parsed with.
   * @throws FairleadError `event-invalid` where it has none, `limit-exceeded` where it would take too long
   */
  evaluate(variables: Readonly<Record<string, unknown>>): Result;
}

interface ResultTypes {
  readonly bool: boolean;
  readonly string: string;
  /** Whatever it is. */
  readonly dyn: unknown;
}

export interface CelOptions<Type extends keyof ResultTypes> {
  /** Names of variables, each an object. */
  readonly variables: readonly string[];
  readonly type: Type;
}

const limits = { maxAstNodes: 5000, maxDepth: 64 };

/**
 * Reads an expression as notification-controller does: variables are objects, numbers of all types compare, regular
 * expressions are RE2's, and lists have `first()` and `last()`.
 * @throws FairleadError `object-invalid` for what is no expression, or of another type
 */
export async function parseCel<Type extends keyof ResultTypes>(
  text: string,
  { variables, type }: CelOptions<Type>,
): Promise<CelExpression<ResultTypes[Type]>> {
  const environment = await createEnvironment(variables);
  try {
    const parsed = environment.parse(text);
    const depth = comprehensionDepth(parsed.ast);
    prepare(parsed.ast);
    const checked = parsed.check();
    if (!checked.valid) throw checked.error ?? new Error("its types do not fit");
    if (type !== "dyn" && checked.type !== type) {
      throw new Error(`it gives ${checked.type ?? "nothing"} instead of ${type}`);
    }
    return {
      evaluate: (values) => {
        checkCost(depth, values);
        return evaluate(() => parsed(values), type) as ResultTypes[Type];
      },
    };
  } catch (cause) {
    throw new FairleadError("object-invalid", `the CEL expression is invalid: ${firstLine(cause)}`, {
      cause,
    });
  }
}

function evaluate(work: () => unknown, type: keyof ResultTypes): unknown {
  let value: unknown;
  try {
    value = work();
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw new FairleadError("event-invalid", `the CEL expression has no value: ${firstLine(cause)}`, {
      cause,
    });
  }
  const isOfType = type === "dyn" || typeof value === (type === "bool" ? "boolean" : "string");
  if (!isOfType) throw new FairleadError("event-invalid", `the CEL expression gives no ${type}`);
  return value;
}

async function createEnvironment(variables: readonly string[]): Promise<Environment> {
  // Loaded where an object has an expression: few have.
  const { Environment, Optional } = await import("@marcbachmann/cel-js");
  const environment = new Environment({ enableOptionalTypes: true, limits });
  for (const name of variables) environment.registerVariable(name, "map");
  const at = (list: readonly unknown[], index: number): unknown =>
    list.length === 0 ? Optional.none() : Optional.of(list.at(index));
  environment.registerFunction("list.first(): optional", (list: readonly unknown[]) => at(list, 0));
  environment.registerFunction("list.last(): optional", (list: readonly unknown[]) => at(list, -1));
  environment.registerFunction(`string.${re2Function}(string): bool`, matchesRe2);
  environment.registerFunction("string.replace(string, string): string", replaceAll);
  return environment;
}

/** The library's own `matches` takes JavaScript's expressions, some of which never end. */
const re2Function = "matchesRe2";

/** Makes `matches` RE2's, and refuses `cel.bind`, which Flux does not have and by which texts grow without bound. */
function prepare(node: ASTNode): void {
  if (node.op === "rcall" && node.args[0] === "matches") (node.args as unknown[])[0] = re2Function;
  if (node.op === "rcall" && node.args[0] === "bind") throw new Error("cel.bind is not known");
  visitChildren(node.args, prepare);
}

function visitChildren(args: unknown, visit: (node: ASTNode) => void): void {
  if (Array.isArray(args)) for (const item of args) visitChildren(item, visit);
  else if (typeof args === "object" && args !== null && "op" in args) visit(args as ASTNode);
}

function matchesRe2(text: string, expression: string): boolean {
  const pattern = tryCompilePattern(expression);
  if ("problem" in pattern) throw new Error(pattern.problem);
  const isMatch = pattern.matches(text);
  if (isMatch === undefined)
    throw new FairleadError("limit-exceeded", "a regular expression takes too long on so much data");
  return isMatch;
}

const maxReplacedLength = 16 * 1024 * 1024;

function replaceAll(text: string, from: string, to: string): string {
  if ((text.length + 1) * Math.max(1, to.length) > maxReplacedLength) {
    throw new FairleadError("limit-exceeded", "the CEL expression makes too long a text");
  }
  return text.replaceAll(from, () => to);
}

const maxCombinations = 10_000_000;

function checkCost(depth: number, values: Readonly<Record<string, unknown>>): void {
  if (depth > 1 && combinationsOf(values, depth) > maxCombinations) {
    throw new FairleadError("limit-exceeded", "the CEL expression takes too long on so much data");
  }
}

function firstLine(error: unknown): string {
  return excerpt(messageOf(error).split("\n", 1)[0] ?? "");
}
