import { describe, expect, it } from "vitest";
import type { Source } from "../provenance/span.ts";
import { RenderBudget, type GoContext } from "../go/context.ts";
import { formatGo } from "../go/format.ts";
import { plainText, trackedFrom } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import { toBytes } from "../go/utf8.ts";
import {
  GoBytes,
  GoComplex,
  GoInteger,
  GoMap,
  GoStruct,
  intOf,
  listOf,
  nilMap,
  nilSlice,
  stringsOf,
  Tracked,
  type GoValue,
} from "../go/value.ts";
import { builtinFunctions } from "./builtins.ts";

const context: GoContext = {
  budget: new RenderBudget(),
  random: { bytes: (count) => new Uint8Array(count) },
  now: 0,
  tracking: false,
};

function call(name: string, ...args: GoValue[]): GoValue {
  return builtinFunctions[name]?.call(args, context) ?? null;
}

const uint = (value: number): GoInteger => new GoInteger(BigInt(value), goTypes.uint64);
const int64 = (value: number): GoInteger => new GoInteger(BigInt(value), goTypes.int64);
const one = intOf(1);
const two = intOf(2);
const list = listOf(["a", one, null]);
const map = new GoMap([
  ["a", one],
  ["list", list],
]);
const point = new GoStruct({ name: "main.Point", kind: "struct" }, [["X", one]]);
const pointer = new GoStruct({ name: "*main.Point", kind: "ptr" }, [["X", one]]);

type Row<Result> = readonly [name: string, args: readonly GoValue[], result: Result];

/** Rows with their call in front, written as in Go. */
function labelled<Result>(rows: readonly Row<Result>[]): (readonly [label: string, ...Row<Result>])[] {
  return rows.map(([name, args, result]) => {
    const written = args.map((arg) => plainText(formatGo("%#v", [arg], context)));
    return [`${name}(${written.join(", ")})`, name, args, result];
  });
}

describe("comparisons", () => {
  it.each(
    labelled<GoValue>([
      ["eq", ["a", "a"], true],
      ["eq", ["a", "b"], false],
      ["eq", ["c", "a", "b", "c"], true],
      ["eq", [one, int64(1)], true],
      ["eq", [one, uint(1)], true],
      ["eq", [intOf(-1), new GoInteger(2n ** 64n - 1n, goTypes.uint64)], false],
      ["eq", [1.5, 1.5], true],
      ["eq", [NaN, NaN], false],
      ["eq", [true, false, true], true],
      ["eq", [new GoComplex(1, 2), new GoComplex(1, 2)], true],
      ["eq", [null, null], true],
      ["eq", [null, "a"], false],
      ["eq", [one, null], false],
      ["eq", [map, null], false],
      ["eq", [null, nilMap()], true],
      ["eq", [nilSlice(), null], true],
      ["eq", [pointer, pointer], true],
      ["ne", ["a", "b"], true],
      ["ne", [one, one], false],
      ["lt", [one, two], true],
      ["lt", ["B", "a"], true],
      ["lt", [1.5, 1.5], false],
      ["lt", [intOf(-1), uint(0)], true],
      ["le", [one, one], true],
      ["gt", [two, one], true],
      ["gt", [NaN, 1], true],
      ["ge", [one, two], false],
      ["ge", [NaN, 1], true],
      ["not", [""], true],
      ["not", [list], false],
    ]),
  )("%s", (_, name, args, result) => {
    expect(call(name, ...args)).toBe(result);
  });
});

describe("indexing", () => {
  it.each(
    labelled<GoValue>([
      ["index", [list], list],
      ["index", [list, one], one],
      ["index", [list, uint(0)], "a"],
      ["index", [list, two], null],
      ["index", [map, "a"], one],
      ["index", [map, "list", intOf(0)], "a"],
      ["index", [map, "none"], null],
      ["index", [new GoMap([], goTypes.stringMap), "none"], ""],
      ["index", ["abc", one], new GoInteger(98n, goTypes.uint8)],
      ["index", [new GoBytes("abc"), one], new GoInteger(98n, goTypes.uint8)],
      ["slice", ["abcd"], "abcd"],
      ["slice", ["abcd", one], "bcd"],
      ["slice", ["abcd", one, two], "b"],
      ["slice", ["abcd", intOf(4)], ""],
      ["slice", [list, one, two], listOf([one])],
      ["slice", [stringsOf(["a", "b"]), intOf(0), one, two], stringsOf(["a"])],
      ["slice", [new GoBytes("abc"), one], new GoBytes("bc")],
      ["len", [toBytes("é")], intOf(2)],
      ["len", [list], intOf(3)],
      ["len", [map], intOf(2)],
      ["len", [nilSlice()], intOf(0)],
    ]),
  )("%s", (_, name, args, result) => {
    expect(call(name, ...args)).toEqual(result);
  });
});

describe("texts", () => {
  it.each(
    labelled<GoValue>([
      ["print", ["a", one, two, "b"], "a1 2b"],
      ["println", ["a", one], "a 1\n"],
      ["printf", ["%s-%d", "a", one], "a-1"],
      ["html", ['<a href="x">\'&\u0000'], toBytes("&lt;a href=&#34;x&#34;&gt;&#39;&amp;\ufffd")],
      ["html", [one, two, list], "1 2 [a 1 &lt;nil&gt;]"],
      ["html", [null], "&lt;no value&gt;"],
      ["html", [pointer, one], "{1} 1"],
      ["html", [], ""],
      [
        "js",
        [toBytes("'\"\\<>&=\n\u007fé\u2028")],
        toBytes("\\'\\\"\\\\\\u003C\\u003E\\u0026\\u003D\\u000A\u007fé\\u2028"),
      ],
      ["js", [toBytes("\u{e0001}\u00ad") + "\u00ff"], "\\uE0001\\u00AD\u00ff"],
      ["urlquery", [toBytes("a b/é~-_.+")], "a+b%2F%C3%A9~-_.%2B"],
      ["urlquery", ["a", "b"], "ab"],
    ]),
  )("%s", (_, name, args, result) => {
    expect(call(name, ...args)).toEqual(result);
  });
});

describe("errors", () => {
  it.each(
    labelled<string>([
      ["eq", [one], "missing argument for comparison"],
      ["eq", [one, "1"], "incompatible types for comparison: int and string"],
      ["eq", [1, one], "incompatible types for comparison: float64 and int"],
      ["eq", [map, one], "incompatible types for comparison: map[string]interface {} and int"],
      ["eq", [one, two, "1"], "incompatible types for comparison: int and string"],
      ["eq", [list, list], "non-comparable type [a %!s(int=1) <nil>]: []interface {}"],
      [
        "eq",
        [nilMap(), list],
        "non-comparable types map[]: map[string]interface {}, []interface {}: [a 1 <nil>]",
      ],
      ["ne", [true, "true"], "incompatible types for comparison: bool and string"],
      ["lt", [one, 1], "incompatible types for comparison: int and float64"],
      ["lt", [null, one], "invalid type for comparison"],
      ["le", [list, list], "invalid type for comparison"],
      ["gt", [true, true], "invalid type for comparison"],
      ["ge", [new GoComplex(1, 1), new GoComplex(1, 1)], "invalid type for comparison"],
      ["index", [null], "index of untyped nil"],
      ["index", [list, two, one], "index of nil pointer"],
      ["index", [list, intOf(5)], "index out of range: 5"],
      ["index", [list, intOf(-1)], "index out of range: -1"],
      ["index", [list, intOf(3)], "reflect: slice index out of range"],
      ["index", ["abc", intOf(3)], "reflect: string index out of range"],
      ["index", [list, "a"], "cannot index slice/array with type string"],
      ["index", [list, 1], "cannot index slice/array with type float64"],
      ["index", [list, null], "cannot index slice/array with nil"],
      ["index", [map, one], "value has type int; should be string"],
      ["index", [map, null], "value is nil; should be of type string"],
      ["index", [one, one], "can't index item of type int"],
      ["index", [pointer, one], "can't index item of type main.Point"],
      ["slice", [null], "slice of untyped nil"],
      ["slice", [map], "can't slice item of type map[string]interface {}"],
      ["slice", [one], "can't slice item of type int"],
      ["slice", ["abc", two, one], "invalid slice index: 2 > 1"],
      ["slice", ["abc", intOf(4)], "index out of range: 4"],
      ["slice", ["abc", one, one, one], "cannot 3-index slice a string"],
      ["slice", [list, one, two, one], "invalid slice index: 2 > 1"],
      ["slice", [list, one, one, one, one], "too many slice indexes: 4"],
      ["len", [null], "len of nil pointer"],
      ["len", [1.5], "len of type float64"],
      ["len", [point], "len of type main.Point"],
      ["call", [".x", null], "call of nil"],
      ["call", [".x", one], "non-function .x of type int"],
    ]),
  )("%s", (_, name, args, message) => {
    expect(() => call(name, ...args)).toThrow(expect.objectContaining({ name: "GoError", message }));
  });
});

describe("with tracked values", () => {
  const source: Source = { origins: [{ kind: "value", path: ["image"] }], exact: true };
  const image = trackedFrom("nginx<1", source);

  it("keeps the spans of parts", () => {
    expect(call("slice", image, one, two)).toEqual(
      new Tracked("g", [{ start: 0, end: 1, source, offset: 1 }]),
    );
    expect(call("html", image)).toMatchObject({
      value: "nginx&lt;1",
      spans: [
        { start: 0, end: 5, source, offset: 0 },
        { start: 5, end: 9, source: { exact: false } },
        { start: 9, end: 10, source, offset: 6 },
      ],
    });
  });

  it("hands elements on as they are", () => {
    expect(call("index", listOf([image]), intOf(0))).toBe(image);
    expect(call("index", new GoMap([["a", image]]), "a")).toBe(image);
    expect(call("print", image)).toEqual(image);
  });

  it("tells which value a missing key stands for", () => {
    const values = new GoMap([], goTypes.anyMap, { kind: "value", path: ["image"] });
    const missing = { kind: "value", path: ["image", "tag"] };
    expect(call("index", values, "tag")).toMatchObject({
      value: null,
      spans: [{ source: { origins: [missing] } }],
    });
  });
});
