import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { parseVersionRange, satisfiesRange } from "../../helm/chart/version-range.ts";
import { compareVersions, parseVersion, VersionError } from "../../helm/chart/version.ts";
import { readFloat } from "../../helm/go/number.ts";
import { compileRegexp } from "../../helm/go/regexp.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError } from "../../helm/go/value.ts";
import type { Order, PolicyChoice } from "../objects/image-policy.ts";
import { createExpressionBudget } from "./expression-budget.ts";
import { selectLatest } from "./select-latest.ts";

interface VersionCase {
  readonly text: string;
  readonly error?: string;
  readonly compared?: string;
}

interface RangeCase {
  readonly range: string;
  readonly error?: string;
  readonly within?: string;
}

interface PatternCase {
  readonly pattern: string;
  readonly error?: string;
  readonly tag?: string;
  readonly extract?: string;
  readonly match?: readonly number[];
  readonly names?: readonly string[];
  readonly expanded?: string;
}

interface FloatCase {
  readonly text: string;
  readonly bits?: string;
  readonly error?: string;
}

interface SelectionCase {
  readonly kind: PolicyChoice["kind"];
  readonly range?: string;
  readonly order?: Order;
  readonly pattern?: string;
  readonly extract?: string;
  readonly tags: readonly string[];
  readonly latest?: readonly string[];
  readonly error?: string;
}

interface Exception {
  readonly reason: string;
  readonly cases: readonly string[];
}

function read(name: string): string {
  return readFileSync(new URL(`../../../test/conformance/policy/${name}`, import.meta.url), "utf8");
}

function readCases<Case>(name: string): Case[] {
  return read(name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}

const exceptions = (JSON.parse(read("exceptions.json")) as readonly Exception[]).flatMap(
  ({ cases }) => cases,
);
const used = new Set<string>();

/** The cases that differ and are no exceptions. */
function unexpected<Case>(cases: readonly Case[], agrees: (one: Case) => boolean): Case[] {
  return cases.filter((one) => {
    if (agrees(one)) return false;
    const text = JSON.stringify(one);
    used.add(text);
    return !exceptions.includes(text);
  });
}

/** The result, or the error's text. */
function outcomeOf<Result>(work: () => Result): { result?: Result; error?: string } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof VersionError || error instanceof GoError || error instanceof FairleadError) {
      return { error: error.message };
    }
    throw error;
  }
}

describe("ranges and versions", () => {
  const [table] = readCases<{ versions: readonly VersionCase[]; ranges: readonly RangeCase[] }>(
    "ranges.json",
  );
  const { versions = [], ranges = [] } = table ?? {};
  const valid = versions.filter(({ error }) => error === undefined).map(({ text }) => parseVersion(text));

  test("there are more than 3,000 cases of a range and a version", () => {
    expect(ranges.length * versions.length).toBeGreaterThan(3000);
    expect(ranges.filter(({ error }) => error !== undefined).length).toBeGreaterThan(10);
  });

  test("versions are read and compared", () => {
    const differences = unexpected(versions, ({ text, error, compared }) => {
      const { result, error: ours } = outcomeOf(() => parseVersion(text));
      if (result === undefined) return ours === error;
      return valid.map((other) => "<=>"[compareVersions(result, other) + 1]).join("") === compared;
    });
    expect(differences).toEqual([]);
  });

  test("ranges are read and admit the same versions", () => {
    const differences = unexpected(ranges, ({ range, error, within }) => {
      const { result, error: ours } = outcomeOf(() => parseVersionRange(range));
      if (result === undefined) return ours === error;
      return valid.map((version) => Number(satisfiesRange(version, result))).join("") === within;
    });
    expect(differences).toEqual([]);
  });
});

test("patterns match and templates expand", () => {
  const cases = readCases<PatternCase>("patterns.jsonl");
  expect(cases.length).toBeGreaterThan(1000);
  const differences = unexpected(cases, ({ pattern, error, tag = "", extract = "", ...expected }) => {
    const budget = createExpressionBudget();
    const { result: regexp, error: ours } = outcomeOf(() => compileRegexp(toBytes(pattern), budget));
    if (regexp === undefined) return ours !== undefined && fromBytes(ours) === error;
    const match = regexp.createFinder(budget)(tag);
    const names = regexp.groupNames.join("") === "" ? undefined : regexp.groupNames;
    const expanded = match && fromBytes(regexp.createExpander(toBytes(extract))(tag, match));
    return (
      error === undefined &&
      JSON.stringify([match, names, expanded || undefined]) ===
        JSON.stringify([expected.match, expected.names, expected.expanded])
    );
  });
  expect(differences).toEqual([]);
});

test("numbers are read", () => {
  const differences = unexpected(readCases<FloatCase>("floats.jsonl"), ({ text, bits, error }) => {
    const { value, error: ours } = readFloat(toBytes(text));
    if (ours !== undefined) return fromBytes(ours) === error;
    if (Number.isNaN(value)) return bits === "nan";
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return view.getBigUint64(0).toString(16).padStart(16, "0") === bits;
  });
  expect(differences).toEqual([]);
});

/** Which of several bad numbers is told depends on the order in which they come. */
function withoutNumber(error: string | undefined): string | undefined {
  return error?.replace(/^(failed to parse invalid numeric value).*/su, "$1");
}

test("policies choose what Flux chooses, in whatever order tags come", () => {
  const cases = readCases<SelectionCase>("selections.jsonl");
  expect(cases.filter(({ latest }) => latest !== undefined).length).toBeGreaterThan(500);
  const differences = unexpected(cases, ({ latest = [], error, tags, ...policy }) => {
    const { kind, range = "", order = "asc", pattern, extract = "" } = policy;
    const choice: PolicyChoice = kind === "semver" ? { kind, range } : { kind, order };
    const filterTags = pattern === undefined ? {} : { filterTags: { pattern, extract } };
    const outcomes = [tags, tags.toReversed(), tags.toSorted()].map((given) => {
      const outcome = outcomeOf(() => selectLatest({ choice, ...filterTags }, given).tag);
      return outcome.result ?? withoutNumber(outcome.error);
    });
    if (new Set(outcomes).size > 1) return false;
    const [outcome = ""] = outcomes;
    // What Flux calls an empty list, ours says in the policy's terms.
    if (error === "version list argument cannot be empty") return outcome.startsWith("no tag matches");
    return error === undefined ? latest.includes(outcome) : outcome === withoutNumber(error);
  });
  expect(differences).toEqual([]);
});

test("each exception is still one", () => {
  expect(exceptions.filter((text) => !used.has(text))).toEqual([]);
});
