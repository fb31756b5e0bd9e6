import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  spelledSpans,
  valueText,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";
import { concatTexts } from "../go/text.ts";
import { intOf, Tracked, type GoValue } from "../go/value.ts";
import { trimFunctions } from "./trim-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["trim", [" \t a b\n"], "a b"],
  ["trim", ["\u00a0\u2003é\u0085"], "é"],
  ["trim", ["\u00a0 "], ""],
  ["trim", ["\ufeffa"], "\ufeffa"],
  ["trimAll", ["/-", "-/a/-b/-"], "a/-b"],
  ["trimAll", ["é", "éaé"], "a"],
  ["trimall", ["", "a"], "a"],
  ["trimPrefix", ["v", "v1.2"], "1.2"],
  ["trimSuffix", ["-", "a--"], "a-"],
  ["trimSuffix", ["", "a"], "a"],
  ["nospace", [" a\tb c\n"], "abc"],
  ["nospace", ["é è"], "Ã©Ã¨"],
  ["nospace", ["é"], "é"],
  ["trunc", [3, "abcdef"], "abc"],
  ["trunc", [-2, "abcdef"], "ef"],
  ["trunc", [-9, "abc"], "abc"],
  ["trunc", [0, "abc"], ""],
  ["trunc", [63, "abc"], "abc"],
  ["substr", [1, 3, "abcdef"], "bc"],
  ["substr", [-1, 2, "abc"], "ab"],
  ["substr", [2, -1, "abcdef"], "cdef"],
  ["substr", [1, 99, "abc"], "bc"],
  ["substr", [-1, 5, "abc"], { error: "runtime error: slice bounds out of range [:5] with length 3" }],
  ["substr", [-1, -1, "abc"], { error: "runtime error: slice bounds out of range [:-1]" }],
  ["substr", [4, 9, "abc"], { error: "runtime error: slice bounds out of range [4:3]" }],
  ["substr", [2, 1, "abc"], { error: "runtime error: slice bounds out of range [2:1]" }],
  ["abbrev", [5, "hello world"], "he..."],
  ["abbrev", [3, "hello"], "hello"],
  ["abbrev", [20, "hello"], "hello"],
  ["abbrevboth", [5, 10, "1234 5678 9123"], "...5678..."],
  ["abbrevboth", [0, 8, "1234 5678 9123"], "1234 ..."],
  ["abbrevboth", [9, 7, "abcdefghijklmno"], "...j..."],
  ["abbrevboth", [9, 6, "abcdefghijklmno"], "abcdefghijklmno"],
  ["abbrevboth", [1, 3, "abcdefghijklmno"], "abcdefghijklmno"],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(trimFunctions, name, args)).toEqual(wanted);
});

/** A text of a value, literal spaces around it. */
const padded = concatTexts([" ", valueText("v1.2.3", "tag"), " x"]);
const spanRows: readonly [name: string, args: readonly GoValue[], wanted: string][] = [
  ["trim", [concatTexts([" ", valueText("a", "a"), "\n"])], "[a+0:a]"],
  ["trimPrefix", ["v", valueText("v1.2", "tag")], "[tag+1:1.2]"],
  ["trimSuffix", [" x", padded], " [tag+0:v1.2.3]"],
  ["trimAll", ["v3", valueText("v1.3", "tag")], "[tag+1:1.]"],
  ["trunc", [intOf(4), padded], " [tag+0:v1.]"],
  ["trunc", [intOf(-3), padded], "[tag+5:3] x"],
  ["substr", [intOf(2), intOf(5), padded], "[tag+1:1.2]"],
  ["abbrev", [intOf(5), padded], " [tag+0:v]..."],
  ["nospace", [padded], "[tag+0:v1.2.3]x"],
];
test.each(spanRows)("%s keeps the spans of what it leaves: %#", (name, args, wanted) => {
  expect(spelledSpans(callFunction(trimFunctions, name, args, { tracking: true }))).toBe(wanted);
});

test("a part without spans comes from nothing else", () => {
  expect(callFunction(trimFunctions, "trunc", [intOf(1), padded], { tracking: true })).toEqual(
    new Tracked(" ", []),
  );
});
