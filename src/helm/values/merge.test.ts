import { expect, test } from "vitest";
import { mergeMaps, mergeValueSources } from "./merge.ts";

test("maps merge deeply, lists and scalars are replaced, null is kept", () => {
  const base = { a: { b: 1, c: 2 }, l: [1, 2], m: { x: 1 }, s: "s" };
  const over = { a: { c: 3, d: null }, l: [3], m: null, s: { y: 1 } };
  expect(mergeMaps(base, over)).toEqual({ a: { b: 1, c: 3, d: null }, l: [3], m: null, s: { y: 1 } });
  expect(base).toEqual({ a: { b: 1, c: 2 }, l: [1, 2], m: { x: 1 }, s: "s" });
});

test("the kinds of flags apply in Helm's order, each kind in the order given", () => {
  const values = mergeValueSources(
    {
      setLiteral: ["literal=a,b"],
      setFile: ["file=f"],
      setString: ["string=1", "all=string"],
      set: ["set=1", "all=set", "set=2"],
      setJson: ['json={"a":1}', 'all="json"'],
      files: [
        { all: "first", kept: { a: 1 } },
        { all: "second", kept: { b: 2 } },
      ],
    },
    { readFile: () => "content" },
  );
  expect(values).toEqual({
    all: "string",
    kept: { a: 1, b: 2 },
    json: { a: 1 },
    set: 2,
    string: "1",
    file: "content",
    literal: "a,b",
  });
});

test("no key reaches a prototype", () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, never>;
  const merged = mergeMaps(hostile, hostile);
  expect(Object.keys(merged)).toEqual(["__proto__"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
