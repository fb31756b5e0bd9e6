import type { RenderBudget } from "../go/context.ts";
import { formatGo, printGo, printlnGo } from "../go/format.ts";
import { define, defineVariadic, parameters, type FunctionTable } from "../go/function.ts";
import {
  GoError,
  intOf,
  isTrue,
  typeOf,
  untracked,
  type GoFunction,
  type GoValue,
  type Text,
} from "../go/value.ts";
import { equals, equalsAny, isLess } from "./comparison.ts";
import { escapeHtml, escapeJavaScript, escapeQuery } from "./escaping.ts";
import { indexInto, lengthOf, sliceOf } from "./indexing.ts";

const { any, text, value } = parameters;

/** Declares a function that escapes what its arguments print. */
function defineEscape(escape: (text: Text) => Text): GoFunction {
  return defineVariadic([], value, ([values], { budget }) => escape(printArguments(values, budget)));
}

/** What actions would print of the values, together as `print` has it (funcs.go, evalArgs). */
function printArguments(values: readonly GoValue[], budget: RenderBudget): Text {
  const printable = values.map((value) => (untracked(value) === null ? "<no value>" : value));
  return printGo(printable, budget, true);
}

/**
 * What text/template has itself (funcs.go of Go 1.26), except `and` and `or`, whose arguments are only evaluated
 * as far as needed. No value of ours is a function, so `call`, which gets its callee's text first, always fails.
 */
export const builtinFunctions: FunctionTable = {
  // The parameters are those of Go's declaration, which does not have the text.
  call: defineVariadic([any], any, ([given, [callee = null]]) => {
    const name = typeof given === "string" ? given : "";
    const type = typeOf(callee)?.name;
    throw new GoError(type === undefined ? "call of nil" : `non-function ${name} of type ${type}`);
  }),
  eq: defineVariadic([any], any, ([first, others], context) => equalsAny(first, others, context)),
  ge: define([any, any], ([left, right]) => !isLess(left, right)),
  gt: define([any, any], ([left, right], context) => !(isLess(left, right) || equals(left, right, context))),
  html: defineEscape(escapeHtml),
  index: defineVariadic([value], any, ([container, indexes]) => indexInto(container, indexes)),
  js: defineEscape(escapeJavaScript),
  le: define([any, any], ([left, right], context) => isLess(left, right) || equals(left, right, context)),
  len: define([any], ([container]) => intOf(lengthOf(container))),
  lt: define([any, any], ([left, right]) => isLess(left, right)),
  ne: define([any, any], ([left, right], context) => !equals(left, right, context)),
  not: define([any], ([condition]) => !isTrue(condition)),
  print: defineVariadic([], value, ([values], { budget }) => printGo(values, budget)),
  printf: defineVariadic([text], value, ([format, values], context) => formatGo(format, values, context)),
  println: defineVariadic([], value, ([values], { budget }) => printlnGo(values, budget)),
  slice: defineVariadic([value], any, ([container, indexes]) => sliceOf(container, indexes)),
  urlquery: defineEscape(escapeQuery),
};
