import { symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { chartYaml } from "../support/chart-files.ts";
import { createRowRunner, hub, nothing, oneOfTwo, web } from "../support/cli-rows.ts";
import { runCommand } from "../support/cli.ts";

const rows = createRowRunner();

describe("the threshold", () => {
  rows.run([
    {
      name: "below it by default, with the messages of document 002 §6.1.1 and §6.1.2",
      args: ["override", "chart", ...hub],
      values: oneOfTwo,
      exitCode: 4,
      stdout: nothing,
      stderr: [
        "warning: Cannot parse image reference 'invalid::image': invalid format\n",
        "error: Error parsing image in values path 'bad.image': invalid format\n",
        "CRITICAL: chart 1.0.0: 50.0% images matched (1/2 failed)\n",
        "Image Match Rate 50%",
      ],
    },
    {
      name: "at it",
      args: ["override", "chart", ...hub, "--threshold", "50"],
      values: oneOfTwo,
      stdout: { good: { image: "harbor.example.com:5000/dockerio/library/nginx:1" } },
      stderr: ["warning: Cannot parse", "(bad.image)", "CRITICAL"],
    },
    {
      name: "just below it",
      args: ["override", "chart", ...hub, "--threshold", "50.1"],
      values: oneOfTwo,
      exitCode: 4,
    },
    ...["101", "-1", "x", ""].map((text) => ({
      name: `the threshold '${text}'`,
      args: ["override", "chart", ...hub, `--threshold=${text}`],
      exitCode: 2,
      stdout: nothing,
      stderr: ["It must be a number from 0 to 100."],
    })),
  ]);
});

describe("--strict", () => {
  const structures: readonly (readonly [name: string, values: string, moved: boolean])[] = [
    ["an integer tag", "image:\n  repository: nginx\n  tag: 16\n", true],
    ["a float tag", "image:\n  repository: nginx\n  tag: 1.10\n", true],
    ["split keys", 'image:\n  name: nginx\n  tag: "1"\n', true],
    ["a template in a value", 'image: "{{ .Values.registry }}/nginx:1"\n', false],
    ["an unparsable reference", "image: invalid::image\n", false],
    ["a duplicate key", "image: nginx:1\nimage: nginx:2\n", true],
  ];
  rows.run(
    structures.flatMap(([name, values, moved]) => [
      {
        name: `${name} exits 5`,
        args: ["override", "chart", ...hub, "--strict", "--threshold", "0"],
        values,
        exitCode: 5,
        stdout: nothing,
      },
      {
        name: `${name} is a warning without it`,
        args: ["override", "chart", ...hub, "--threshold", "0"],
        values,
        stdout: moved ? "harbor.example.com:5000/dockerio/library/nginx" : "{}",
        stderr: ["warning: "],
      },
    ]),
  );
  rows.run([{ name: "nothing unsupported", args: ["override", "chart", ...hub, "--strict"], stdout: web }]);
});

describe("broken charts exit 3 with their place", () => {
  const override = ["override", "chart", ...hub];
  const dependency = chartYaml(
    "chart",
    "dependencies:\n  - name: gone\n    version: 1.x.x\n    repository: https://example.com\n",
  );
  rows.run([
    {
      name: "a missing dependency",
      args: override,
      files: { "chart/Chart.yaml": dependency },
      exitCode: 3,
      stdout: nothing,
      stderr: ["gone", "helm dependency build"],
    },
    {
      name: "malformed values",
      args: override,
      values: "a:\n  b: [1,\n",
      exitCode: 3,
      stdout: nothing,
      stderr: [/ {2}at chart\/values\.yaml:\d+:\d+/u],
    },
    {
      name: "malformed Chart.yaml",
      args: override,
      files: { "chart/Chart.yaml": "name: [\n" },
      exitCode: 3,
      stdout: nothing,
      stderr: [/ {2}at chart\/Chart\.yaml:\d+:\d+/u],
    },
    {
      name: "a malformed subchart",
      args: override,
      files: { "chart/charts/sub/Chart.yaml": chartYaml("sub"), "chart/charts/sub/values.yaml": "- list\n" },
      exitCode: 3,
      stdout: nothing,
      stderr: ["chart/charts/sub/values.yaml"],
    },
    { name: "an archive that is none", args: ["images", "a.tgz"], files: { "a.tgz": "text" }, exitCode: 2 },
    {
      name: "a damaged archive",
      args: ["images", "a.tgz"],
      files: { "a.tgz": "\u001f\u0000" },
      exitCode: 2,
    },
  ]);

  test("a link that leaves the chart", async () => {
    const cwd = await rows.prepare({});
    await symlink("/etc/hosts", path.join(cwd, "chart", "hosts"));
    const result = await runCommand("fairlead", override, { cwd });
    expect([result.exitCode, result.stdout]).toEqual([3, ""]);
    expect(result.stderr).toContain("leaves the chart");
  });
});

describe("precedence: 2, 3, 5, 4, 1", () => {
  const unsupported = `${oneOfTwo}tagged:\n  image:\n    repository: nginx\n    tag: 16\n`;
  const verified = ["--verify", "--helm", "no-such-helm"];
  rows.run([
    {
      name: "2 before 3: a missing values file and a broken chart",
      args: ["override", "chart", ...hub, "-f", "none.yaml"],
      values: "a: [",
      exitCode: 2,
    },
    {
      name: "2 before 3: a report of no kind and a broken chart",
      args: ["override", "chart", ...hub, "--report", "report.txt"],
      values: "a: [",
      exitCode: 2,
    },
    {
      name: "2 before 3: an output folder that is not there and a broken chart",
      args: ["override", "chart", ...hub, "-o", "none/override.yaml"],
      values: "a: [",
      exitCode: 2,
    },
    {
      name: "2 before 3: an override that is no YAML and a broken chart",
      args: ["verify", "chart", ...hub, "--override", "o.yaml"],
      files: { "o.yaml": "- list\n" },
      values: "a: [",
      exitCode: 2,
    },
    {
      name: "2 before 5: an output that is not ours",
      args: ["override", "chart", ...hub, "--strict", "-o", "o.yaml"],
      files: { "o.yaml": "mine: true\n" },
      values: unsupported,
      exitCode: 2,
    },
    {
      name: "3 before 5",
      args: ["override", "chart", ...hub, "--strict"],
      values: `${unsupported}a: [`,
      exitCode: 3,
    },
    { name: "5 before 4", args: ["override", "chart", ...hub, "--strict"], values: unsupported, exitCode: 5 },
    {
      name: "5 before 1: no helm",
      args: ["override", "chart", ...hub, "--strict", "--threshold", "0", ...verified],
      values: unsupported,
      exitCode: 5,
      stderr: ["no-such-helm cannot be started"],
    },
    {
      name: "4 before 1: no helm",
      args: ["override", "chart", ...hub, ...verified],
      values: oneOfTwo,
      exitCode: 4,
      stderr: ["no-such-helm cannot be started"],
    },
    {
      name: "1: no helm",
      args: ["override", "chart", ...hub, ...verified],
      exitCode: 1,
      stdout: nothing,
      stderr: ["no-such-helm cannot be started", "hint: put Helm 3 or 4 on PATH"],
    },
    {
      name: "a survey ends with the worst: 2 before 3, 4",
      args: ["survey", "chart", "broken", "none", ...hub, "--helm", "true"],
      files: { "broken/Chart.yaml": "name: [" },
      values: oneOfTwo,
      exitCode: 2,
      stderr: ["Charts: 3"],
    },
    {
      name: "a survey ends with the worst: 3 before 5",
      args: ["survey", "chart", "broken", ...hub, "--strict", "--helm", "true"],
      files: { "broken/Chart.yaml": "name: [" },
      values: unsupported,
      exitCode: 3,
    },
  ]);
});
