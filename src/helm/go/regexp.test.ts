import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RenderBudget } from "./context.ts";
import { makeNamesUnique } from "./group-names.ts";
import { GoRegexp } from "./regexp.ts";

const expressions: readonly string[] = [
  String.raw`^pr-(?P<pr>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`,
  String.raw`(a*)(a|b)*?b`,
  String.raw`(a|ab)(c|bcd)(d*)`,
  String.raw`\b(\w+)\b-?(\d+)?`,
  String.raw`(?m)^(a+)$`,
  String.raw`(?s)(.)\B(.)`,
  String.raw`(?i)(A+)|(b)`,
  String.raw`(a??)(a?)(a*)`,
  String.raw`((a)|b)*`,
  String.raw`(?:(a)|(b)|(-))+$`,
  String.raw`(|a)+`,
  String.raw`(a{2,3}){2}`,
  String.raw`[[:^alpha:]]+(\pL*)`,
  String.raw`(\z)|a`,
  "",
];

/** A text that any of the expressions may match. */
const subject = fc
  .array(fc.constantFrom("a", "b", "A", "c", "d", "0", "7", "-", "_", "\n", "pr-", "é"), { maxLength: 14 })
  .map((parts) => parts.join(""));

/** Small expressions put together at random. */
const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", "[ab]", ".", "\\d", "^", "$", "\\b", "\\B", "", "(?i:A)"),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => left + right),
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `(${left}|${right})`),
    fc
      .tuple(tie("node"), fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{1,2}"))
      .map(([node, times]) => `(${node})${times}`),
  ),
})).node;

describe("a finder finds what findAll does", () => {
  test.each(expressions)("%j", (source) => {
    const regexp = new GoRegexp(source);
    const budget = new RenderBudget();
    const find = regexp.createFinder(budget);
    fc.assert(
      fc.property(subject, (text) => {
        expect(find(text)).toEqual(regexp.findAll(text, 1, budget, true)[0]);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test("random expressions", () => {
    fc.assert(
      fc.property(expression, fc.array(subject, { minLength: 3, maxLength: 6 }), (source, texts) => {
        const regexp = new GoRegexp(source);
        const budget = new RenderBudget();
        const find = regexp.createFinder(budget);
        for (const text of texts) expect(find(text)).toEqual(regexp.findAll(text, 1, budget, true)[0]);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  test("where an automaton would have too many states", () => {
    const regexp = new GoRegexp("(a|b)*a(a|b){12}c");
    const budget = new RenderBudget();
    const find = regexp.createFinder(budget);
    for (let round = 0; round < 200; round++) {
      const text =
        (round * 7919 + 4096).toString(2).replaceAll("0", "a").replaceAll("1", "b").repeat(3) + "c";
      expect(find(text)).toEqual(regexp.findAll(text, 1, budget, true)[0]);
    }
  });
});

describe("names", () => {
  test.each([
    ["(?P<a>x)(?P<b>y)", "(?P<a>x)(?P<b>y)"],
    ["(?P<a>x)|(?<a>y)|(?<a_>z)|(?P<a>.)", "(?P<a>x)|(?<a__>y)|(?<a_>z)|(?P<a___>.)"],
    [
      String.raw`(?P<a>\(?P<a>)\Q(?P<a>\E[](?P<a>[:digit:]\]](?P<a>)`,
      String.raw`(?P<a>\(?P<a>)\Q(?P<a>\E[](?P<a>[:digit:]\]](?P<a_>)`,
    ],
    ["(?P<a>[^", "(?P<a>[^"],
    ["\\", "\\"],
  ])("%s", (source, expected) => {
    expect(makeNamesUnique(source).expression).toBe(expected);
  });

  test("a name that is given twice stands for the first group that took part", () => {
    const regexp = new GoRegexp("(?P<a>x)|(?P<a>y)|(?P<b>z)");
    expect(regexp.groupNames).toEqual(["", "a", "a", "b"]);
    expect(regexp.replaceAll("xyz", "<$a>", new RenderBudget())).toBe("<x><y><>");
  });
});
