import type { GoContext } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { canBackquote, quoteGo } from "../go/quote.ts";
import { compileRegexp, quoteMeta, type GoRegexp } from "../go/regexp.ts";
import { plainText, sliceText } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import { GoError, nilSlice, stringsOf, type GoFunction, type GoSlice, type Text } from "../go/value.ts";
import { spent } from "./growth.ts";
import { handOn } from "./hand-on.ts";

/** How a function gets its expression; the `must…` functions report an error, the others panic. */
type Compile = (expression: string) => GoRegexp;

const { string, text, int } = parameters;

/** Sprig's functions on regular expressions; what they take from a text keeps its spans. */
export const regexFunctions: FunctionTable = {
  regexMatch: define([string, string], ([expression, subject]) => {
    try {
      return compileRegexp(expression).matches(subject);
    } catch (error) {
      if (error instanceof GoError) return false;
      throw error;
    }
  }),
  mustRegexMatch: define([string, string], ([expression, subject]) =>
    compileRegexp(expression).matches(subject),
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
    const match = compile(expression).find(plainText(subject));
    return match === undefined ? "" : handOn(sliceText(subject, match[0] ?? 0, match[1]), context);
  });
}

function findingAll(compile: Compile): GoFunction {
  return define([string, text, int], ([expression, subject, { value }]): GoSlice => {
    const matches = compile(expression).findAll(plainText(subject), Number(value));
    if (matches.length === 0) return nilSlice(goTypes.stringSlice);
    return stringsOf(matches.map(([start = 0, end]) => sliceText(subject, start, end)));
  });
}

function splitting(compile: Compile): GoFunction {
  return define([string, text, int], ([expression, subject, { value }]): GoSlice => {
    const parts = compile(expression).split(subject, Number(value));
    return value === 0n ? nilSlice(goTypes.stringSlice) : stringsOf(parts);
  });
}

function replacing(compile: Compile): GoFunction {
  return define([string, text, text], ([expression, subject, template], context): Text =>
    compile(expression).replaceAll(subject, template, spending(context)),
  );
}

function replacingLiteral(compile: Compile): GoFunction {
  return define([string, text, text], ([expression, subject, replacement], context): Text =>
    compile(expression).replaceAllLiteral(subject, replacement, spending(context)),
  );
}

function spending(context: GoContext): (bytes: number) => void {
  return (bytes) => context.budget.spendBytes(bytes);
}

/** Go's regexp.MustCompile. @throws GoError the panic as text/template reports it */
function compileOrPanic(expression: string): GoRegexp {
  try {
    return compileRegexp(expression);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const quoted = canBackquote(expression) ? `\`${expression}\`` : quoteGo(expression);
    throw new GoError(`regexp: Compile(${quoted}): ${error.message}`);
  }
}
