import { expect, test } from "vitest";
import { tryCompileGlob } from "./glob.ts";

const names = ["a", "b", "ab", "a.b", "a/b", "a/b/c", "config/app.yaml", "config/x/app.yaml", "é"];

// What github.com/gobwas/glob 0.2.3 finds.
test.each<[string, readonly string[]]>([
  ["*", ["a", "b", "ab", "a.b", "é"]],
  ["**", names],
  ["?", ["a", "b", "é"]],
  ["a?b", ["a.b"]],
  ["*b", ["b", "ab", "a.b"]],
  ["**b", ["b", "ab", "a.b", "a/b"]],
  ["config/*", ["config/app.yaml"]],
  ["config/**", ["config/app.yaml", "config/x/app.yaml"]],
  ["**.yaml", ["config/app.yaml", "config/x/app.yaml"]],
  ["{a,b,config/{app,x/app}.yaml}", ["a", "b", "config/app.yaml", "config/x/app.yaml"]],
  ["[ab]", ["a", "b"]],
  ["[!ab]", ["é"]],
  ["[a-c]*", ["a", "b", "ab", "a.b"]],
  ["a[!x]b", ["a.b", "a/b"]],
  [String.raw`a\.b`, ["a.b"]],
  ["a.b", ["a.b"]],
  ["{a", ["a"]],
  ["a}", []],
  ["a,b", []],
  ["", []],
])("%j", (pattern, found) => {
  const matches = tryCompileGlob(pattern);
  expect(matches && names.filter(matches)).toEqual(found);
});

test.each(["[", "[]", "[!]", "[a-]", "[b-a]", "[a-cd]"])("%j is malformed", (pattern) => {
  expect(tryCompileGlob(pattern)).toBeUndefined();
});

test("no pattern takes long", () => {
  const matches = tryCompileGlob(`${"*a".repeat(40)}b`);
  expect(matches?.("a".repeat(5000))).toBe(false);
});
