import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectLatest } from "../policy/select-latest.ts";
import { fixedRule, tagRuleOf, type TagRule } from "./tag-rule.ts";

function bare(text: string): TagRule {
  return tagRuleOf({ before: "", text, after: "" });
}

function describeRule({ choice, filterTags, isFixed }: TagRule): string {
  const how = choice.kind === "semver" ? choice.range : choice.kind;
  const filter =
    filterTags === undefined ? "" : ` of ${filterTags.pattern} by ${filterTags.extract || "itself"}`;
  return `${isFixed ? "fixed " : ""}${how}${filter}`;
}

describe("the rule for a tag", () => {
  test.each<[string, string]>([
    ["1.2.3", "^1.2.3"],
    ["v1.2.3", "^1.2.3"],
    ["0.4.1", "^0.4.1"],
    ["0.0.7", ">=0.0.7 <0.1.0-0"],
    ["2025.02.03", ">=2025.2.3"],
    ["1.27", String.raw`^1.27.0 of ^(?P<version>\d+\.\d+)$ by ${"${version}"}.0`],
    ["v1.10", String.raw`^1.10.0 of ^(?P<version>v\d+\.\d+)$ by ${"${version}"}.0`],
    ["1.2.3-alpine", String.raw`^1.2.3 of ^(?P<version>\d+\.\d+\.\d+)-alpine$ by $version`],
    ["7.4-alpine3.20", String.raw`^7.4.0 of ^(?P<version>\d+\.\d+)-alpine3\.20$ by ${"${version}"}.0`],
    ["1.2.3_a", String.raw`^1.2.3 of ^(?P<version>\d+\.\d+\.\d+)_a$ by $version`],
    [
      "16.4.0-debian-12-r5",
      String.raw`^16.4.0-5 of ^(?P<version>\d+\.\d+\.\d+)-debian-12-r(?P<revision>\d+)$ by $version-$revision`,
    ],
    ["1.2.3-4", String.raw`^1.2.3-4 of ^(?P<version>\d+\.\d+\.\d+)-(?P<revision>\d+)$ by $version-$revision`],
    [
      "1.2.3.4",
      String.raw`^1.2.3-4 of ^(?P<version>\d+\.\d+\.\d+)\.(?P<revision>\d+)$ by $version-$revision`,
    ],
    ["1.2.3-04", String.raw`^1.2.3 of ^(?P<version>\d+\.\d+\.\d+)-04$ by $version`],
    [
      "v2.0.0-rc.1",
      String.raw`^2.0.0-rc.1 of ^(?P<version>v\d+\.\d+\.\d+(?:-(?:alpha|beta|pre|preview|rc)[.-]?\d*)?)$ by $version`,
    ],
    [
      "RELEASE.2024-01-16T16-07-38Z",
      String.raw`alphabetical of ^RELEASE\.(?P<date>\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z$ by $date`,
    ],
    ["20240115", String.raw`alphabetical of ^(?P<date>\d{8})$ by $date`],
    ["jammy-20240125", String.raw`alphabetical of ^jammy-(?P<date>\d{8})$ by $date`],
    ["481516", String.raw`numerical of ^(?P<number>\d+)$ by $number`],
    ["12-debian-12-r51", String.raw`numerical of ^12-debian-12-r(?P<revision>\d+)$ by $revision`],
    ["latest", "fixed alphabetical of ^latest$ by itself"],
    ["14", "fixed alphabetical of ^14$ by itself"],
    ["3-slim", "fixed alphabetical of ^3-slim$ by itself"],
    ["a.b+c", String.raw`fixed alphabetical of ^a\.b\+c$ by itself`],
    ["sha-1a2b3c4", "fixed alphabetical of ^sha-1a2b3c4$ by itself"],
  ])("%s: %s", (tag, expected) => {
    expect(describeRule(bare(tag))).toBe(expected);
  });

  test("a template's own text stays around the value", () => {
    const rule = tagRuleOf({ before: "v", text: "1.2.3", after: "-alpine" });
    expect(rule.filterTags?.pattern).toBe(String.raw`^v(?P<value>(?P<version>\d+\.\d+\.\d+))-alpine$`);
    const { tag, attributes } = selectLatest(rule, ["v1.3.0-alpine", "v1.4.0", "1.5.0-alpine"]);
    expect([tag, attributes["value"]]).toEqual(["v1.3.0-alpine", "1.3.0"]);
  });
});

describe("what a rule chooses", () => {
  test.each<[string, readonly string[], string]>([
    ["1.2.3", ["1.2.4", "1.9.0", "2.0.0", "1.9.1-rc.1", "1.1.0"], "1.9.0"],
    ["0.4.1", ["0.4.2", "0.5.0", "1.0.0"], "0.4.2"],
    ["0.0.7", ["0.0.8", "0.1.0", "0.1.0-rc.1"], "0.0.8"],
    ["1.27", ["1.28", "1.28.1", "1.29-alpine", "2.0", "1.9"], "1.28"],
    ["7.4-alpine", ["7.6-alpine", "7.8", "8.0-alpine", "7.10-alpine"], "7.10-alpine"],
    [
      "16.4.0-debian-12-r5",
      ["16.4.0-debian-12-r14", "16.4.0-debian-12-r9", "17.0.0-debian-12-r0", "16.5.0"],
      "16.4.0-debian-12-r14",
    ],
    ["16.4.0-debian-12-r5", ["16.6.0-debian-12-r0", "16.4.0-debian-12-r9"], "16.6.0-debian-12-r0"],
    ["1.2.3.4", ["1.2.3.10", "1.2.3.9", "1.2.3"], "1.2.3.10"],
    ["2.0.0-rc.1", ["2.0.0-rc.2", "2.0.0-alpine", "3.0.0-rc.1"], "2.0.0-rc.2"],
    ["2.0.0-rc.1", ["2.0.0", "2.1.0-beta.1", "2.1.0"], "2.1.0"],
    ["2024.01.05", ["2025.11.02", "2024.02.01", "2023.1.1"], "2025.11.02"],
    [
      "RELEASE.2024-01-16T16-07-38Z",
      ["RELEASE.2025-01-16T16-07-38Z", "RELEASE.2025-01-16T16-07-38Z.fips"],
      "RELEASE.2025-01-16T16-07-38Z",
    ],
    ["481516", ["481517", "1000000", "latest"], "1000000"],
    ["latest", ["1.0.0", "latest-alpine"], "latest"],
  ])("%s among %j: %s", (tag, others, expected) => {
    expect(selectLatest(bare(tag), [tag, ...others]).tag).toBe(expected);
  });

  test("is the tag itself where there is no other, whatever it is", () => {
    const word = fc.constantFrom("v", "1", "0", "20", "2024", "01", ".", "-", "_", "r", "rc", "alpine", "x");
    const tags = fc
      .array(word, { minLength: 1, maxLength: 12 })
      .map((words) => words.join(""))
      .filter((tag) => /^\w[\w.-]{0,127}$/u.test(tag));
    fc.assert(
      fc.property(tags, fc.constantFrom("v", "1", "x-", "r_"), word, (text, before, after) => {
        expect(selectLatest(bare(text), [text]).tag).toBe(text);
        const { tag, attributes } = selectLatest(tagRuleOf({ before, text, after }), [
          `${before}${text}${after}`,
        ]);
        expect(tag).toBe(`${before}${text}${after}`);
        expect([undefined, text]).toContain(attributes["value"]);
      }),
      { numRuns: 3000, seed: 20261201 },
    );
  });
});

test("a fixed rule takes its tag alone", () => {
  expect(selectLatest(fixedRule("a.b"), ["a.b", "axb", "a.b.c"]).tag).toBe("a.b");
});
