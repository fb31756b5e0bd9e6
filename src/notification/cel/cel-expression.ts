import type { ASTNode } from "@marcbachmann/cel-js";
import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { tryCompilePattern } from "../alert/message-pattern.ts";

/** An expression in Google's Common Expression Language, checked. */
export interface CelExpression {
  /** @throws FairleadError `config-invalid` where it fails on these values */
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

/** Made of `matches`, whose expressions are JavaScript's in the library and RE2's in CEL. */
const ownMatches = "matchesRe2";

/**
 * Compiles an expression over maps with Flux's extensions of strings, as far as they are known.
 * @param variables the names that it may use
 * @throws FairleadError `config-invalid`
 */
export async function compileCel(source: string, variables: readonly string[]): Promise<CelExpression> {
  if (source.length > maxLength) throw invalid(source, `it is longer than ${maxLength} characters`);
  const { Environment } = await import("@marcbachmann/cel-js");
  const environment = new Environment({ enableOptionalTypes: true, limits });
  for (const name of variables) environment.registerVariable(name, "map");
  environment.registerFunction(`string.${ownMatches}(string): bool`, matchesByRe2);
  environment.registerFunction(
    "string.replace(string, string): string",
    (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  );
  environment.registerFunction("string.charAt(int): string", (text: string, index: bigint) =>
    text.charAt(Number(index)),
  );
  try {
    const original = environment.parse(source);
    checkCost(original.ast, source, 0);
    const program = environment.parse(replaceMatches(source, original.ast));
    refuseMatches(program.ast, source);
    const { valid, error } = program.check();
    if (!valid) throw invalid(source, firstLine(error));
    return {
      evaluate: (values) => {
        try {
          return program(values) as unknown;
        } catch (cause) {
          throw invalid(source, firstLine(cause));
        }
      },
    };
  } catch (cause) {
    throw cause instanceof FairleadError ? cause : invalid(source, firstLine(cause));
  }
}

function matchesByRe2(text: string, expression: string): boolean {
  const pattern = tryCompilePattern(expression);
  const isMatch = "matches" in pattern ? pattern.matches(text) : undefined;
  if (isMatch === undefined) throw new Error(`no regular expression: ${excerpt(expression)}`);
  return isMatch;
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

/** The name of the method that a node calls, and on what. */
function methodOf(node: ASTNode): { readonly name: string; readonly receiver: ASTNode } | undefined {
  if (node.op !== "rcall") return undefined;
  const [name, receiver] = node.args;
  return { name, receiver };
}

function checkCost(node: ASTNode, source: string, macroDepth: number): void {
  const method = methodOf(node);
  if (method?.name === "bind") throw invalid(source, "cel.bind is not known");
  const depth = method !== undefined && macros.has(method.name) ? macroDepth + 1 : macroDepth;
  if (depth > maxMacroDepth) throw invalid(source, `macros are nested more than ${maxMacroDepth} deep`);
  for (const child of childrenOf(node)) checkCost(child, source, depth);
}

function replaceMatches(source: string, root: ASTNode): string {
  const positions: number[] = [];
  const visit = (node: ASTNode): void => {
    const method = methodOf(node);
    if (method?.name === "matches") positions.push(source.indexOf("matches", method.receiver.end));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return positions
    .toSorted((left, right) => right - left)
    .reduce((text, at) => text.slice(0, at) + ownMatches + text.slice(at + "matches".length), source);
}

/** A comment between a value and its method may hide the method from {@link replaceMatches}. */
function refuseMatches(node: ASTNode, source: string): void {
  if (methodOf(node)?.name === "matches") throw invalid(source, "matches stands behind a comment");
  for (const child of childrenOf(node)) refuseMatches(child, source);
}

function invalid(source: string, problem: string): FairleadError {
  return new FairleadError("config-invalid", `the CEL expression '${excerpt(source)}': ${excerpt(problem)}`);
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n", 1)[0] ?? "";
}
