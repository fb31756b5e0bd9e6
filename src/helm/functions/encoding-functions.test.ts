import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { RenderBudget } from "../go/context.ts";
import { callFunction, callRow } from "../../../test/support/go-function.ts";
import { goValueOf, type PlainValue } from "../../../test/support/go-value.ts";
import { GoBytes, GoInteger, GoMap, GoStruct, GoComplex, listOf, nilMap, type GoValue } from "../go/value.ts";
import { goTypes } from "../go/type.ts";
import { encodingFunctions, helm4EncodingFunctions } from "./encoding-functions.ts";

/** What Go's own functions give; numbers are float64. */
const rows: readonly [name: string, argument: PlainValue, wanted: unknown][] = [
  ["fromYaml", "a: 1\nb: [x, 'y', \"z\\n\"]\nc: {d: null}\n", { a: 1, b: ["x", "y", "z\n"], c: { d: null } }],
  ["fromYaml", "", {}],
  ["fromYaml", "null", {}],
  ["fromYaml", "# nothing", {}],
  [
    "fromYaml",
    "a: yes\nb: 0x10\nc: 1_000\nd: 12:30\ne: 2001-01-01",
    { a: true, b: 16, c: 1000, d: "12:30", e: "2001-01-01" },
  ],
  [
    "fromYaml",
    "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n",
    { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } },
  ],
  ["fromYaml", "1: a\ntrue: b\n1.5: c", { "1": "a", "1.5": "c", true: "b" }],
  ["fromYaml", "a: |\n  x\n  y\nb: >\n  x\n  y\n", { a: "x\ny\n", b: "x y\n" }],
  ["fromYaml", "---\na: 1\n---\nb: 2\n", { a: 1 }],
  [
    "fromYaml",
    "- a",
    {
      Error:
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
    },
  ],
  [
    "fromYaml",
    "x",
    {
      Error:
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type map[string]interface {}",
    },
  ],
  [
    "fromYaml",
    "1",
    {
      Error:
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type map[string]interface {}",
    },
  ],
  [
    "fromYaml",
    "true",
    {
      Error:
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal bool into Go value of type map[string]interface {}",
    },
  ],
  [
    "fromYaml",
    "a: b: c",
    { Error: "error converting YAML to JSON: yaml: mapping values are not allowed in this context" },
  ],
  [
    "fromYaml",
    "a: 1\nb: c: d",
    { Error: "error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context" },
  ],
  [
    "fromYaml",
    "a:\n\t- b",
    { Error: "error converting YAML to JSON: yaml: line 2: found character that cannot start any token" },
  ],
  ["fromYaml", "a: 'x", { Error: "error converting YAML to JSON: yaml: found unexpected end of stream" }],
  [
    "fromYaml",
    "a: [1",
    { Error: "error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'" },
  ],
  [
    "fromYaml",
    "a: {b",
    { Error: "error converting YAML to JSON: yaml: line 1: did not find expected ',' or '}'" },
  ],
  [
    "fromYaml",
    "- a\nb: 1",
    { Error: "error converting YAML to JSON: yaml: line 1: did not find expected '-' indicator" },
  ],
  [
    "fromYaml",
    "a: 1\n b: 2",
    { Error: "error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context" },
  ],
  [
    "fromYaml",
    "a\nb",
    {
      Error:
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type map[string]interface {}",
    },
  ],
  [
    "fromYaml",
    "a: @x",
    { Error: "error converting YAML to JSON: yaml: found character that cannot start any token" },
  ],
  ["fromYaml", "a: *x", { Error: "error converting YAML to JSON: yaml: unknown anchor 'x' referenced" }],
  [
    "fromYaml",
    "a: &x [*x]",
    { Error: "error converting YAML to JSON: yaml: anchor 'x' value contains itself" },
  ],
  [
    "fromYaml",
    "a: {{ .Values.x }}",
    {
      Error:
        'error converting YAML to JSON: yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}',
    },
  ],
  [
    "fromYaml",
    '{{ include "x" . }}: 1',
    {
      Error:
        'error converting YAML to JSON: yaml: invalid map key: map[interface {}]interface {}{"include \\"x\\" .":interface {}(nil)}',
    },
  ],
  [
    "fromYaml",
    "a: {{ x }}\nb: [",
    { Error: "error converting YAML to JSON: yaml: line 2: did not find expected node content" },
  ],
  [
    "fromYaml",
    "a: !!int x",
    { Error: "error converting YAML to JSON: yaml: cannot decode !!str `x` as a !!int" },
  ],
  ["fromYaml", "a: .inf", { Error: "error converting YAML to JSON: json: unsupported value: +Inf" }],
  [
    "fromYaml",
    "<<: 1",
    { Error: "error converting YAML to JSON: yaml: map merge requires map or sequence of maps as the value" },
  ],
  [
    "fromYaml",
    "%FOO\n---\na: 1",
    { Error: "error converting YAML to JSON: yaml: found unknown directive name" },
  ],
  ["fromYaml", 'a: "\\q"', { Error: "error converting YAML to JSON: yaml: found unknown escape character" }],
  [
    "fromYaml",
    "a: \u0001",
    { Error: "error converting YAML to JSON: yaml: control characters are not allowed" },
  ],
  [
    "fromYaml",
    "a: -\n  b",
    { Error: "error converting YAML to JSON: yaml: block sequence entries are not allowed in this context" },
  ],
  [
    "fromYaml",
    "key: |x\n",
    { Error: "error converting YAML to JSON: yaml: did not find expected comment or line break" },
  ],
  ["fromYaml", 'a: "b" c', { Error: "error converting YAML to JSON: yaml: did not find expected key" }],
  ["fromYaml", "a: \u00ff", { a: "\u00ff" }],
  ["fromYamlArray", "- a\n- b: 1.5", ["a", { b: 1.5 }]],
  ["fromYamlArray", "", []],
  [
    "fromYamlArray",
    "a: 1",
    [
      "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal object into Go value of type []interface {}",
    ],
  ],
  ["fromYamlArray", "[a", ["error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'"]],
  [
    "fromJson",
    '{"a": [1, 2.5, true, null, "x\\u00e9\\n"], "b": {}}',
    { a: [1, 2.5, true, null, "xé\n"], b: {} },
  ],
  ["fromJson", "null", {}],
  ["fromJson", "", { Error: "unexpected end of JSON input" }],
  [
    "fromJson",
    "[1]",
    { Error: "json: cannot unmarshal array into Go value of type map[string]interface {}" },
  ],
  ["fromJson", "x", { Error: "invalid character 'x' looking for beginning of value" }],
  ["fromJson", "{", { Error: "unexpected end of JSON input" }],
  ["fromJson", '{"a"}', { Error: "invalid character '}' after object key" }],
  ["fromJson", '{"a":1,}', { Error: "invalid character '}' looking for beginning of object key string" }],
  ["fromJson", '{"a":1 "b"', { Error: "invalid character '\"' after object key:value pair" }],
  ["fromJson", "{a: 1}", { Error: "invalid character 'a' looking for beginning of object key string" }],
  ["fromJson", '{"a":[1,]}', { Error: "invalid character ']' looking for beginning of value" }],
  ["fromJson", '{"a":tru}', { Error: "invalid character '}' in literal true (expecting 'e')" }],
  ["fromJson", '{"a":01}', { Error: "invalid character '1' after object key:value pair" }],
  ["fromJson", '{"a":1.}', { Error: "invalid character '}' after decimal point in numeric literal" }],
  ["fromJson", '{"a":"\n"}', { Error: "invalid character '\\n' in string literal" }],
  ["fromJson", '{"a":"\\x"}', { Error: "invalid character 'x' in string escape code" }],
  ["fromJson", '{"a":"\\u12"}', { Error: "invalid character '\"' in \\u hexadecimal character escape" }],
  [
    "fromJson",
    '{"a":1e999,"b":1}',
    { Error: "json: cannot unmarshal number 1e999 into Go value of type float64", a: null, b: 1 },
  ],
  ["fromJson", "{} x", { Error: "invalid character 'x' after top-level value" }],
  ["fromJson", '{"a":1,"a":2}', { a: 2 }],
  ["fromJson", '{"a":"\\ud800"}', { a: "\ufffd" }],
  ["fromJson", "é", { Error: "invalid character 'Ã' looking for beginning of value" }],
  ["fromJsonArray", "[1, {}]", [1, {}]],
  ["fromJsonArray", '{"a":1}', ["json: cannot unmarshal object into Go value of type []interface {}"]],
  ["fromJsonArray", '"x"', ["json: cannot unmarshal string into Go value of type []interface {}"]],
  ["fromJsonArray", "[", ["unexpected end of JSON input"]],
  ["mustFromJson", "1.5", 1.5],
  ["mustFromJson", "-", { error: "invalid character ' ' in numeric literal" }],
  ["mustFromJson", '"a', { error: "unexpected end of JSON input" }],
  [
    "toJson",
    { b: [1, 1.5, 1e21, 1e-7, -0, true, null], a: '<&>"\\\u2028\n\u0001é', "": {} },
    '{"":{},"a":"\\u003c\\u0026\\u003e\\"\\\\\\u2028\\n\\u0001é","b":[1,1.5,1e+21,1e-7,-0,true,null]}',
  ],
  [
    "toPrettyJson",
    { a: [1, { b: [] }], c: {} },
    '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}',
  ],
  ["toRawJson", { a: "<&>\u2028" }, '{"a":"<&>\\u2028"}'],
  ["toPrettyJson", [], "[]"],
  [
    "toToml",
    {
      b: 1,
      a: { d: [1, "x", true], c: 1.5, "e f": { g: null } },
      h: [{ i: 1 }, { i: [{ j: 1 }, 2] }],
      "": 'q"\\\u0001\n',
    },
    '"" = "q\\"\\\\\\u0001\\n"\nb = 1.0\n\n[a]\n  c = 1.5\n  d = [1.0, "x", true]\n  [a."e f"]\n\n[[h]]\n  i = 1.0\n\n[[h]]\n  i = [{j = 1.0}, 2.0]\n',
  ],
  ["toToml", [1, "a"], '[1.0, "a"]'],
  ["toToml", "x", '"x"'],
  ["toToml", [{ a: 1 }], "toml: top-level values must be Go maps or structs"],
  ["toToml", { a: [1, null] }, "toml: cannot encode array with nil element"],
  [
    "toToml",
    { a: 1000000, b: 1e21, c: [[{ d: 1 }]], e: [] },
    "a = 1e+06\nb = 1e+21\nc = [[{d = 1.0}]]\ne = []\n",
  ],
  ["toToml", {}, ""],
  [
    "fromToml",
    "a = 1\n[b]\nc = 'x'\n[[d]]\ne = 1.5\n[[d.f]]\ng = [1, [2]]",
    { a: 1, b: { c: "x" }, d: [{ e: 1.5, f: [{ g: [1, [2]] }] }] },
  ],
  ["fromToml", 'a = 0x1F\nb = 1_000\nc = true\nd = "\\u00e9"', { a: 31, b: 1000, c: true, d: "é" }],
  ["fromToml", "", {}],
];

test.each(rows)("%s of %j", (name, argument, wanted) => {
  const value = typeof argument === "string" ? argument : goValueOf(argument);
  expect(callRow(encodingFunctions, name, [value])).toEqual(wanted);
});

class Chart extends GoStruct {
  constructor() {
    super({ name: "chart.Metadata", kind: "struct", named: true }, [
      ["Name", "shop"],
      ["AppVersion", "1.0"],
    ]);
  }

  override toJson(): GoValue {
    return new GoMap([
      ["name", "shop"],
      ["appVersion", "1.0"],
    ]);
  }
}

test.each<[name: string, argument: GoValue, wanted: string]>([
  ["toYaml", new Chart(), 'appVersion: "1.0"\nname: shop'],
  ["toYamlPretty", new Chart(), 'name: shop\nappversion: "1.0"'],
  ["toJson", new Chart(), '{"name":"shop","appVersion":"1.0"}'],
  ["toToml", new Chart(), 'Name = "shop"\nAppVersion = "1.0"\n'],
  ["toYaml", new GoBytes("a\u00ff"), "Yf8="],
  ["toYamlPretty", new GoBytes("a\u00ff"), "- 97\n- 255"],
  ["toJson", new GoBytes("a\u00ff"), '"Yf8="'],
  ["toYamlPretty", listOf(["a\u00ff"]), "- !!binary Yf8="],
  ["toYaml", listOf(["a\u00ff"]), "- a\ufffd"],
  ["toJson", listOf(["a\u00ff"]), String.raw`["a\ufffd"]`],
  ["toYaml", nilMap(), "null"],
  ["toYamlPretty", nilMap(), "{}"],
  ["toJson", listOf([nilMap()]), "[null]"],
  ["toYaml", listOf([Number.NaN]), ""],
  ["toYamlPretty", listOf([Number.NaN, -Infinity]), "- .nan\n- -.inf"],
  ["toToml", new GoMap([["a", Infinity]]), "a = inf\n"],
  ["toJson", listOf([Number.NaN]), ""],
  ["toYaml", new GoComplex(1, 2), ""],
  ["toYaml", new GoInteger(2n ** 64n - 1n, goTypes.uint64), "18446744073709551615"],
  ["toYamlPretty", new GoInteger(1_500_000_000n, goTypes.duration), "1.5s"],
  ["toToml", new GoMap([["a", new GoInteger(1_500_000_000n, goTypes.duration)]]), 'a = "1.5s"\n'],
])("%s of what only Go has: %#", (name, argument, wanted) => {
  expect(callRow(encodingFunctions, name, [argument])).toBe(wanted);
});

function selfContaining(): GoMap {
  const map = new GoMap();
  map.entries.set("self", map);
  return map;
}

describe("errors", () => {
  const cycle = "json: unsupported value: encountered a cycle via map[string]interface {}";

  test.each<[name: string, argument: GoValue, error: string]>([
    ["mustToJson", listOf([Number.NaN]), "json: unsupported value: NaN"],
    ["mustToRawJson", listOf([-Infinity]), "json: unsupported value: -Inf"],
    ["toRawJson", new GoComplex(1, 2), "json: unsupported type: complex128"],
    ["mustToPrettyJson", selfContaining(), cycle],
    ["toToml", null, "reflect: call of reflect.Value.Type on zero Value"],
  ])("%s: %#", (name, argument, error) => {
    expect(callRow(encodingFunctions, name, [argument])).toEqual({ error });
  });

  test.each<[name: string, argument: GoValue, wanted: unknown]>([
    ["mustToYaml", listOf(["a"]), "- a"],
    [
      "mustToYaml",
      listOf([Number.NaN]),
      { error: "error marshaling into JSON: json: unsupported value: NaN" },
    ],
    ["mustToYaml", "a\u007f", { error: "yaml: control characters are not allowed" }],
    ["mustToToml", listOf([null]), { error: "toml: cannot encode array with nil element" }],
  ])("Helm 4's %s: %#", (name, argument, wanted) => {
    expect(callRow(helm4EncodingFunctions, name, [argument])).toEqual(wanted);
  });

  test.each(["toYaml", "toJson", "toPrettyJson", "toYamlPretty", "toToml"])(
    "what contains itself is refused by %s, where Helm writes nothing or does not end",
    (name) => {
      expect(() => callRow(encodingFunctions, name, [selfContaining()])).toThrow("contains itself");
    },
  );

  test("aliases that multiply are Go's error, depth is our limit", () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `k${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`,
    );
    const bomb = ["k: &a-1 [x, x]", ...levels].join("\n");
    expect(callRow(encodingFunctions, "fromYaml", [bomb])).toEqual({
      Error: "error converting YAML to JSON: yaml: document contains excessive aliasing",
    });
    for (const name of ["fromYamlArray", "fromJsonArray"]) {
      const deep = "[".repeat(2000) + "]".repeat(2000);
      expect(() => callRow(encodingFunctions, name, [deep])).toThrow(FairleadError);
    }
  });

  test("a list that is nested in itself without end is too much text", () => {
    let list: GoValue = "a";
    for (let level = 0; level < 60; level++) list = listOf([list, list]);
    for (const name of ["toYaml", "toYamlPretty", "toJson", "toPrettyJson"]) {
      const budget = new RenderBudget({ maxBytes: 100_000 });
      expect(() => callFunction(encodingFunctions, name, [list], { budget })).toThrow(FairleadError);
    }
  });
});
