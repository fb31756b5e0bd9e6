import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairleadError, type ErrorCode } from "../../core/error.ts";
import type { PolicyChoice, TagFilter } from "../objects/image-policy.ts";
import { explainSelection, selectLatest, type Selection, type SelectionSpec } from "./select-latest.ts";

const numerical: PolicyChoice = { kind: "numerical", order: "asc" };
const semver = (range: string): PolicyChoice => ({ kind: "semver", range });

function specOf(choice: PolicyChoice, pattern?: string, extract = ""): SelectionSpec {
  const filterTags: TagFilter | undefined = pattern === undefined ? undefined : { pattern, extract };
  return { choice, ...(filterTags === undefined ? {} : { filterTags }) };
}

const rfcPattern = String.raw`^pr-(?P<pr>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`;

function attributesIn({ attributes }: Selection): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes));
}

describe("attributes (RFC-0005)", () => {
  test("every named group of the winning tag is one", () => {
    const tags = ["pr-1245-1600000000-abc0123", "pr-7-1700000000-def4567", "main"];
    const selection = selectLatest(specOf(numerical, rfcPattern, "$ts"), tags);
    expect(selection.tag).toBe("pr-7-1700000000-def4567");
    expect(attributesIn(selection)).toEqual({ pr: "7", ts: "1700000000", sha1: "def4567" });
    expect(selection.diagnostics).toEqual([]);
  });

  test.each<[string, string, string, Record<string, string>, readonly string[]]>([
    [
      "the whole tag is matched, not what is extracted",
      "(?P<n>\\d+)-(?P<rest>.*)",
      "1-a",
      { n: "1", rest: "a" },
      [],
    ],
    ["a group may be empty", "^(?P<a>x*)_", "_b", { a: "" }, []],
    ["an unmatched group is left out", "^(?P<a>x)?(?P<b>y)", "y", { b: "y" }, ["attribute-unmatched"]],
    [
      "reserved names are none",
      "^(?P<tag>.)(?P<name>.)(?P<digest>.)(?P<d>.)",
      "abcd",
      { d: "d" },
      ["attribute-reserved", "attribute-reserved", "attribute-reserved"],
    ],
    ["of one name, the first group that took part", "^(?:(?P<a>x)|(?P<a>y))$", "y", { a: "y" }, []],
    [
      "names of the prototype are names",
      "^(?P<__proto__>.)(?P<constructor>.)",
      "ab",
      { ["__proto__"]: "a", constructor: "b" },
      [],
    ],
    ["no name, no attribute", "^(.*)$", "a", {}, []],
  ])("%s", (_name, pattern, tag, expected, codes) => {
    const where = { file: "policy.yaml", line: 3 };
    const selection = selectLatest(specOf({ kind: "alphabetical", order: "asc" }, pattern), [tag], { where });
    expect(Object.entries(selection.attributes)).toEqual(Object.entries(expected));
    expect(selection.diagnostics.map(({ code }) => code)).toEqual(codes);
    for (const diagnostic of selection.diagnostics)
      expect(diagnostic).toMatchObject({ where, severity: "warning" });
  });

  test("without a filter there are none", () => {
    expect(attributesIn(selectLatest(specOf(semver("*")), ["1.0.0"]))).toEqual({});
  });
});

describe("what is chosen", () => {
  test.each<[string, SelectionSpec, readonly string[], string]>([
    [
      "whole numbers exactly",
      specOf(numerical),
      ["20240102030405678901", "20240102030405678902", "20240102030405678900"],
      "20240102030405678902",
    ],
    [
      "whole numbers and floats of one value",
      specOf(numerical),
      ["9007199254740993", "9007199254740992.0"],
      "9007199254740993",
    ],
    ["NaN behind numbers", specOf(numerical), ["1", "NaN"], "1"],
    ["NaN where there is nothing else", specOf(numerical), ["nan"], "nan"],
    ["of equal versions the greater tag", specOf(semver("*")), ["1.0.0", "v1.0.0"], "v1.0.0"],
    ["of equal numbers the smaller tag", specOf(numerical), ["100", "0100", "1e2"], "0100"],
    [
      "of tags with one extracted text the smaller",
      specOf(numerical, "^b-(\\d+)-", "$1"),
      ["b-1-y", "b-1-x"],
      "b-1-x",
    ],
    ["no tag of the exclusion list", specOf({ kind: "alphabetical", order: "asc" }), ["a", "z.sig"], "a"],
    [
      "nothing that is no tag",
      specOf({ kind: "alphabetical", order: "asc" }),
      ["a", "z\n", "-z", "z z", ""],
      "a",
    ],
  ])("%s", (_name, spec, tags, expected) => {
    for (const given of [tags, tags.toReversed()]) {
      expect(selectLatest(spec, given, { exclusionList: [String.raw`\.sig$`] }).tag).toBe(expected);
    }
  });

  test("is the same in whatever order tags come", () => {
    const tag = fc.constantFrom(
      "1",
      "01",
      "1e0",
      "2",
      "0x1p1",
      "nan",
      "inf",
      "9007199254740993",
      "9007199254740992",
      "9007199254740992.0",
    );
    fc.assert(
      fc.property(fc.uniqueArray(tag, { minLength: 1 }), fc.constantFrom("asc", "desc"), (tags, order) => {
        const chosen = [tags, tags.toReversed(), tags.toSorted()].map(
          (given) => selectLatest(specOf({ kind: "numerical", order }), given).tag,
        );
        expect(new Set(chosen).size).toBe(1);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

describe("why nothing is chosen", () => {
  const cases: readonly [string, SelectionSpec, readonly string[], ErrorCode, string][] = [
    [
      "no range",
      specOf(semver("foo")),
      ["1.0.0"],
      "policy-invalid",
      'invalid policy: improper constraint: "foo"',
    ],
    [
      "no expression",
      specOf(numerical, "("),
      ["1"],
      "policy-invalid",
      "failed to filter tags: invalid regular expression pattern '(': error parsing regexp: missing closing ): `(`",
    ],
    [
      "look-around",
      specOf(numerical, "(?=a)"),
      ["1"],
      "policy-invalid",
      "invalid or unsupported Perl syntax",
    ],
    ["no tags", specOf(numerical), [], "policy-unresolved", "no tags in database"],
    ["no tags but excluded ones", specOf(numerical), ["a.sig"], "policy-unresolved", "no tags in database"],
    [
      "no tag that matches",
      specOf(numerical, "^x$"),
      ["1", "a.sig"],
      "policy-unresolved",
      "no tag matches the pattern '^x$'",
    ],
    [
      "no version in the range",
      specOf(semver(">=2")),
      ["1.0.0", "x"],
      "policy-unresolved",
      "unable to determine latest version from provided list",
    ],
    [
      "a tag that is no number",
      specOf(numerical),
      ["1", "v2"],
      "policy-unresolved",
      "failed to parse invalid numeric value 'v2'",
    ],
    [
      "an expression that is too large",
      specOf(numerical, "a{1000}".repeat(580)),
      ["1"],
      "limit-exceeded",
      "the regular expression takes too much",
    ],
  ];

  test.each(cases)("%s", (_name, spec, tags, code, message) => {
    expect.assertions(3);
    const where = { file: "policy.yaml", line: 3 };
    try {
      selectLatest(spec, tags, { where, exclusionList: [String.raw`\.sig$`] });
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      expect(error.message).toContain(message);
      expect(error.code).toBe(code);
      expect(error.where).toEqual(where);
    }
  });

  test("an exclusion that is no expression", () => {
    expect(() => selectLatest(specOf(numerical), ["1"], { exclusionList: ["("] })).toThrow(
      "failed to compile regex (: error parsing regexp: missing closing ): `(`",
    );
  });
});

describe("why the other tags lost", () => {
  test("each has its reason", () => {
    const spec = specOf(semver("1.x"), "^v?(?P<v>.*?)(?:-alpine)?$", "$v");
    const tags = [
      "1.0.0",
      "1.2.0",
      "v1.2.0-alpine",
      "2.0.0",
      "1.3.0-rc.1",
      "1.2",
      "latest",
      "a.sig",
      "-x",
      "1.1.0",
    ];
    const { selection, explanation } = explainSelection(spec, tags, { exclusionList: [String.raw`\.sig$`] });
    expect(selection?.tag).toBe("1.2.0");
    expect(explanation.losses).toEqual([
      { tag: "2.0.0", reason: "out-of-range", detail: "not in the range" },
      { tag: "1.3.0-rc.1", reason: "out-of-range", detail: "a pre-release, of which the range names none" },
      { tag: "1.2", reason: "unparsable", detail: "a version has three parts" },
      { tag: "latest", reason: "unparsable", detail: "a version has three parts" },
      { tag: "a.sig", reason: "excluded", detail: String.raw`matches '\.sig$' of the exclusion list` },
      { tag: "-x", reason: "invalid-tag" },
      { tag: "1.0.0", reason: "older" },
      { tag: "v1.2.0-alpine", reason: "tie", extracted: "1.2.0" },
      { tag: "1.1.0", reason: "older" },
    ]);
    expect(explanation.counts).toMatchObject({ older: 2, tie: 1, "out-of-range": 2, filtered: 0 });
  });

  test("also where nothing is chosen", () => {
    const { selection, error, explanation } = explainSelection(specOf(semver(">=2")), ["1.0.0"]);
    expect(selection).toBeUndefined();
    expect(error?.code).toBe("policy-unresolved");
    expect(explanation.losses).toEqual([
      { tag: "1.0.0", reason: "out-of-range", detail: "not in the range" },
    ]);
  });

  test("the list is bounded, the counts are not", () => {
    const tags = Array.from({ length: 12_000 }, (_, index) => String(index));
    const { explanation } = explainSelection(specOf(numerical), tags);
    expect(explanation.losses).toHaveLength(10_000);
    expect(explanation.omitted).toBe(1999);
    expect(explanation.counts.older).toBe(11_999);
  });
});
