import type { RenderBudget } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { canBackquote, quoteGo } from "../go/quote.ts";
import { compileRegexp, quoteMeta, type GoRegexp } from "../go/regexp.ts";
import { plainText, sliceText } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import { GoError, nilSlice, stringsOf, type GoFunction, type GoSlice, type Text } from "../go/value.ts";
import { spent } from "./growth.ts";
import { handOn } from "./hand-on.ts";

/** How a function gets its expression; the `must…` functions report an error, the others panic. */
type Compile = (expression: string, budget: RenderBudget) => GoRegexp;

const { string, text, int } = parameters;

/** Sprig's functions on regular expressions; what they take from a text keeps its spans. */
export const regexFunctions: FunctionTable = {
  regexMatch: define([string, string], ([expression, subject], { budget }) => {
    try {
      return compileRegexp(expression, budget).matches(subject, budget);
    } catch (error) {
      if (error instanceof GoError) return false;
      throw error;
    }
  }),
  mustRegexMatch: define([string, string], ([expression, subject], { budget }) =>
    compileRegexp(expression, budget).matches(subject, budget),
  ),
  regexFind: finding(compileOrPanic),
  mustRegexFind: finding(compileRegexp),
  regexFindAll: findingAll(compileOrPanic),
  mustRegexFindAll: findingAll(compileRegexp),
  regexSplit: splitting(compileOrPanic),
  mustRegexSplit: splitting(compileRegexp),
  regexReplaceAll: replacing(compileOrPanic),
  mustRegexReplaceAll: replacing(compileRegexp),
  regexReplaceAllLiteral: replacingLiteral(compileOrPanic),
  mustRegexReplaceAllLiteral: replacingLiteral(compileRegexp),
  regexQuoteMeta: define([string], ([subject], context) => spent(context, quoteMeta(subject))),
};

function finding(compile: Compile): GoFunction {
  return define([string, text], ([expression, subject], context) => {
    const match = compile(expression, context.budget).find(plainText(subject), context.budget);
    return match === undefined ? "" : handOn(sliceText(subject, match[0] ?? 0, match[1]), context);
  });
}

function findingAll(compile: Compile): GoFunction {
  return define([string, text, int], ([expression, subject, { value }], { budget }): GoSlice => {
    const matches = compile(expression, budget).findAll(plainText(subject), Number(value), budget);
    if (matches.length === 0) return nilSlice(goTypes.stringSlice);
    return stringsOf(matches.map(([start = 0, end]) => sliceText(subject, start, end)));
  });
}

function splitting(compile: Compile): GoFunction {
  return define([string, text, int], ([expression, subject, { value }], { budget }): GoSlice => {
    const parts = compile(expression, budget).split(subject, Number(value), budget);
    return value === 0n ? nilSlice(goTypes.stringSlice) : stringsOf(parts);
  });
}

function replacing(compile: Compile): GoFunction {
  return define([string, text, text], ([expression, subject, template], { budget }): Text =>
    compile(expression, budget).replaceAll(subject, template, budget),
  );
}

function replacingLiteral(compile: Compile): GoFunction {
  return define([string, text, text], ([expression, subject, replacement], { budget }): Text =>
    compile(expression, budget).replaceAllLiteral(subject, replacement, budget),
  );
}

/** Go's regexp.MustCompile. @throws GoError the panic as text/template reports it */
function compileOrPanic(expression: string, budget: RenderBudget): GoRegexp {
  try {
    return compileRegexp(expression, budget);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const quoted = canBackquote(expression) ? `\`${expression}\`` : quoteGo(expression);
    throw new GoError(`regexp: Compile(${quoted}): ${error.message}`);
  }
}
