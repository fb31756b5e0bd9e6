import { expect, test } from "vitest";
import { formatValuePath } from "../../yaml/value-path.ts";
import { markedPaths } from "./marked-paths.ts";

const marker = (part = ""): string => `# {"$imagepolicy": "ns:p${part}"}`;

test.each<[string, string, readonly string[]]>([
  ["none", "a: 1 # $imagepolicy\n", []],
  ["a value", `a:\n  tag: "1" ${marker(":tag")}\n  b: 2\n`, ["a.tag"]],
  ["items", `a:\n  - image: x:1 ${marker()}\n  - ${marker()}\n    y:1\n`, ["a[0].image", "a[1]"]],
  ["a flow map", `a: {tag: "1", name: x} ${marker(":tag")}\n`, ["a.tag"]],
  ["a key with dots", `"a.b": {}\n"c.d": 1 ${marker(":tag")}\n`, ['["c.d"]']],
  ["what is no marker", `a: 1 # {"$imagepolicy": 1}\n`, []],
  ["a marker of nothing", `${marker()}\n\n\na: 1\n`, []],
  ["a value whose key is none", `? [x]\n: 1 ${marker()}\n`, []],
])("%s", (_name, text, expected) => {
  expect(markedPaths(text).map(formatValuePath)).toEqual(expected);
});

test("a key that is given twice is an error", () => {
  expect(() => markedPaths(`a: 1\na: 2 ${marker()}\n`)).toThrow("given twice");
});
