import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { copyComplete, type FindDependency } from "./complete.ts";
import { findCharts, type SourceChart } from "./source-chart.ts";

const module = { module: "example.com/charts", version: "v1.0.0", sum: "h1:none" };
let temp: TempDir;
let target: string;

beforeEach(async () => {
  temp = await createTempDir("corpus");
  target = path.join(temp.path, "copy");
});
afterEach(() => temp.remove());

async function writeFiles(files: Readonly<Record<string, string>>): Promise<SourceChart[]> {
  const root = path.join(temp.path, "source");
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    await chmod(file, 0o444);
  }
  return findCharts(module, root);
}

function chartFile(name: string, ...dependencies: readonly string[]): string {
  const list = dependencies.map((dependency) => `  - ${dependency}\n`).join("");
  return `apiVersion: v2\nname: ${name}\nversion: 1.2.3 # kept\n${list === "" ? "" : `dependencies:\n${list}`}`;
}

function named(charts: readonly SourceChart[], name: string): SourceChart {
  const chart = charts.find((candidate) => candidate.name === name);
  if (chart === undefined) throw new Error(`no chart ${name}`);
  return chart;
}

function byName(charts: readonly SourceChart[]): FindDependency {
  return (dependency) => charts.find((chart) => chart.name === dependency.name);
}

test("finds charts but neither fixtures nor vendored subcharts", async () => {
  const charts = await writeFiles({
    "charts/shop/Chart.yaml": chartFile("shop"),
    "charts/shop/charts/inner/Chart.yaml": chartFile("inner"),
    "pkg/testdata/fixture/Chart.yaml": chartFile("fixture"),
    "broken/Chart.yaml": "name: [",
  });
  expect(charts.map((chart) => chart.path)).toEqual(["charts/shop"]);
});

test("puts in missing dependencies at any depth and declares their versions", async () => {
  const charts = await writeFiles({
    "shop/Chart.yaml": chartFile(
      "shop",
      "{name: cache, version: ^0.9.0, alias: hot}",
      "{name: own, version: 1.x}",
    ),
    "shop/charts/own/Chart.yaml": chartFile("own"),
    "cache/Chart.yaml": chartFile("cache", '{name: common, version: "2.x.x"}'),
    "common/Chart.yaml": chartFile("common"),
  });
  const completed = await copyComplete(named(charts, "shop"), target, byName(charts));
  expect(completed.map((done) => `${done.inside}/${done.name} ${done.declared} ${done.used}`)).toEqual([
    "/cache ^0.9.0 1.2.3",
    "cache/common 2.x.x 1.2.3",
  ]);
  expect(await readFile(path.join(target, "Chart.yaml"), "utf8")).toBe(
    chartFile("shop", '{name: cache, version: "1.2.3", alias: hot}', "{name: own, version: 1.x}"),
  );
  await writeFile(path.join(target, "charts/cache/charts/common/Chart.yaml"), "writable");
});

test("puts an empty chart where a dependency that cannot be had is disabled", async () => {
  const charts = await writeFiles({
    "shop/Chart.yaml": chartFile("shop", "{name: gone, version: 3.0.0, condition: 'a.enabled,gone.enabled'}"),
    "shop/values.yaml": "gone:\n  enabled: false\n",
  });
  const completed = await copyComplete(named(charts, "shop"), target, byName([]));
  expect(completed).toEqual([{ inside: "", name: "gone", declared: "3.0.0", used: "0.0.0", from: "empty" }]);
  expect(await readFile(path.join(target, "charts/gone/Chart.yaml"), "utf8")).toContain('"name":"gone"');
});

test("refuses a chart whose enabled dependency cannot be had", async () => {
  const charts = await writeFiles({
    "shop/Chart.yaml": chartFile("shop", "{name: gone, version: 3.0.0, condition: gone.enabled}"),
    "shop/values.yaml": "gone:\n  enabled: true\n",
  });
  const attempt = copyComplete(named(charts, "shop"), target, byName([]));
  await expect(attempt).rejects.toThrow("no module of the list publishes gone");
});

test("refuses charts that depend on each other without end", async () => {
  const charts = await writeFiles({
    "hen/Chart.yaml": chartFile("hen", "{name: egg, version: 1.x}"),
    "egg/Chart.yaml": chartFile("egg", "{name: hen, version: 1.x}"),
  });
  const attempt = copyComplete(named(charts, "hen"), target, byName(charts));
  await expect(attempt).rejects.toThrow(/nests deeper than 8/u);
});

test("reads requirements.yaml of a chart of version 1", async () => {
  const charts = await writeFiles({
    "shop/Chart.yaml": "apiVersion: v1\nname: shop\nversion: 1.0.0\n",
    "shop/requirements.yaml": "dependencies:\n  - name: cache\n    version: 0.x.x\n",
    "cache/Chart.yaml": chartFile("cache"),
  });
  await copyComplete(named(charts, "shop"), target, byName(charts));
  expect(await readFile(path.join(target, "requirements.yaml"), "utf8")).toContain('version: "1.2.3"');
});
