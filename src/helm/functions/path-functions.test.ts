import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  spelledSpans,
  valueText,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";

import { pathFunctions } from "./path-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["base", [""], "."],
  ["dir", [""], "."],
  ["clean", [""], "."],
  ["ext", [""], ""],
  ["isAbs", [""], false],
  ["base", ["/"], "/"],
  ["dir", ["/"], "/"],
  ["clean", ["/"], "/"],
  ["ext", ["/"], ""],
  ["isAbs", ["/"], true],
  ["base", ["a/b"], "b"],
  ["dir", ["a/b"], "a"],
  ["clean", ["a/b"], "a/b"],
  ["ext", ["a/b"], ""],
  ["isAbs", ["a/b"], false],
  ["base", ["a/b/"], "b"],
  ["dir", ["a/b/"], "a/b"],
  ["clean", ["a/b/"], "a/b"],
  ["ext", ["a/b/"], ""],
  ["isAbs", ["a/b/"], false],
  ["base", ["a//../../b"], "b"],
  ["dir", ["a//../../b"], ".."],
  ["clean", ["a//../../b"], "../b"],
  ["ext", ["a//../../b"], ""],
  ["isAbs", ["a//../../b"], false],
  ["base", ["/.."], ".."],
  ["dir", ["/.."], "/"],
  ["clean", ["/.."], "/"],
  ["ext", ["/.."], "."],
  ["isAbs", ["/.."], true],
  ["base", ["a.b/c.tar.gz"], "c.tar.gz"],
  ["dir", ["a.b/c.tar.gz"], "a.b"],
  ["clean", ["a.b/c.tar.gz"], "a.b/c.tar.gz"],
  ["ext", ["a.b/c.tar.gz"], ".gz"],
  ["isAbs", ["a.b/c.tar.gz"], false],
  ["base", ["a.b/c"], "c"],
  ["dir", ["a.b/c"], "a.b"],
  ["clean", ["a.b/c"], "a.b/c"],
  ["ext", ["a.b/c"], ""],
  ["isAbs", ["a.b/c"], false],
  ["base", ["///a"], "a"],
  ["dir", ["///a"], "/"],
  ["clean", ["///a"], "/a"],
  ["ext", ["///a"], ""],
  ["isAbs", ["///a"], true],
  ["base", ["x."], "x."],
  ["dir", ["x."], "."],
  ["clean", ["x."], "x."],
  ["ext", ["x."], "."],
  ["isAbs", ["x."], false],
  ["osBase", ["a/b"], "b"],
  ["osDir", ["a/b"], "a"],
  ["osClean", ["a/../b"], "b"],
  ["osExt", ["a.b"], ".b"],
  ["osIsAbs", ["/a"], true],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(pathFunctions, name, args)).toEqual(wanted);
});

test("what is left of a path keeps its spans", () => {
  const path = valueText("a/b.c/", "path");
  const spans = (name: string): string => spelledSpans(callFunction(pathFunctions, name, [path]));
  expect([spans("base"), spans("dir"), spans("clean"), spans("ext")]).toEqual([
    "[path+2:b.c]",
    "[path+0:a/b.c]",
    "[path+0:a/b.c]",
    "",
  ]);
});
