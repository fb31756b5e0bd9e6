import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairleadError } from "../core/error.ts";
import { loadYaml, loadYamlDocuments, loadYamlMap } from "./load.ts";

function errorOf(work: () => unknown): FairleadError {
  try {
    work();
  } catch (error) {
    if (error instanceof FairleadError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("positions of errors", () => {
  const rows = [
    { name: "a value with a second colon", text: "a: 1\nb: c: d\n", line: 2, column: 5 },
    { name: "a flow list that is not closed", text: "a:\n  - [b\n", line: 3, column: 1 },
    { name: "a tab for indentation", text: "a:\n\tb: 1\n", line: 2, column: 1 },
    { name: "an unknown anchor", text: "a: 1\r\nb: *c\r\n", line: 2, column: 4 },
    { name: "a key without a colon", text: "a: 1\nb\nc: 2\n", line: 2, column: 1 },
    { name: "a wrong indentation", text: "a:\n    b: 1\n  c: 2\n", line: 3, column: 3 },
    { name: "a quote that is not closed", text: "a: 'b\nc: d\n", line: 1, column: 4 },
    { name: "an unknown escape", text: 'a: "b\\q"\n', line: 1, column: 6 },
    { name: "a template", text: "a: {{ .Values.b }}\n", line: 1, column: 5 },
    { name: "a control character in a comment", text: "a: 1\n# \u0007\n", line: 2, column: 3 },
    { name: "an infinity", text: "a: 1\nb: .inf\n", line: 2, column: 4 },
    { name: "a null key", text: "a: 1\n~: 2\n", line: 2, column: 1 },
  ];
  test.each(rows)("$name", ({ text, line, column }) => {
    const error = errorOf(() => loadYaml(text, { file: "values.yaml" }));
    expect(error.code).toBe("values-invalid");
    expect(error.where).toEqual({ file: "values.yaml", line, column });
  });

  test.each([
    ["a:\n\tb: 1\n", "a tab cannot indent; use blanks"],
    ["a: @b\n", "this character cannot start a value; quote the value"],
  ])("%j is refused with its cure", (text, message) => {
    expect(errorOf(() => loadYaml(text)).message).toBe(message);
  });

  test("the code is the caller's", () => {
    expect(errorOf(() => loadYaml("[", { code: "chart-invalid" })).code).toBe("chart-invalid");
  });
});

describe("duplicate keys", () => {
  test("the last one wins and each is reported where it stands", () => {
    const { value, duplicates } = loadYaml("a: 1\nb:\n  - c: 1\n    c: 2\n    'c': 3\na: 2\n");
    expect(value).toEqual({ a: 2, b: [{ c: 3 }] });
    expect(duplicates).toEqual([
      { path: ["b", 0, "c"], line: 4, column: 5 },
      { path: ["b", 0, "c"], line: 5, column: 5 },
      { path: ["a"], line: 6, column: 1 },
    ]);
  });

  test("a key over a merged one is none", () => {
    const { value, duplicates } = loadYaml("a: &a {b: 1, c: 1}\nd:\n  <<: *a\n  b: 2\n");
    expect(value).toEqual({ a: { b: 1, c: 1 }, d: { b: 2, c: 1 } });
    expect(duplicates).toEqual([]);
  });

  test("1 and '1' are one key", () => {
    expect(loadYaml("1: a\n'1': b\n")).toMatchObject({ value: { "1": "b" }, duplicates: [{ path: ["1"] }] });
  });
});

describe("hostile documents", () => {
  const laughs = Array.from({ length: 9 }, (_, level) => {
    const inner = level === 0 ? "lol" : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array(9).fill(inner).join(",")}]`;
  }).join("\n");
  const rows = [
    { name: "an alias bomb", text: laughs },
    {
      name: "an alias bomb of merges",
      text: `a: &a {${"k: [1,2,3,4,5,6,7,8],".repeat(200)}}\nb: [${"*a,".repeat(2000)}]`,
    },
    { name: "deep flow lists", text: "[".repeat(100_000) },
    { name: "deep flow maps", text: "{a: ".repeat(100_000) },
    { name: "deep block lists", text: "- ".repeat(100_000) },
    { name: "deep keys", text: "? ".repeat(100_000) },
    {
      name: "deep aliases",
      text: Array.from({ length: 20 }, (_, level) => {
        const inner = level === 0 ? "1" : `*a${level - 1}`;
        return `a${level}: &a${level} ${"[".repeat(90)}${inner}${"]".repeat(90)}`;
      }).join("\n"),
    },
    { name: "a million items", text: `[${"a,".repeat(1_000_001)}]` },
  ];
  test.each(rows)("$name", ({ text }) => {
    expect(errorOf(() => loadYaml(text)).code).toBe("limit-exceeded");
  });

  test("the number of nodes can be capped", () => {
    expect(loadYaml("[a, b]", { maxNodes: 3 }).value).toEqual(["a", "b"]);
    expect(errorOf(() => loadYaml("[a, b, c]", { maxNodes: 3 })).code).toBe("limit-exceeded");
  });

  test("no key reaches a prototype", () => {
    const { value } = loadYamlMap("__proto__: {polluted: true}\na: {<<: {__proto__: {polluted: true}}}\n");
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(["__proto__", "a"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("long input of one kind takes linear time", () => {
    const texts = [
      `"${"\\x41".repeat(200_000)}"`,
      `'${"''".repeat(200_000)}'`,
      `a: ${"b ".repeat(200_000)}`,
      `a:${"\n".repeat(200_000)}`,
      `a: |\n${"  b\n".repeat(200_000)}`,
      `a: b${"\n  c".repeat(200_000)}`,
      "#".repeat(500_000),
      "# a\n".repeat(200_000),
      "&a ".repeat(200_000),
      "!".repeat(200_000),
      "a".repeat(500_000),
      " ".repeat(500_000),
    ];
    const start = performance.now();
    for (const text of texts) expect(() => loadYaml(text)).not.toThrow(RangeError);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

describe("documents", () => {
  test("loadYaml reads the first and does not look at the others", () => {
    expect(loadYaml("a: 1\n---\n]]").value).toEqual({ a: 1 });
  });

  test("loadYamlDocuments reads all but the empty", () => {
    const text = "---\n# Source: a\na: 1\n---\n# nothing\n---\nb: |\n  x\n---\n- 1\n...\n";
    expect(loadYamlDocuments(text)).toEqual([{ a: 1 }, { b: "x\n" }, [1]]);
  });

  test("anchors end with their document", () => {
    const error = errorOf(() => loadYamlDocuments("a: &x 1\n---\nb: *x\n"));
    expect(error.where).toEqual({ line: 3, column: 4 });
  });

  test.each(["", "# only a comment\n", "---\n", "null\n"])("nothing in %j gives an empty map", (text) => {
    expect(loadYaml(text).value).toBeNull();
    expect(loadYamlMap(text).value).toEqual({});
  });

  test.each(["- a\n", "a\n", "1\n", "true\n"])("%j is not a map", (text) => {
    expect(errorOf(() => loadYamlMap(text)).message).toMatch(/^expected a map, found a /u);
  });
});

test("an alias shares its value", () => {
  const { value } = loadYamlMap("a: &x {b: 1}\nc: *x\n");
  expect(value["c"]).toBe(value["a"]);
});

test("no text makes it fail in any other way than with a FairleadError", () => {
  const parts = fc.constantFrom(
    ..."a|b: |: |- |? |[|]|{|}|,|\"|'|\n|\n  |\n\n|# |&x |*x|!!int |!t |%YAML 1.1\n|---|...|<<: |>|\\|\t|\r\n|\u2028|é|1.5|~".split(
      "|",
    ),
    "|\n",
    "|",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), (texts) => {
      try {
        loadYamlDocuments(texts.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(FairleadError);
      }
    }),
    { numRuns: 5000, seed: 20261105 },
  );
});
