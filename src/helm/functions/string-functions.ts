import type { GoContext } from "../go/context.ts";
import { define, defineVariadic, parameters, type FunctionTable } from "../go/function.ts";
import { quoteText } from "../go/quote.ts";
import { concatTexts, joinTexts, plainText, replaceInText } from "../go/text.ts";
import { GoError, untracked, type GoFunction, type GoValue, type Text } from "../go/value.ts";
import { caseFunctions } from "./case-functions.ts";
import { spendReplacements, spendSearch, spendTexts } from "./growth.ts";
import { handOn } from "./hand-on.ts";
import { splitFunctions, splitString } from "./split-functions.ts";
import { printedValue, stringValue } from "./string-value.ts";
import { trimFunctions } from "./trim-functions.ts";
import { wrapFunctions } from "./wrap-functions.ts";

/** So many copies keep their spans; of more, only what they come from is known. */
const copiesWithSpans = 1000;

/** Sprig's functions on texts. */
export const stringFunctions: FunctionTable = {
  ...trimFunctions,
  ...caseFunctions,
  ...splitFunctions,
  ...wrapFunctions,
  hello: define([], () => "Hello!"),
  fail: define([parameters.string], ([message]) => {
    throw new GoError(message);
  }),
  contains: define([parameters.string, parameters.string], ([part, text], context) => {
    spendSearch(context, text, part);
    return text.includes(part);
  }),
  hasPrefix: define([parameters.string, parameters.string], ([prefix, text]) => text.startsWith(prefix)),
  hasSuffix: define([parameters.string, parameters.string], ([suffix, text]) => text.endsWith(suffix)),
  toString: define([parameters.value], ([value], context) => stringValue(value, context)),
  quote: joining((value, context) => quoteText(stringValue(value, context), context.budget)),
  squote: joining((value, context) => surround(printedValue(value, context), "'")),
  cat: joining(printedValue),
  plural: define([parameters.text, parameters.text, parameters.int], ([one, many, { value }], context) =>
    handOn(value === 1n ? one : many, context),
  ),
  repeat: define([parameters.int, parameters.text], ([{ value }, text], context) =>
    repeat(context, text, Number(value)),
  ),
  indent: define([parameters.int, parameters.text], ([{ value }, text], context) =>
    indent(context, text, Number(value), ""),
  ),
  nindent: define([parameters.int, parameters.text], ([{ value }, text], context) =>
    indent(context, text, Number(value), "\n"),
  ),
  replace: define(
    [parameters.string, parameters.text, parameters.text],
    ([search, replacement, text], context) => replace(context, text, search, replacement),
  ),
};

/** A function of any number of values: each that is not nil as text, with a space between each two. */
function joining(toText: (value: GoValue, context: GoContext) => Text): GoFunction {
  return defineVariadic([], parameters.value, ([values], context) => {
    const texts: Text[] = [];
    for (const value of values) if (untracked(value) !== null) texts.push(toText(value, context));
    spendTexts(context, texts);
    const [first = "", ...others] = texts;
    return others.length === 0 ? first : joinTexts(texts, " ");
  });
}

function surround(text: Text, mark: string): Text {
  return typeof text === "string" ? mark + text + mark : concatTexts([mark, text, mark]);
}

function repeat(context: GoContext, text: Text, count: number): Text {
  const plain = plainText(text);
  if (count < 0) throw new GoError("strings: negative Repeat count");
  if (count === 0 || plain === "") return "";
  if (count === 1) return text;
  context.budget.spendBytes(plain.length * count);
  if (typeof text === "string" || count > copiesWithSpans) return plain.repeat(count);
  return concatTexts(Array.from({ length: count }, () => text));
}

/** Spaces before each line, empty ones too. */
function indent(context: GoContext, text: Text, spaces: number, before: string): Text {
  const padding = repeat(context, " ", spaces) as string;
  return concatTexts([before + padding, replace(context, text, "\n", `\n${padding}`)]);
}

function replace(context: GoContext, text: Text, search: string, replacement: Text): Text {
  const plain = plainText(text);
  spendReplacements(context, plain, search, plainText(replacement).length);
  // Go puts the replacement before each rune and at the end.
  if (search === "") return joinTexts(["", ...splitString(text, ""), ""], replacement);
  return replaceInText(text, search, replacement);
}
