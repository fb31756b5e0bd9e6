import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  spelledSpans,
  valueText,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";
import { intOf, stringsOf, type GoMap, type GoSlice } from "../go/value.ts";
import { splitFunctions } from "./split-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["split", ["/", "a/b"], { _0: "a", _1: "b" }],
  ["split", ["", "éa"], { _0: "é", _1: "a" }],
  ["split", [",", ""], { _0: "" }],
  ["splitn", ["/", 2, "a/b/c"], { _0: "a", _1: "b/c" }],
  ["splitn", ["/", 0, "a"], {}],
  ["splitn", ["", 2, "abc"], { _0: "a", _1: "bc" }],
  ["splitList", ["$", "foo$bar$"], ["foo", "bar", ""]],
  ["splitList", ["", ""], []],
  ["join", ["-", ["a", 1, null, true]], "a-1-true"],
  ["join", ["-", null], ""],
  ["join", ["-", "x"], "x"],
  ["join", [", ", []], ""],
  ["toStrings", [[1, "a", null, ["b"]]], ["1", "a", "[b]"]],
  ["toStrings", [null], []],
  ["toStrings", [5], ["5"]],
  ["sortAlpha", [["b", "a", "B", 10]], ["10", "B", "a", "b"]],
  ["sortAlpha", [3], ["3"]],
  ["sortAlpha", [null], ["<nil>"]],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(splitFunctions, name, args)).toEqual(wanted);
});

test("parts keep their spans, joined again too", () => {
  const image = valueText("docker.io/library/nginx", "image");
  const parts = callFunction(splitFunctions, "splitList", ["/", image]) as GoSlice;
  expect(parts.items.map(spelledSpans)).toEqual([
    "[image+0:docker.io]",
    "[image+10:library]",
    "[image+18:nginx]",
  ]);
  expect(spelledSpans(callFunction(splitFunctions, "join", [":", parts]))).toBe(
    "[image+0:docker.io]:[image+10:library]:[image+18:nginx]",
  );
  const numbered = callFunction(splitFunctions, "splitn", ["/", intOf(2), image]) as GoMap;
  expect(spelledSpans(numbered.entries.get("_1") ?? null)).toBe("[image+10:library/nginx]");
});

test("a list of strings is sorted where it stands, and handed on", () => {
  const list = stringsOf(["b", valueText("a", "x")]);
  expect(callFunction(splitFunctions, "sortAlpha", [list])).toBe(list);
  expect(list.items.map(spelledSpans)).toEqual(["[x+0:a]", "b"]);
  expect(callFunction(splitFunctions, "toStrings", [list])).toBe(list);
});
