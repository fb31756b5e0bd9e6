import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatJson } from "./format-json.ts";
import { applyJsonPatch, applyMergePatch, diffJsonPatch, diffMergePatch } from "./json-patch.ts";
import { parseJson } from "./parse-json.ts";
import { fromPlain, type JsonObject, toPlain } from "./value.ts";

const objectOf = (text: string): JsonObject => parseJson(text).value as JsonObject;

/** RFC 6902, appendix A, by its sections. */
const examples: readonly (readonly [string, string, string, string | undefined])[] = [
  ["A.1", '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux"}]', '{"foo":"bar","baz":"qux"}'],
  [
    "A.2",
    '{"foo":["bar","baz"]}',
    '[{"op":"add","path":"/foo/1","value":"qux"}]',
    '{"foo":["bar","qux","baz"]}',
  ],
  ["A.3", '{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}'],
  ["A.4", '{"foo":["bar","qux","baz"]}', '[{"op":"remove","path":"/foo/1"}]', '{"foo":["bar","baz"]}'],
  [
    "A.5",
    '{"baz":"qux","foo":"bar"}',
    '[{"op":"replace","path":"/baz","value":"boo"}]',
    '{"baz":"boo","foo":"bar"}',
  ],
  [
    "A.6",
    '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
  ],
  [
    "A.7",
    '{"foo":["all","grass","cows","eat"]}',
    '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
    '{"foo":["all","cows","eat","grass"]}',
  ],
  [
    "A.8",
    '{"baz":"qux","foo":["a",2,"c"]}',
    '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
    '{"baz":"qux","foo":["a",2,"c"]}',
  ],
  ["A.9", '{"baz":"qux"}', '[{"op":"test","path":"/baz","value":"bar"}]', undefined],
  [
    "A.10",
    '{"foo":"bar"}',
    '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
    '{"foo":"bar","child":{"grandchild":{}}}',
  ],
  [
    "A.11",
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz","value":"qux","xyz":123}]',
    '{"foo":"bar","baz":"qux"}',
  ],
  ["A.12", '{"foo":"bar"}', '[{"op":"add","path":"/baz/bat","value":"qux"}]', undefined],
  ["A.14", '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":10}]', '{"/":9,"~1":10}'],
  ["A.15", '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":"10"}]', undefined],
  [
    "A.16",
    '{"foo":["bar"]}',
    '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
    '{"foo":["bar",["abc","def"]]}',
  ],
];

describe("the examples of RFC 6902", () => {
  test.each(examples)("%s", (_section, document, patch, expected) => {
    const object = objectOf(document);
    const apply = (): JsonObject => applyJsonPatch(object, parseJson(patch).value);
    if (expected === undefined) expect(apply).toThrow(expect.objectContaining({ code: "input-invalid" }));
    else expect(toPlain(apply())).toEqual(JSON.parse(expected));
    // What is patched is a copy.
    expect(formatJson(object)).toBe(document);
  });
});

describe("patches that are none", () => {
  test.each([
    { name: "no list", patch: "{}" },
    { name: "an operation that is a text", patch: '["add"]' },
    { name: "an unknown operation", patch: '[{"op":"merge","path":"/a"}]' },
    { name: "no path", patch: '[{"op":"remove"}]' },
    { name: "a path without its slash", patch: '[{"op":"remove","path":"a"}]' },
    { name: "no value", patch: '[{"op":"add","path":"/b"}]' },
    { name: "an index beyond the end", patch: '[{"op":"add","path":"/a/3","value":1}]' },
    { name: "an index with a zero before it", patch: '[{"op":"replace","path":"/a/00","value":1}]' },
    { name: "a removal of nothing", patch: '[{"op":"remove","path":"/b"}]' },
    { name: "a move into itself", patch: '[{"op":"move","from":"/a","path":"/a/0"}]' },
    { name: "a document that is no object", patch: '[{"op":"replace","path":"","value":1}]' },
    {
      name: "copies that double",
      patch: JSON.stringify(Array.from({ length: 60 }, () => ({ op: "copy", from: "/a", path: "/a/-" }))),
    },
  ])("$name", ({ patch }) => {
    expect(() => applyJsonPatch(objectOf('{"a":[1,2]}'), parseJson(patch).value)).toThrow(
      expect.objectContaining({ code: "input-invalid" }),
    );
  });
});

/** RFC 7396, appendix A, for documents that are objects. */
const merges: readonly (readonly [string, string, string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

describe("the examples of RFC 7396", () => {
  test.each(merges)("%s with %s", (document, patch, expected) => {
    expect(formatJson(applyMergePatch(objectOf(document), parseJson(patch).value))).toBe(expected);
  });
});

describe("what differs between two documents makes one of the other", () => {
  const objects = fc.dictionary(
    fc.constantFrom("a", "b", "a/b", "~", "__proto__"),
    fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(0, 1, "x", true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
      ),
    })).value,
    { noNullPrototype: false },
  );

  test("as a JSON patch", () => {
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        const [from, to] = [fromPlain(before) as JsonObject, fromPlain(after) as JsonObject];
        expect(toPlain(applyJsonPatch(from, diffJsonPatch(from, to)))).toEqual(toPlain(to));
      }),
      { seed: 11, numRuns: 1000 },
    );
  });

  test("as a merge patch", () => {
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        const [from, to] = [fromPlain(before) as JsonObject, fromPlain(after) as JsonObject];
        expect(toPlain(applyMergePatch(from, diffMergePatch(from, to)))).toEqual(toPlain(to));
      }),
      { seed: 12, numRuns: 1000 },
    );
  });
});
