import type { GoContext } from "../go/context.ts";
import { define, defineVariadic, parameters, type FunctionTable } from "../go/function.ts";
import { passingOver } from "../go/passed-over.ts";
import { isTrue, type GoValue } from "../go/value.ts";
import { handOn } from "./hand-on.ts";

const { bool, value } = parameters;

/** Sprig's choices between values; what is empty is what `if` takes for false. */
export const defaultFunctions: FunctionTable = {
  empty: define([value], ([given]) => !isTrue(given)),
  all: defineVariadic([], value, ([values]) => values.every(isTrue)),
  any: defineVariadic([], value, ([values]) => values.some(isTrue)),
  default: defineVariadic([value], value, ([fallback, [given]], context) =>
    firstTrue(given === undefined ? [] : [given], fallback, context),
  ),
  coalesce: defineVariadic([], value, ([values], context) => firstTrue(values, null, context)),
  ternary: define([value, value, bool], ([whenTrue, whenFalse, condition], context) =>
    handOn(condition ? whenTrue : whenFalse, context),
  ),
};

/** The first value that is not empty; its source tells of those that were passed over. */
function firstTrue(values: readonly GoValue[], fallback: GoValue, context: GoContext): GoValue {
  const index = values.findIndex(isTrue);
  const chosen = handOn(index === -1 ? fallback : (values[index] ?? null), context);
  return context.tracking ? passingOver(chosen, index === -1 ? values : values.slice(0, index)) : chosen;
}
