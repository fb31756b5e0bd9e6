import { describe, expect, test } from "vitest";
import { chartYaml } from "../../../test/support/chart-files.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { assembleChart } from "./assemble.ts";
import { createBudget } from "./budget.ts";
import type { Chart, ChartInstance } from "./chart.ts";
import { resolveDependencies, valuesOf } from "./dependencies.ts";
import { locateValue } from "./origin.ts";

async function chartOf(files: Readonly<Record<string, string>>): Promise<Chart> {
  const loaded = Object.entries(files).map(([name, text]) => ({
    name,
    data: new TextEncoder().encode(text),
  }));
  return assembleChart(loaded, "app", { budget: createBudget(), diagnostics: [] });
}

function find(instance: ChartInstance, ...path: string[]): ChartInstance {
  let found = instance;
  for (const name of path) {
    const child = found.children.find((candidate) => candidate.name === name);
    if (child === undefined) throw new Error(`no instance ${name}`);
    found = child;
  }
  return found;
}

const shop = {
  "Chart.yaml": chartYaml(
    "app",
    `dependencies:
- {name: redis, version: 1.x.x, condition: redis.enabled}
- {name: redis, version: 1.x.x, alias: cache, tags: [extra]}
- {name: web, version: 1.x.x}
`,
  ),
  "values.yaml": `global:
  registry: example.com
redis:
  enabled: false
  image:
    tag: "2"
tags:
  extra: false
web:
  image: web:2
`,
  "charts/redis/Chart.yaml": chartYaml("redis", "dependencies: [{name: metrics, version: 1.x.x}]\n"),
  "charts/redis/values.yaml": `image:
  repository: redis
  tag: "1"
global:
  storage: fast
`,
  "charts/redis/charts/metrics/Chart.yaml": chartYaml("metrics"),
  "charts/redis/charts/metrics/values.yaml": "image: metrics:1\n",
  "charts/web/Chart.yaml": chartYaml("web"),
  "charts/web/values.yaml": "image: web:1\nport: 80\n",
};

describe("disabled subcharts", () => {
  test("stand in the tree with what switched them off, and everything below them", async () => {
    const { root } = resolveDependencies(await chartOf(shop), {});
    expect(find(root, "web")).toMatchObject({ enabled: true, path: ["web"] });
    expect(find(root, "redis")).toMatchObject({ enabled: false, disabledBy: "condition redis.enabled" });
    expect(find(root, "cache")).toMatchObject({ enabled: false, disabledBy: "tags extra", path: ["cache"] });
    expect(find(root, "cache", "metrics")).toMatchObject({
      enabled: false,
      disabledBy: "tags extra",
      path: ["cache", "metrics"],
    });
    expect(find(root, "cache").chart).toBe(find(root, "redis").chart);
  });

  test("keep their defaults in the values, and do not in what templates see", async () => {
    const { values, renderValues } = resolveDependencies(await chartOf(shop), {
      cache: { image: { tag: "3" }, metrics: { image: null } },
    });
    expect(values["redis"]).toMatchObject({
      enabled: false,
      image: { repository: "redis", tag: "2" },
      metrics: { image: "metrics:1" },
      global: { registry: "example.com", storage: "fast" },
    });
    expect(values["cache"]).toMatchObject({ image: { repository: "redis", tag: "3" } });
    expect((values["cache"] as YamlMap)["metrics"]).not.toHaveProperty("image");
    expect(renderValues["redis"]).toEqual({ enabled: false, image: { tag: "2" } });
    expect(renderValues["web"]).toEqual(values["web"]);
  });

  test("switched on by the user", async () => {
    const { root, values, renderValues } = resolveDependencies(await chartOf(shop), {
      redis: { enabled: true },
      tags: { extra: true },
    });
    expect(root.children.every(({ enabled }) => enabled)).toBe(true);
    expect(values).toBe(renderValues);
  });
});

test("the view of each instance", async () => {
  const { root, renderValues } = resolveDependencies(await chartOf(shop), {});
  expect(valuesOf(renderValues, find(root, "web"))).toEqual({
    image: "web:2",
    port: 80,
    global: { registry: "example.com" },
  });
  expect(valuesOf(renderValues, root)).toBe(renderValues);
  expect(valuesOf(renderValues, find(root, "cache"))).toEqual({});
});

test("neither the chart nor the user's values are changed", async () => {
  const chart = await chartOf(shop);
  const user = { redis: { enabled: true, image: null }, global: { deep: { a: 1 } } };
  const before = JSON.stringify([chart, user]);
  const first = JSON.stringify(resolveDependencies(chart, user));
  expect(JSON.stringify([chart, user])).toBe(before);
  expect(JSON.stringify(resolveDependencies(chart, user))).toBe(first);
});

describe("dependencies that are absent", () => {
  test("from the root: all are named, and what to run", async () => {
    const chart = await chartOf({
      "Chart.yaml": chartYaml("app", "dependencies: [{name: a, version: 1}, {name: b, version: 1}]\n"),
    });
    expect(() => resolveDependencies(chart, {})).toThrow(
      expect.objectContaining({
        code: "dependency-missing",
        message: "dependencies are not in charts/: a, b",
        hint: "run: helm dependency build app",
        where: { file: "app/Chart.yaml" },
      }) as Error,
    );
  });

  test("from a v1 chart", async () => {
    const chart = await chartOf({
      "Chart.yaml": "name: app\nversion: 1.0.0\n",
      "requirements.yaml": "dependencies: [{name: a, version: 1}]\n",
    });
    expect(() => resolveDependencies(chart, {})).toThrow(
      expect.objectContaining({ where: { file: "app/requirements.yaml" } }) as Error,
    );
  });

  test("from a subchart: reported, as Helm goes on without", async () => {
    const { diagnostics } = resolveDependencies(
      await chartOf({
        "Chart.yaml": chartYaml("app"),
        "charts/sub/Chart.yaml": chartYaml("sub", "dependencies: [{name: a, version: 1}]\n"),
      }),
      {},
    );
    expect(diagnostics).toMatchObject([
      { code: "chart-oddity", severity: "warning", where: { file: "app/charts/sub" } },
    ]);
  });
});

describe("findings", () => {
  const rows: readonly (readonly [string, YamlMap, object])[] = [
    [
      "a condition that is no boolean",
      { redis: { enabled: "no" } },
      { code: "chart-oddity", where: { valuePath: "redis.enabled" } },
    ],
    [
      "a tag that is no boolean",
      { tags: { extra: "no" } },
      { code: "chart-oddity", where: { valuePath: "tags.extra" } },
    ],
    [
      "text in place of a map",
      { web: { image: { name: "x" } } },
      { code: "values-type-conflict", where: { valuePath: "web.image" } },
    ],
    [
      "text in place of a map, deeper",
      { redis: { enabled: true, image: "x" } },
      { code: "values-type-conflict", where: { valuePath: "redis.image" } },
    ],
  ];
  test.each(rows)("%s", async (_name, user, expected) => {
    const { diagnostics } = resolveDependencies(await chartOf(shop), user);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        ...expected,
        severity: "warning",
        where: expect.objectContaining((expected as { where: object }).where) as object,
      }),
    );
  });

  test("an import of nothing", async () => {
    const { diagnostics } = resolveDependencies(
      await chartOf({
        "Chart.yaml": chartYaml("app", "dependencies: [{name: a, version: '*', import-values: [data]}]\n"),
        "charts/a/Chart.yaml": chartYaml("a"),
      }),
      {},
    );
    expect(diagnostics).toMatchObject([{ code: "chart-oddity", where: { valuePath: "a.exports.data" } }]);
  });

  test("none in an ordinary chart", async () => {
    expect(resolveDependencies(await chartOf(shop), {}).diagnostics).toEqual([]);
  });
});

describe("where a value comes from", () => {
  const rows: readonly (readonly [string, readonly (string | number)[], object])[] = [
    ["the root's own", ["web", "image"], { file: "app/values.yaml", line: 10, valuePath: "web.image" }],
    ["a subchart's default", ["web", "port"], { file: "app/charts/web/values.yaml", line: 2 }],
    [
      "a disabled subchart's default",
      ["redis", "image", "repository"],
      { file: "app/charts/redis/values.yaml", line: 2 },
    ],
    ["the root's value for it", ["redis", "image", "tag"], { file: "app/values.yaml", line: 6 }],
    ["an alias", ["cache", "image", "tag"], { file: "app/charts/redis/values.yaml", line: 3 }],
    [
      "two levels down",
      ["cache", "metrics", "image"],
      { file: "app/charts/redis/charts/metrics/values.yaml", line: 1 },
    ],
    [
      "a global that the root hands down",
      ["redis", "global", "registry"],
      { file: "app/values.yaml", line: 2 },
    ],
    [
      "a global of the subchart",
      ["redis", "global", "storage"],
      { file: "app/charts/redis/values.yaml", line: 5 },
    ],
  ];
  test.each(rows)("%s", async (_name, path, expected) => {
    const { root } = resolveDependencies(await chartOf(shop), {});
    expect(locateValue(root, path)).toMatchObject(expected);
  });

  test("nothing sets it: the path alone", async () => {
    const { root } = resolveDependencies(await chartOf(shop), {});
    expect(locateValue(root, ["web", "list", 0])).toEqual({ valuePath: "web.list[0]" });
  });
});
