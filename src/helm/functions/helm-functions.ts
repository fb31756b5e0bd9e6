import { define, knowingOrigins, parameters, type FunctionTable } from "../go/function.ts";
import type { GoContext } from "../go/context.ts";
import { quoteGo } from "../go/quote.ts";
import { plainText, replaceInText } from "../go/text.ts";
import { GoError, GoMap, untracked, type Text } from "../go/value.ts";
import { TemplateExecError } from "../template/exec-error.ts";
import { TemplateParseError } from "../template/template-error.ts";
import { TemplateSet } from "../template/template-set.ts";

/** Around the message of `fail` and `required`, so that it can be told apart from its place. */
export const warningMarks = { start: "HELM_ERR_START", end: "HELM_ERR_END" } as const;

/** How often a template may be inside itself by way of `include` (Helm's recursionMaxNums). */
const maxNesting = 1000;

/** Helm's name for the set of templates of a chart, and for every text that `tpl` renders. */
const rootName = "gotpl";

/** A set of templates with Helm's own functions: `include` and `tpl` beside those given. */
export function createHelmTemplateSet(functions: FunctionTable, context: GoContext): TemplateSet {
  const nesting = new Map<string, number>();
  return new TemplateSet({ ...functions, ...helmFunctions }, context, (set) => ({
    include: knowingOrigins(
      define([parameters.string, parameters.value], ([name, data]) => {
        const depth = nesting.get(name) ?? 0;
        if (depth > maxNesting) {
          throw new GoError(
            `rendering template has a nested reference name: ${name}: unable to execute template`,
          );
        }
        nesting.set(name, depth + 1);
        try {
          return set.execute(name, data);
        } finally {
          nesting.set(name, depth);
        }
      }),
    ),
    tpl: knowingOrigins(
      define([parameters.text, parameters.value], ([text, data]) => {
        if (!plainText(text).includes("{{")) return withoutNoValue(text);
        const child = set.createChild();
        const tree = attempt("cannot parse template", text, () => child.parse({ name: rootName, text }));
        const output = attempt("error during tpl function execution for", text, () =>
          child.executeTree(tree, data),
        );
        return withoutNoValue(output);
      }),
    ),
  }));
}

function attempt<Result>(problem: string, text: Text, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateParseError || error instanceof TemplateExecError)) throw error;
    throw new GoError(`${problem} ${quoteGo(plainText(text))}: ${error.message}`, { cause: error });
  }
}

/** Text/template writes `<no value>` for nil; Helm takes it out again. */
export function withoutNoValue(text: Text): Text {
  return plainText(text).includes("<no value>") ? replaceInText(text, "<no value>", "") : text;
}

const helmFunctions: FunctionTable = {
  required: define([parameters.string, parameters.value], ([message, value]) => {
    const plain = untracked(value);
    if (plain === null || plain === "") throw failure(message);
    return value;
  }),
  fail: define([parameters.string], ([message]) => {
    throw failure(message);
  }),
  /** Without a cluster there is nothing to find. */
  lookup: define(
    [parameters.string, parameters.string, parameters.string, parameters.string],
    () => new GoMap(),
  ),
  /** Off in Helm too, unless --enable-dns. */
  getHostByName: define([parameters.string], () => ""),
};

function failure(message: string): GoError {
  return new GoError(`${warningMarks.start}${message}${warningMarks.end}`);
}
