import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { compileRegexp } from "../../helm/go/regexp.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError } from "../../helm/go/value.ts";
import { createExpressionBudget } from "./expression-budget.ts";

/**
 * A function that gives the first expression of an ImageRepository's exclusion list that matches a tag, or undefined
 * for a tag that counts.
 * @throws FairleadError `policy-invalid` for what is no expression by RE2, `limit-exceeded`
 */
export function createExclusion(exclusionList: readonly string[]): (tag: string) => string | undefined {
  const budget = createExpressionBudget();
  const expressions = exclusionList.map((source) => {
    try {
      return { source, regexp: compileRegexp(toBytes(source), budget) };
    } catch (cause) {
      if (!(cause instanceof GoError)) throw cause;
      throw new FairleadError(
        "policy-invalid",
        `failed to compile regex ${excerpt(source)}: ${excerpt(fromBytes(cause.message))}`,
        { hint: "the exclusion list holds expressions by RE2", cause },
      );
    }
  });
  return (tag) => expressions.find(({ regexp }) => regexp.matches(toBytes(tag), budget))?.source;
}
