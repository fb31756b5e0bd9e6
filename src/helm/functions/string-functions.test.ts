import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  spelledSpans,
  valueText,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";
import { RenderBudget } from "../go/context.ts";
import { intOf, listOf, type GoValue } from "../go/value.ts";
import { stringFunctions } from "./string-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["hello", [], "Hello!"],
  ["fail", ["no é"], { error: "no é" }],
  ["contains", ["b", "abc"], true],
  ["hasPrefix", ["ab", "abc"], true],
  ["hasSuffix", ["", "abc"], true],
  ["toString", [null], "<nil>"],
  ["toString", [[1, ["a"]]], "[1 [a]]"],
  ["quote", ['a"b\\\né\u200b'], '"a\\"b\\\\\\né\\u200b"'],
  ["quote", [1, null, "x", true], '"1" "x" "true"'],
  ["quote", [], ""],
  ["squote", ["it's", null, [1, null]], "'it's' '[1 <nil>]'"],
  ["cat", ["a", null, 1, ["x", "y"]], "a 1 [x y]"],
  ["cat", [" a ", ""], " a  "],
  ["plural", ["one", "many", 1], "one"],
  ["plural", ["one", "many", 0], "many"],
  ["repeat", [3, "ab"], "ababab"],
  ["repeat", [0, "ab"], ""],
  ["repeat", [-1, "ab"], { error: "strings: negative Repeat count" }],
  ["indent", [2, "a\n\nb\n"], "  a\n  \n  b\n  "],
  ["indent", [0, "a\nb"], "a\nb"],
  ["indent", [-1, "a"], { error: "strings: negative Repeat count" }],
  ["nindent", [2, "a\nb"], "\n  a\n  b"],
  ["replace", [".", "-", "a.b.c"], "a-b-c"],
  ["replace", ["", "-", "aé"], "-a-é-"],
  ["replace", ["aa", "$&", "aaa"], "$&a"],
  ["replace", ["x", "", "xaxx"], "a"],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(stringFunctions, name, args)).toEqual(wanted);
});

const tag = valueText("1.2", "tag");
const spanRows: readonly [name: string, args: readonly GoValue[], wanted: string][] = [
  ["quote", [tag, "x"], '"[tag+0:1.2]" "x"'],
  ["squote", [tag], "'[tag+0:1.2]'"],
  ["cat", ["v", tag], "v [tag+0:1.2]"],
  ["indent", [intOf(1), valueText("a\nb", "v")], " [v+0:a]\n [v+2:b]"],
  ["nindent", [intOf(1), tag], "\n [tag+0:1.2]"],
  ["replace", [".", valueText("-", "dash"), tag], "[tag+0:1][dash+0:-][tag+2:2]"],
  ["replace", ["", "|", valueText("ab", "v")], "|[v+0:a]|[v+1:b]|"],
  ["repeat", [intOf(2), tag], "[tag+0:1.2][tag+0:1.2]"],
  ["plural", [tag, "x", intOf(1)], "[tag+0:1.2]"],
  ["toString", [tag], "[tag+0:1.2]"],
];
test.each(spanRows)("%s keeps spans: %#", (name, args, wanted) => {
  expect(spelledSpans(callFunction(stringFunctions, name, args, { tracking: true }))).toBe(wanted);
});

const tooMuch: readonly [name: string, args: readonly GoValue[]][] = [
  ["repeat", [intOf(2000), "a"]],
  ["indent", [intOf(2000), "a"]],
  ["indent", [intOf(50), "\n".repeat(100)]],
  ["replace", ["a", "b".repeat(100), "a".repeat(100)]],
  ["replace", ["", "b".repeat(100), "a".repeat(100)]],
  ["join", ["-".repeat(100), listOf(Array.from("a".repeat(100)))]],
  ["wrapWith", [intOf(1), "-".repeat(100), "a".repeat(100)]],
  ["cat", ["a".repeat(600), "a".repeat(600)]],
];
test.each(tooMuch)("%s makes no more than the budget has", (name, args) => {
  const budget = new RenderBudget({ maxBytes: 1000 });
  expect(() => callFunction(stringFunctions, name, args, { budget })).toThrow(
    expect.objectContaining({ code: "limit-exceeded" }),
  );
});
