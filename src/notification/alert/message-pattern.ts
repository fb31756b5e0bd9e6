import { FairleadError, messageOf } from "../../core/error.ts";
import { RenderBudget } from "../../helm/go/context.ts";
import { compileRegexp } from "../../helm/go/regexp.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError } from "../../helm/go/value.ts";

/** An expression by RE2, not anchored. */
export interface MessagePattern {
  readonly expression: string;
  /** Undefined where the expression takes too long on this message. */
  readonly matches: (message: string) => boolean | undefined;
}

/** What one expression may use up on one message; a step is about half a microsecond. */
const limits = { maxBytes: 32 * 1024 * 1024, maxSteps: 4_000_000 };

/** A compiled expression, or what is wrong with it in Go's words. */
export function tryCompilePattern(expression: string): MessagePattern | { readonly problem: string } {
  try {
    const regexp = compileRegexp(toBytes(expression), new RenderBudget(limits));
    return {
      expression,
      matches: (message) => withinLimits(() => regexp.matches(toBytes(message), new RenderBudget(limits))),
    };
  } catch (error) {
    if (error instanceof GoError) return { problem: fromBytes(messageOf(error)) };
    if (isLimit(error)) return { problem: "it takes too much time or memory" };
    throw error;
  }
}

function withinLimits(match: () => boolean): boolean | undefined {
  try {
    return match();
  } catch (error) {
    if (isLimit(error)) return undefined;
    throw error;
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof FairleadError && error.code === "limit-exceeded";
}
