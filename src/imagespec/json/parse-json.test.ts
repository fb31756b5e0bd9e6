import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatJson } from "./format-json.ts";
import { jsonOfYaml } from "./json-of-yaml.ts";
import { parseJson } from "./parse-json.ts";
import { toPlain } from "./value.ts";

describe("a value keeps what is written", () => {
  test.each([
    { name: "an int64", text: '{"a":9007199254740993}' },
    { name: "digits behind the point", text: "[1.10,1e400,-0,0.1E-7]" },
    { name: "the order of keys", text: '{"b":1,"a":2,"10":3,"1":4}' },
    { name: "a key that prototypes have", text: '{"__proto__":{"constructor":1}}' },
    { name: "texts", text: '["","é","\\u2028","\\\\\\"","😀"]' },
  ])("$name", ({ text }) => {
    expect(formatJson(parseJson(text).value)).toBe(text.replaceAll("\\u2028", "\u2028"));
  });
});

test("keys that are given twice are told, and the later one counts", () => {
  const { value, duplicates } = parseJson('{"a":{"b/c":1,"b/c":2},"d":[{"e":1,"\\u0065":2}]}');
  expect(duplicates).toEqual(["/a/b~1c", "/d/0/e"]);
  expect(toPlain(value)).toEqual({ a: { "b/c": 2 }, d: [{ e: 2 }] });
});

test("what JSON.parse reads is read alike", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), undefined, indent);
      expect(JSON.parse(formatJson(parseJson(spaced).value))).toEqual(JSON.parse(text));
    }),
    { seed: 7, numRuns: 500 },
  );
});

test("what JSON.parse refuses is refused", () => {
  const mutated = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\0-+.eE \ntfn\u0000x'.split("")))
    .map(
      ([text, at, mark]) => text.slice(0, at % (text.length + 1)) + mark + text.slice(at % (text.length + 1)),
    );
  fc.assert(
    fc.property(mutated, (text) => {
      const isJson = tryParse(() => JSON.parse(text) as unknown);
      expect(tryParse(() => parseJson(text))).toBe(isJson);
    }),
    { seed: 8, numRuns: 2000 },
  );
});

test.each([
  { name: "lists", text: "[".repeat(200_000) },
  { name: "objects", text: '{"a":'.repeat(200_000) },
])("$name without end are a limit, not a crash", ({ text }) => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: "limit-exceeded" }));
});

describe("YAML is read as Kubernetes reads it", () => {
  test.each([
    { name: "an int64", text: "a: 9007199254740993", json: '{"a":9007199254740993}' },
    { name: "a hexadecimal int64", text: "a: [0x20000000000001]", json: '{"a":[9007199254740993]}' },
    {
      name: "YAML 1.1's words",
      text: "a: on\nb: 'on'\nc: 0777\nd: 1.0",
      json: '{"a":true,"b":"on","c":511,"d":1}',
    },
    { name: "an alias", text: "a: &x {b: 1}\nc: *x", json: '{"a":{"b":1},"c":{"b":1}}' },
  ])("$name", ({ text, json }) => {
    expect(formatJson(jsonOfYaml(text).value)).toBe(json);
  });

  test("keys that are given twice are told", () => {
    expect(jsonOfYaml("a:\n  b: 1\n  b: 2\n").duplicates).toEqual(["/a/b"]);
  });
});

function tryParse(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
