import { FairleadError } from "../../core/error.ts";
import { compileCel } from "../cel/cel-expression.ts";

/** A CEL expression that gives true or false. */
export interface FilterExpression {
  /**
   * @throws FairleadError `config-invalid` where it gives neither on these values, `limit-exceeded` where it would
   *   take too long
   */
  holds(variables: Readonly<Record<string, unknown>>): boolean;
}

/** What macros within macros go through at most. */
const maxCombinations = 10_000_000;
const macroPattern = /\b(?:all|exists|exists_one|map|filter)\b/gu;

/** Compiles a filter over maps of these names. @throws FairleadError `config-invalid` */
export async function compileFilter(source: string, variables: readonly string[]): Promise<FilterExpression> {
  const expression = await compileCel(source, variables);
  if (expression.type !== "bool" && expression.type !== "dyn") {
    throw new FairleadError("config-invalid", `the CEL expression gives ${expression.type} instead of bool`);
  }
  const mayNest = (source.match(macroPattern)?.length ?? 0) > 1;
  return {
    holds: (values) => {
      if (mayNest && largestList(values) ** 2 > maxCombinations) {
        throw new FairleadError("limit-exceeded", "the CEL expression takes too long on so much data");
      }
      const result = expression.evaluate(values);
      if (typeof result === "boolean") return result;
      throw new FairleadError("config-invalid", "the CEL expression gives neither true nor false");
    },
  };
}

/** The length of the longest list, map or text, which may be split. */
function largestList(data: unknown): number {
  const waiting = [data];
  let largest = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") largest = Math.max(largest, next.length);
    else if (typeof next === "object" && next !== null) {
      const items: unknown[] = Object.values(next);
      largest = Math.max(largest, items.length);
      for (const item of items) waiting.push(item);
    }
  }
  return largest;
}
