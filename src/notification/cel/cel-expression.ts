import type { ASTNode } from "@marcbachmann/cel-js";
import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { tryCompilePattern } from "../alert/message-pattern.ts";

/** An expression in Google's Common Expression Language, checked. */
export interface CelExpression {
  /** Of what it gives, as far as it can be told before: `bool`, `string`, … or `dyn`. */
  readonly type: string;
  /** @throws FairleadError `config-invalid` where it fails on these values, `limit-exceeded` */
  readonly evaluate: (variables: Readonly<Record<string, unknown>>) => unknown;
}

const maxLength = 4096;
const limits = {
  maxAstNodes: 250,
  maxDepth: 32,
  maxListElements: 100,
  maxMapEntries: 100,
  maxCallArguments: 8,
};

/** Macros that look at each item; each level of them multiplies the work. */
const macros: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
const maxMacroDepth = 2;

/** Takes the place of the library's own `matches`, which takes JavaScript's expressions, some of which never end. */
const ownMatches = "matchesRe2";

/**
 * Compiles an expression over maps with Flux's extensions of strings, as far as they are known.
 * @param variables the names that it may use
 * @throws FairleadError `config-invalid`
 */
export async function compileCel(source: string, variables: readonly string[]): Promise<CelExpression> {
  if (source.length > maxLength) throw invalid(source, `it is longer than ${maxLength} characters`);
  const { Environment, Optional } = await import("@marcbachmann/cel-js");
  const environment = new Environment({ enableOptionalTypes: true, limits });
  for (const name of variables) environment.registerVariable(name, "map");
  environment.registerFunction(`string.${ownMatches}(string): bool`, matchesByRe2);
  environment.registerFunction("string.replace(string, string): string", replaceAll);
  environment.registerFunction("string.charAt(int): string", (text: string, index: bigint) =>
    text.charAt(Number(index)),
  );
  const at = (list: readonly unknown[], index: number): unknown =>
    list.length === 0 ? Optional.none() : Optional.of(list.at(index));
  environment.registerFunction("list.first(): optional", (list: readonly unknown[]) => at(list, 0));
  environment.registerFunction("list.last(): optional", (list: readonly unknown[]) => at(list, -1));
  try {
    const program = environment.parse(source);
    checkCost(program.ast, source, 0);
    useRe2(program.ast);
    const { valid, error, type = "dyn" } = program.check();
    if (!valid) throw invalid(source, firstLine(error));
    return {
      type,
      evaluate: (values) => {
        try {
          return program(values) as unknown;
        } catch (cause) {
          throw cause instanceof FairleadError ? cause : invalid(source, firstLine(cause));
        }
      },
    };
  } catch (cause) {
    throw cause instanceof FairleadError ? cause : invalid(source, firstLine(cause));
  }
}

const maxReplacedLength = 16 * 1024 * 1024;

function replaceAll(text: string, from: string, to: string): string {
  if ((text.length + 1) * Math.max(1, to.length) <= maxReplacedLength) return text.replaceAll(from, () => to);
  throw new FairleadError("limit-exceeded", "the CEL expression makes too long a text");
}

function matchesByRe2(text: string, expression: string): boolean {
  const pattern = tryCompilePattern(expression);
  if ("problem" in pattern) throw new Error(pattern.problem);
  const isMatch = pattern.matches(text);
  if (isMatch !== undefined) return isMatch;
  throw new FairleadError("limit-exceeded", "a regular expression takes too long on so much data");
}

/** The nodes below a node. */
function childrenOf(node: ASTNode): readonly ASTNode[] {
  const found: ASTNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isNode(value)) found.push(value);
  };
  visit(node.args);
  return found;
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

/** The name of the method that a node calls. */
function methodOf(node: ASTNode): string | undefined {
  return node.op === "rcall" ? node.args[0] : undefined;
}

function checkCost(node: ASTNode, source: string, macroDepth: number): void {
  const method = methodOf(node);
  if (method === "bind") throw invalid(source, "cel.bind is not known");
  const depth = method !== undefined && macros.has(method) ? macroDepth + 1 : macroDepth;
  if (depth > maxMacroDepth) throw invalid(source, `macros are nested more than ${maxMacroDepth} deep`);
  for (const child of childrenOf(node)) checkCost(child, source, depth);
}

function useRe2(node: ASTNode): void {
  if (methodOf(node) === "matches") (node.args as unknown[])[0] = ownMatches;
  for (const child of childrenOf(node)) useRe2(child);
}

function invalid(source: string, problem: string): FairleadError {
  return new FairleadError("config-invalid", `the CEL expression '${excerpt(source)}': ${excerpt(problem)}`);
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n", 1)[0] ?? "";
}
