import { expect, test } from "vitest";
import { Tracked, type Text } from "../go/value.ts";
import { splitManifests } from "./split-manifests.ts";

// What Helm's SplitManifests gives, in 3.22 and in 4.3.
test.each<[string, string, readonly Text[], readonly Text[]]>([
  ["nothing", " \n", [], []],
  ["one document", "a: 1\n", ["a: 1"], ["a: 1\n"]],
  ["a separator first", "---\na: 1\n", ["a: 1"], ["a: 1\n"]],
  ["blanks around a separator", "a: b   \n   \n---   \n  c: d", ["a: b", "c: d"], ["a: b   \n   \n", "c: d"]],
  ["two separators", "a: b\n---\n---\nc: d\n", ["a: b", "---\nc: d"], ["a: b\n", "c: d\n"]],
  ["a separator at the end", "a: b\n---\n\n---", ["a: b", "---"], ["a: b\n"]],
  ["no line end after one", "a: b\n---x: y", ["a: b", "x: y"], ["a: b\n", "x: y"]],
  ["a comment after one", "a: b\n--- # c\nc: d", ["a: b", "# c\nc: d"], ["a: b\n", "# c\nc: d"]],
  ["four dashes", "----\na: b", ["-\na: b"], ["-\na: b"]],
  ["dashes in a block", "a: |\n  x\n  ---\n  y", ["a: |\n  x\n  ---\n  y"], ["a: |\n  x\n  ---\n  y"]],
  ["CR LF", "a: b\r\n---\r\nc: d", ["a: b", "c: d"], ["a: b\r\n", "c: d"]],
  ["wide blanks", "\u00c2\u00a0a: b\u00e3\u0080\u0080", ["a: b"], ["a: b\u00e3\u0080\u0080"]],
])("%s", (_name, file, helm3, helm4) => {
  expect(splitManifests(file, "helm3")).toEqual(helm3);
  expect(splitManifests(file, "helm4")).toEqual(helm4);
});

test("documents keep their spans", () => {
  const source = { origins: [{ kind: "value", path: ["tag"] }], exact: true } as const;
  const file = new Tracked("a: 1\n---\nb: xyz\n", [{ start: 12, end: 15, source, offset: 0 }]);
  expect(splitManifests(file, "helm3")).toEqual([
    "a: 1",
    new Tracked("b: xyz", [{ start: 3, end: 6, source, offset: 0 }]),
  ]);
});

test("much white space takes no longer than it is long", () => {
  const blanks = " \n".repeat(500_000);
  expect(splitManifests(`a: 1${blanks}b: 2${blanks}---${blanks}c: 3`, "helm3")).toHaveLength(2);
});
