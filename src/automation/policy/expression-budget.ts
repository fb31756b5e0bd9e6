import { FairleadError } from "../../core/error.ts";
import type { RegexpBudget } from "../../helm/go/regexp.ts";

/** A step is about half a microsecond at worst. */
const maxSteps = 200_000_000;
const maxBytes = 128 * 1024 * 1024;

/**
 * What the expressions of one object may use up over all tags.
 * @returns its methods throw FairleadError `limit-exceeded`
 */
export function createExpressionBudget(): RegexpBudget {
  let steps = 0;
  let bytes = 0;
  return {
    spendSteps(count) {
      steps += count;
      if (steps > maxSteps) refuse();
    },
    spendBytes(count) {
      bytes += count;
      if (bytes > maxBytes) refuse();
    },
  };
}

function refuse(): never {
  throw new FairleadError("limit-exceeded", "the regular expression takes too much time or memory", {
    hint: "counts such as {1000} make an expression large",
  });
}
