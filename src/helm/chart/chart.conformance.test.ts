import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { YamlMap } from "../../yaml/value.ts";
import { assembleChart } from "./assemble.ts";
import { createBudget } from "./budget.ts";
import type { Chart, ChartFile, ChartInstance } from "./chart.ts";
import { resolveDependencies } from "./dependencies.ts";
import { matchesFilePattern, tryParseFilePattern } from "./file-pattern.ts";
import { isInVersionRange } from "./version-range.ts";
import { isVersion } from "./version.ts";

// The tables come from the Go program in test/conformance/chart, which runs Helm itself.

interface ChartSketch {
  readonly metadata?: object;
  readonly requirements?: readonly unknown[];
  readonly values?: unknown;
  readonly files?: Readonly<Record<string, string>>;
  readonly charts?: Readonly<Record<string, ChartSketch>>;
}

interface Scenario {
  readonly name: string;
  readonly chart: ChartSketch;
  readonly values?: YamlMap | null;
}

interface Tree {
  readonly name: string;
  readonly charts?: readonly Tree[];
}

interface Outcome {
  readonly name: string;
  readonly failed?: boolean;
  readonly unstable?: boolean;
  readonly tree?: Tree;
  readonly values?: YamlMap;
  readonly metadata?: { readonly version: string; readonly appVersion: string };
}

interface Input {
  readonly scenarios: readonly Scenario[];
  readonly versions: readonly string[];
  readonly ranges: readonly string[];
  readonly patterns: readonly string[];
  readonly fileNames: readonly string[];
}

interface Expected {
  readonly scenarios: readonly Outcome[];
  readonly versions: readonly string[];
  readonly ranges: Readonly<Record<string, readonly string[] | null>>;
  readonly patterns: Readonly<Record<string, readonly string[] | null>>;
}

const folder = join(import.meta.dirname, "../../../test/conformance/chart");

function readTable(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

const input = readTable("scenarios.json") as Input;
const expected = readTable("expected.json") as Expected;
const random = readFileSync(join(folder, "random.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly scenario: Scenario; readonly outcome: Outcome });

function filesOf(sketch: ChartSketch, prefix = ""): ChartFile[] {
  const files: ChartFile[] = [];
  const add = (name: string, text: string): void => {
    files.push({ name: prefix + name, data: new TextEncoder().encode(text) });
  };
  if (sketch.metadata !== undefined) add("Chart.yaml", JSON.stringify(sketch.metadata));
  if (sketch.requirements !== undefined) {
    add("requirements.yaml", JSON.stringify({ dependencies: sketch.requirements }));
  }
  if (sketch.values !== undefined) add("values.yaml", JSON.stringify(sketch.values));
  for (const [name, text] of Object.entries(sketch.files ?? {})) add(name, text);
  for (const [name, child] of Object.entries(sketch.charts ?? {})) {
    files.push(...filesOf(child, `${prefix}charts/${name}/`));
  }
  return files;
}

async function assemble(sketch: ChartSketch): Promise<Chart> {
  return assembleChart(filesOf(sketch), "app", { budget: createBudget(), diagnostics: [] });
}

function treeOf(instance: ChartInstance): Tree {
  const charts = instance.children
    .filter(({ enabled }) => enabled)
    .map(treeOf)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  return charts.length === 0 ? { name: instance.name } : { name: instance.name, charts };
}

async function check(scenario: Scenario, outcome: Outcome): Promise<void> {
  const settle = async (): Promise<{ chart: Chart; tree: Tree; values: YamlMap; all: YamlMap }> => {
    const chart = await assemble(scenario.chart);
    const resolved = resolveDependencies(chart, scenario.values ?? {});
    return { chart, tree: treeOf(resolved.root), values: resolved.renderValues, all: resolved.values };
  };
  if (outcome.failed === true) {
    await expect(settle()).rejects.toMatchObject({ name: "FairleadError" });
    return;
  }
  const { chart, tree, values, all } = await settle();
  expect(tree).toEqual(outcome.tree);
  expect(normalize(values)).toEqual(normalize(outcome.values ?? {}));
  expect(normalize(all)).toMatchObject(withoutNulls(normalize(values)) as object);
  expect(chart.metadata.version).toBe(outcome.metadata?.version);
  expect(chart.metadata.appVersion ?? "").toBe(outcome.metadata?.appVersion);
}

/** Maps with their prototype, so that both sides compare by content; a key such as `__proto__` survives. */
function normalize(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
}

describe("Helm's dependencies and values", () => {
  const outcomes = new Map(expected.scenarios.map((outcome) => [outcome.name, outcome]));
  test.each(input.scenarios)("$name", async (scenario) => {
    const outcome = outcomes.get(scenario.name);
    expect(outcome).toBeDefined();
    expect(outcome?.unstable).toBeUndefined();
    if (outcome !== undefined) await check(scenario, outcome);
  });

  test.each(random)("$scenario.name", async ({ scenario, outcome }) => check(scenario, outcome));
});

describe("Helm's versions and ranges", () => {
  test("valid versions", () => {
    expect(input.versions.filter(isVersion)).toEqual(expected.versions);
  });

  test.each(input.ranges)("range %j", (range) => {
    const matching = input.versions.filter((version) => isInVersionRange(range, version));
    expect(matching).toEqual(expected.ranges[range] ?? []);
  });
});

test.each(input.patterns)("file pattern %j", (text) => {
  const pattern = tryParseFilePattern(text);
  const matching =
    pattern === undefined ? null : input.fileNames.filter((name) => matchesFilePattern(pattern, name));
  expect(matching).toEqual(expected.patterns[text]);
});
