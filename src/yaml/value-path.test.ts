import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparePaths, formatValuePath, getAt, parseValuePath, setAt, type ValuePath } from "./value-path.ts";
import { createYamlMap, type YamlMap } from "./value.ts";

describe("text of a path", () => {
  const rows: readonly { text: string; path: ValuePath }[] = [
    { text: "", path: [] },
    { text: "redis.image.tag", path: ["redis", "image", "tag"] },
    { text: "extra[0].image", path: ["extra", 0, "image"] },
    { text: "a[0][1]", path: ["a", 0, 1] },
    { text: 'annotations["a.b/c"]', path: ["annotations", "a.b/c"] },
    { text: '["a b"].c', path: ["a b", "c"] },
    { text: 'a[""].b', path: ["a", "", "b"] },
    { text: 'a["\\"\\\\]"]', path: ["a", '"\\]'] },
    { text: "ports.8080", path: ["ports", "8080"] },
  ];
  test.each(rows)("$text", ({ text, path }) => {
    expect(formatValuePath(path)).toBe(text);
    expect(parseValuePath(text)).toEqual(path);
  });

  test.each([".a", "a.", "a..b", "a[", "a[b]", "a[-1]", 'a["b]', "a b", "a[0]b", 'a["\\x"]'])(
    "%j is refused",
    (text) => {
      expect(() => parseValuePath(text)).toThrow(expect.objectContaining({ code: "value-path-invalid" }));
    },
  );

  test("what is formatted parses to the same path", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(), fc.string({ unit: "binary" }))), (path) => {
        expect(parseValuePath(formatValuePath(path))).toEqual(path);
      }),
      { seed: 20261107 },
    );
  });
});

describe("values at a path", () => {
  const map: YamlMap = { a: { b: [1, { c: null }] }, d: "text" };

  test("getAt", () => {
    expect(getAt(map, ["a", "b", 0])).toBe(1);
    expect(getAt(map, ["a", "b", 1, "c"])).toBeNull();
    expect(getAt(map, [])).toBe(map);
    for (const path of [["x"], ["a", 0], ["d", "length"], ["a", "b", "length"], ["toString"]]) {
      expect(getAt(map, path)).toBeUndefined();
    }
  });

  test("setAt copies what is on the path and shares the rest", () => {
    const changed = setAt(map, ["d", "e", 1], "new");
    expect(changed).toEqual({ a: map["a"], d: { e: [null, "new"] } });
    expect(changed["a"]).toBe(map["a"]);
    expect(map["d"]).toBe("text");
  });

  test("setAt sets inside lists", () => {
    expect(setAt(map, ["a", "b", 1, "c"], 2)).toEqual({ a: { b: [1, { c: 2 }] }, d: "text" });
    expect(map).toEqual({ a: { b: [1, { c: null }] }, d: "text" });
  });

  test("setAt cannot reach a prototype", () => {
    const changed = setAt(createYamlMap(), ["__proto__", "polluted"], true);
    expect(Object.keys(changed)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("setAt refuses a root index and a list without end", () => {
    expect(() => setAt({}, [0], 1)).toThrow(expect.objectContaining({ code: "value-path-invalid" }));
    expect(() => setAt({}, ["a", 65_537], 1)).toThrow(
      expect.objectContaining({ code: "value-path-invalid" }),
    );
  });
});

test("comparePaths orders indexes by number, parents before children", () => {
  const sorted: ValuePath[] = [["a"], ["a", 2], ["a", 10], ["a", "B"], ["a", "b"], ["a", "b", "c"], ["b"]];
  expect(sorted.toReversed().sort(comparePaths)).toEqual(sorted);
});
