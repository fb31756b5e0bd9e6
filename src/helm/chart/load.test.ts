import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chartYaml, makeArchive, makeChartArchive, writeFiles } from "../../../test/support/chart-files.ts";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { FairleadError } from "../../core/error.ts";
import type { Chart } from "./chart.ts";
import { loadChart } from "./load.ts";

const leaf = makeChartArchive("leaf", { "Chart.yaml": chartYaml("leaf"), "values.yaml": "deep: 3\n" });
const middle = makeChartArchive("middle", {
  "Chart.yaml": chartYaml("middle", "dependencies: [{name: leaf, version: 1.x.x}]\n"),
  "values.yaml": "deep: 2\n",
  "charts/leaf-1.0.0.tgz": leaf,
});
const files = {
  "Chart.yaml": chartYaml("app", "appVersion: 1.10\n"),
  "values.yaml": "\uFEFFimage: nginx\n",
  "values.schema.json": "{}",
  "templates/a.yaml": "a: 1\n",
  "crds/b.yaml": "b: 1\n",
  "README.md": "read\n",
  "charts/folder/Chart.yaml": chartYaml("folder"),
  "charts/_private/x": "",
  "charts/.hidden/x": "",
  "charts/middle-1.0.0.tgz.prov": "signature",
};

function outline(chart: Chart): unknown {
  return { [chart.location]: [chart.metadata.name, chart.values, chart.subcharts.map(outline)] };
}

describe("one chart", () => {
  test("from a folder", () =>
    withTempDir(async (folder) => {
      const path = join(folder, "app");
      await writeFiles(path, files);
      await writeFile(join(path, "charts", "middle-1.0.0.tgz"), middle);
      const { chart, diagnostics } = await loadChart(`${path}/`);
      expect(diagnostics).toEqual([]);
      expect(outline(chart)).toEqual({
        [path]: [
          "app",
          { image: "nginx" },
          [
            { [`${path}/charts/folder`]: ["folder", {}, []] },
            {
              [`${path}/charts/middle-1.0.0.tgz`]: [
                "middle",
                { deep: 2 },
                [{ [`${path}/charts/middle-1.0.0.tgz/charts/leaf-1.0.0.tgz`]: ["leaf", { deep: 3 }, []] }],
              ],
            },
          ],
        ],
      });
      expect(chart.metadata.appVersion).toBe("1.1");
      expect(chart.schema).toBeDefined();
      expect(chart.templates.map(({ name }) => name)).toEqual(["templates/a.yaml"]);
      expect(chart.files.map(({ name }) => name)).toEqual([
        "README.md",
        "charts/middle-1.0.0.tgz.prov",
        "crds/b.yaml",
      ]);
    }));

  test("from an archive, told by its content", () =>
    withTempDir(async (folder) => {
      const path = join(folder, "chart.bin");
      await writeFile(path, makeChartArchive("app", { ...files, "charts/middle-1.0.0.tgz": middle }));
      const { chart } = await loadChart(path);
      expect(chart.subcharts.map(({ metadata }) => metadata.name)).toEqual(["folder", "middle"]);
      expect(chart.values).toEqual({ image: "nginx" });
    }));

  test("without values.yaml", () =>
    withTempDir(async (folder) => {
      await writeFiles(folder, { "Chart.yaml": chartYaml("app") });
      expect((await loadChart(folder)).chart.values).toEqual({});
    }));

  test("a v1 chart has its requirements among its files", () =>
    withTempDir(async (folder) => {
      const requirements = "dependencies: [{name: sub, version: 1, alias: s}]\n";
      await writeFiles(folder, {
        "Chart.yaml": "name: app\nversion: 1.0.0\n",
        "requirements.yaml": requirements,
      });
      const { chart } = await loadChart(folder);
      expect(chart.metadata).toMatchObject({ apiVersion: "v1", dependencies: [{ name: "sub", alias: "s" }] });
      expect(chart.files.map(({ name }) => name)).toEqual(["requirements.yaml"]);
    }));
});

test("repeated keys are reported with file, line and path, and the last one counts", () =>
  withTempDir(async (folder) => {
    await writeFiles(folder, { "Chart.yaml": chartYaml("app"), "values.yaml": "a:\n  b: 1\n  b: 2\n" });
    const { chart, diagnostics } = await loadChart(folder);
    expect(chart.values).toEqual({ a: { b: 2 } });
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: "duplicate-key",
        severity: "warning",
        unsupported: true,
        where: { file: join(folder, "values.yaml"), line: 3, column: 3, valuePath: "a.b" },
      }),
    ]);
  }));

const positioned: unknown = expect.objectContaining({
  line: expect.any(Number) as number,
  column: expect.any(Number) as number,
});

const broken: readonly (readonly [string, Readonly<Record<string, string>>, object])[] = [
  ["an empty folder", {}, { code: "input-invalid" }],
  ["no Chart.yaml", { "values.yaml": "" }, { code: "input-invalid" }],
  [
    "malformed Chart.yaml",
    { "Chart.yaml": "name: app\nversion: [1\n" },
    {
      code: "chart-invalid",
      where: positioned,
    },
  ],
  [
    "malformed values",
    { "Chart.yaml": chartYaml("app"), "values.yaml": "a: 1\nb: {c: 1\nd: 2\n" },
    {
      code: "values-invalid",
      where: positioned,
    },
  ],
  [
    "values that are a list",
    { "Chart.yaml": chartYaml("app"), "values.yaml": "- a\n" },
    { code: "values-invalid" },
  ],
  [
    "values that are text",
    { "Chart.yaml": chartYaml("app"), "values.yaml": "text\n" },
    { code: "values-invalid" },
  ],
  ["a malformed lock", { "Chart.yaml": chartYaml("app"), "Chart.lock": "a: [\n" }, { code: "chart-invalid" }],
  [
    "a plain file in charts/",
    { "Chart.yaml": chartYaml("app"), "charts/x.txt": "" },
    { code: "chart-invalid" },
  ],
  [
    "a folder in charts/ that is none",
    { "Chart.yaml": chartYaml("app"), "charts/x/y": "" },
    { code: "chart-invalid" },
  ],
  [
    "a subchart that is no archive",
    { "Chart.yaml": chartYaml("app"), "charts/x.tgz": "text" },
    { code: "chart-invalid" },
  ],
  [
    "a subchart without a version",
    { "Chart.yaml": chartYaml("app"), "charts/x/Chart.yaml": "name: x" },
    { code: "chart-invalid" },
  ],
];

describe("broken charts", () => {
  test.each(broken)("%s", (_name, content, expected) =>
    withTempDir(async (folder) => {
      await writeFiles(folder, content);
      await expect(loadChart(folder)).rejects.toMatchObject({ name: "FairleadError", ...expected });
    }),
  );

  test("text that is not UTF-8", () =>
    withTempDir(async (folder) => {
      await writeFiles(folder, { "Chart.yaml": chartYaml("app") });
      await writeFile(join(folder, "values.yaml"), Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
      await expect(loadChart(folder)).rejects.toMatchObject({ code: "values-invalid" });
    }));

  test("a hostile packed subchart is named", () =>
    withTempDir(async (folder) => {
      await writeFiles(folder, { "Chart.yaml": chartYaml("app"), "charts/README": "" });
      const evil = makeArchive([{ path: "x/../../y", data: "" }]);
      await writeFile(join(folder, "charts", "evil.tgz"), evil);
      await writeFiles(folder, { ".helmignore": "README" });
      await expect(loadChart(folder)).rejects.toMatchObject({
        where: { file: join(folder, "charts/evil.tgz") },
      });
    }));
});

describe("paths that are no chart", () => {
  test("missing", async () => {
    await expect(loadChart("/nowhere/at/all")).rejects.toMatchObject({ code: "input-unreadable" });
  });

  test("below a file", () =>
    withTempDir(async (folder) => {
      await writeFile(join(folder, "file"), "");
      await expect(loadChart(join(folder, "file", "x"))).rejects.toMatchObject({ code: "input-unreadable" });
    }));

  test("an empty path", async () => {
    await expect(loadChart("")).rejects.toMatchObject({ code: "input-unreadable" });
  });

  test("a file that is no archive", () =>
    withTempDir(async (folder) => {
      await writeFile(join(folder, "values.yaml"), "a: 1\n");
      await expect(loadChart(join(folder, "values.yaml"))).rejects.toMatchObject({ code: "input-invalid" });
    }));

  test("a device", async () => {
    await expect(loadChart("/dev/null")).rejects.toMatchObject({ code: "input-invalid" });
  });
});

describe("the budget is shared by packed subcharts", () => {
  test("bytes", () =>
    withTempDir(async (folder) => {
      const sub = makeChartArchive("sub", { "Chart.yaml": chartYaml("sub"), zeros: Buffer.alloc(600_000) });
      await writeFile(
        join(folder, "a.tgz"),
        makeChartArchive("app", { "Chart.yaml": chartYaml("app"), "charts/1.tgz": sub, "charts/2.tgz": sub }),
      );
      await expect(loadChart(join(folder, "a.tgz"), { maxBytes: 2_000_000 })).resolves.toBeDefined();
      await expect(loadChart(join(folder, "a.tgz"), { maxBytes: 1_000_000 })).rejects.toMatchObject({
        code: "chart-invalid",
        where: { file: join(folder, "a.tgz/charts/2.tgz") },
      });
    }));

  test("depth", () =>
    withTempDir(async (folder) => {
      let archive = leaf;
      for (let level = 0; level < 70; level++) {
        archive = makeChartArchive("app", {
          "Chart.yaml": chartYaml(`level-${level}`),
          "charts/x.tgz": archive,
        });
      }
      await writeFile(join(folder, "a.tgz"), archive);
      await expect(loadChart(join(folder, "a.tgz"))).rejects.toMatchObject({
        code: "chart-invalid",
        message: expect.stringContaining("nest deeper") as string,
      });
    }));
});

test("made-up charts load or are refused with a typed error", () =>
  withTempDir(async (folder) => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(
        "a: &x [*x]",
        "? [a]\n: b",
        "!!binary x",
        "a: !<tag:yaml.org,2002:int> x",
        "---\n---\n",
        "\t- a",
      ),
      fc.json().map((json) => `x: ${json}`),
    );
    const name = fc.constantFrom(
      "values.yaml",
      "Chart.lock",
      "requirements.yaml",
      "charts/x/Chart.yaml",
      "charts/x/values.yaml",
      ".helmignore",
    );
    const chart = fc.oneof(
      fc.constant(chartYaml("app")),
      text,
      fc
        .record({ name: fc.jsonValue(), version: fc.jsonValue(), dependencies: fc.jsonValue() })
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(chart, fc.dictionary(name, text), async (metadata, others) => {
        const path = join(folder, "chart.tgz");
        await writeFile(path, makeChartArchive("app", { "Chart.yaml": metadata, ...others }));
        const outcome: unknown = await loadChart(path).catch((error: unknown) => error);
        expect(
          outcome instanceof Error && !(outcome instanceof FairleadError) ? outcome : undefined,
        ).toBeUndefined();
      }),
      { seed: 11, numRuns: 300 },
    );
  }));
