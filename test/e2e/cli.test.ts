import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { chartYaml, makeChartArchive } from "../support/chart-files.ts";
import { all, createRowRunner, db, hub, nothing, target, web } from "../support/cli-rows.ts";
import { runCommand } from "../support/cli.ts";

const rows = createRowRunner();

describe("the chart", () => {
  rows.run([
    { name: "by position", args: ["override", "chart", ...all], stdout: { ...web, ...db } },
    {
      name: "with --chart-path",
      args: ["override", "--chart-path", "chart", ...all],
      stdout: { ...web, ...db },
    },
    { name: "in both ways", args: ["override", "chart", "--chart-path", "chart", ...hub], stdout: web },
    {
      name: "two charts",
      args: ["override", "chart", "--chart-path", "other", ...hub],
      exitCode: 2,
      stdout: nothing,
      stderr: ["two charts are named: chart and other"],
    },
    {
      name: "no chart",
      args: ["override", ...hub],
      exitCode: 2,
      stdout: nothing,
      stderr: ["no chart is named"],
    },
    { name: "an empty name", args: ["override", "", ...hub], exitCode: 2, stderr: ["no chart is named"] },
    {
      name: "a missing chart",
      args: ["override", "none", ...hub],
      exitCode: 2,
      stdout: nothing,
      stderr: ["none"],
    },
    { name: "a device", args: ["images", "/dev/null"], exitCode: 2, stderr: ["neither a folder nor a file"] },
    {
      name: "an archive",
      args: ["override", "chart.tgz", ...hub],
      files: {
        "chart.tgz": makeChartArchive("a", {
          "Chart.yaml": chartYaml("a"),
          "values.yaml": "image: nginx:1\n",
        }),
      },
      stdout: { image: "harbor.example.com:5000/dockerio/library/nginx:1" },
    },
    { name: "no values.yaml", args: ["override", "chart", ...hub], values: null, stdout: {} },
    { name: "an empty values.yaml", args: ["override", "chart", ...hub], values: "", stdout: {} },
    {
      name: "too large a chart",
      args: ["override", "chart", ...hub, "--max-chart-bytes", "20"],
      exitCode: 3,
      stdout: nothing,
      stderr: ["the chart unpacks to more than 20 bytes"],
    },
  ]);
});

describe("the target and the sources", () => {
  const invalidTargets = [
    "",
    "https://harbor.example.com",
    "user@harbor.example.com",
    "harbor;id",
    "-x/",
    "h.io/Upper",
  ];
  rows.run([
    ...invalidTargets.map((registry) => ({
      name: `the target '${registry}'`,
      args: ["override", "chart", `--target-registry=${registry}`, "-s", "docker.io"],
      exitCode: 2,
      stdout: nothing,
      stderr: ["Invalid target registry '"],
    })),
    {
      name: "no target",
      args: ["override", "chart", "-s", "docker.io"],
      exitCode: 2,
      stderr: ["No target registry"],
    },
    {
      name: "no sources",
      args: ["override", "chart", ...target],
      exitCode: 2,
      stderr: ["No source registry"],
    },
    {
      name: "blank sources",
      args: ["override", "chart", ...target, "-s", " , "],
      exitCode: 2,
      stderr: ["No source"],
    },
    {
      name: "a path at the target",
      args: ["override", "chart", "-t", "harbor.example.com/proxied/images", "-s", "docker.io"],
      stdout: { web: { image: "harbor.example.com/proxied/images/dockerio/library/nginx:1.23" } },
    },
    {
      name: "the message of document 002 §6.1.1",
      args: ["override", "chart", ...target, "--source-registries", "foo;bar"],
      exitCode: 2,
      stdout: nothing,
      stderr: ["error: Invalid source registry 'foo;bar': contains illegal characters\n"],
    },
    {
      name: "sources in several flags",
      args: ["override", "chart", ...target, "-s", "docker.io", "-s", "quay.io"],
      stdout: { ...web, ...db },
    },
    { name: "every source", args: ["override", "chart", ...target, "-s", "*"], stdout: { ...web, ...db } },
    {
      name: "a port of a source",
      args: ["override", "chart", ...target, "-s", "docker.io:443"],
      stdout: web,
    },
    {
      name: "Docker Hub's other name",
      args: ["override", "chart", ...target, "-s", "index.docker.io"],
      stdout: web,
    },
    {
      name: "a port of an image's registry",
      args: ["override", "chart", ...target, "-s", "registry.example.com"],
      values: "image: registry.example.com:5443/a/b:1\n",
      stdout: { image: "harbor.example.com:5000/registryexamplecom/a/b:1" },
    },
    {
      name: "an excluded registry",
      args: ["override", "chart", ...target, "-s", "*", "--exclude-registries", "quay.io:443"],
      stdout: web,
    },
    {
      name: "an excluded pattern",
      args: ["override", "chart", ...target, "-s", "*", "-e", "*.internal,qu*y.io"],
      stdout: web,
    },
    {
      name: "an invalid exclusion",
      args: ["override", "chart", ...hub, "-e", "a b"],
      exitCode: 2,
      stderr: ["Invalid excluded registry 'a b': contains illegal characters"],
    },
    {
      name: "a source that no image has",
      args: ["override", "chart", ...target, "-s", "ghcr.io"],
      stdout: {},
    },
  ]);
});

function image(text: string): Readonly<Record<string, unknown>> {
  return { web: { image: text } };
}

describe("where images go", () => {
  rows.run([
    {
      name: "--path-strategy prefix-source-registry",
      args: ["override", "chart", ...hub, "--path-strategy", "prefix-source-registry"],
      stdout: web,
    },
    {
      name: "--path-strategy flat",
      args: ["override", "chart", ...hub, "--path-strategy", "flat"],
      stdout: image("harbor.example.com:5000/library/nginx:1.23"),
    },
    {
      name: "--path-strategy keep-registry",
      args: ["override", "chart", ...hub, "--path-strategy=keep-registry"],
      stdout: image("harbor.example.com:5000/docker.io/library/nginx:1.23"),
    },
    {
      name: "an unknown strategy",
      args: ["override", "chart", ...hub, "--path-strategy", "sharp"],
      exitCode: 2,
      stdout: nothing,
      stderr: ["'sharp' is invalid. Allowed choices are prefix-source-registry, flat, keep-registry."],
    },
    {
      name: "--library never",
      args: ["override", "chart", ...hub, "--library", "never"],
      stdout: image("harbor.example.com:5000/dockerio/nginx:1.23"),
    },
    {
      name: "--library always",
      args: ["override", "chart", ...hub, "--library", "always"],
      values: "image: docker.io/nginx:1\n",
      stdout: { image: "harbor.example.com:5000/dockerio/library/nginx:1" },
    },
    {
      name: "--library table",
      args: ["override", "chart", ...hub, "--library", "table"],
      values: "image: docker.io/nginx:1\n",
      stdout: { image: "harbor.example.com:5000/dockerio/nginx:1" },
    },
    { name: "an unknown library rule", args: ["override", "chart", ...hub, "--library", "no"], exitCode: 2 },
    {
      name: "--target-type names the rules that hold",
      args: ["override", "chart", ...hub, "--target-type", "dockerhub"],
      exitCode: 4,
      stdout: nothing,
      stderr: ["(web.image)", "CRITICAL"],
    },
    {
      name: "an unknown target type",
      args: ["override", "chart", ...hub, "--target-type", "disk"],
      exitCode: 2,
    },
    {
      name: "two sources with one name at the target",
      args: ["override", "chart", ...all, "--path-strategy", "flat"],
      values: "a:\n  image: docker.io/team/app:1\nb:\n  image: quay.io/team/app:1\n",
      exitCode: 4,
      stdout: nothing,
      stderr: ["docker.io/team/app and quay.io/team/app would both be harbor.example.com:5000/team/app"],
    },
  ]);
});

describe("the form of the override", () => {
  rows.run([
    {
      name: "YAML begins with the header",
      args: ["override", "chart", ...hub],
      stdout:
        /^# Generated by fairlead\. .*\nweb:\n {2}image: harbor\.example\.com:5000\/dockerio\/library\/nginx:1\.23\n$/u,
      stderr: ["UNVERIFIED: chart 1.0.0: 100% images matched (1/1)\n", "Projects that must exist at"],
    },
    {
      name: "JSON",
      args: ["override", "chart", ...hub, "--output-format", "json"],
      stdout: '{\n  "web": {\n    "image": "harbor.example.com:5000/dockerio/library/nginx:1.23"\n  }\n}\n',
    },
    { name: "an unknown form", args: ["override", "chart", ...hub, "--output-format", "toml"], exitCode: 2 },
    {
      name: "nothing to do",
      args: ["override", "chart", ...target, "-s", "ghcr.io"],
      stdout: /^# Gen.*\n\{\}\n$/u,
    },
    {
      name: "a list is carried whole",
      args: ["override", "chart", ...hub],
      values: "sidecars:\n  - name: a\n    image: nginx:1.10\n  - name: b\n    port: 80\n",
      stdout: {
        sidecars: [
          { name: "a", image: "harbor.example.com:5000/dockerio/library/nginx:1.10" },
          { name: "b", port: 80 },
        ],
      },
    },
    {
      name: "--verbose tells what is done",
      args: ["override", "chart", ...hub, "--verbose"],
      stdout: web,
      stderr: ["debug: images are planned"],
    },
    {
      name: "--log-level debug does the same",
      args: ["override", "chart", ...hub, "--log-level", "debug"],
      stderr: ["debug: images are planned"],
    },
    { name: "an unknown log level", args: ["override", "chart", ...hub, "--log-level", "all"], exitCode: 2 },
    {
      name: "an unknown log format",
      args: ["override", "chart", ...hub, "--log-format", "xml"],
      exitCode: 2,
    },
  ]);
});

describe("helm-image-override, with the flags of document 002 §6.4", () => {
  const command = "helm-image-override" as const;
  const named = ["--chart-path", "chart", "--target-registry", "harbor.example.com:5000"];
  rows.run([
    {
      name: "all of them",
      command,
      args: named.concat(
        ["--source-registries", "docker.io,quay.io", "--path-strategy", "flat", "--verbose", "--dry-run"],
        ["--strict", "--exclude-registries", "quay.io,cr.example.com", "--threshold", "98"],
        ["--output-file", "override.yaml"],
      ),
      stdout: { web: { image: "harbor.example.com:5000/library/nginx:1.23" } },
      stderr: ["debug: "],
    },
    { name: "a chart by position", command, args: ["chart", ...hub], stdout: web },
    { name: "no chart", command, args: hub, exitCode: 2, stderr: ["no chart is named"] },
    {
      name: "a foreign flag",
      command,
      args: [...named, "--surprise"],
      exitCode: 2,
      stderr: ["unknown option '--surprise'"],
    },
    { name: "--version", command, args: ["--version"], stdout: /^\d+\.\d+\.\d+\n$/u },
    { name: "--help", command, args: ["--help"], stdout: "--source-registries" },
  ]);
});

describe("commands and their help", () => {
  rows.run([
    { name: "no command", args: [], exitCode: 2, stdout: nothing, stderr: ["Usage: fairlead"] },
    {
      name: "an unknown command",
      args: ["overide"],
      exitCode: 2,
      stderr: ["unknown command 'overide'", "override"],
    },
    {
      name: "an unknown flag",
      args: ["images", "--charts"],
      exitCode: 2,
      stdout: nothing,
      stderr: ["'--charts'"],
    },
    {
      name: "a flag without its value",
      args: ["images", "chart", "-f"],
      exitCode: 2,
      stderr: ["argument missing"],
    },
    { name: "too many charts", args: ["images", "a", "b"], exitCode: 2, stderr: ["too many arguments"] },
    {
      name: "a list with blanks",
      args: ["override", "chart", ...hub.slice(0, -1), "docker.io", "quay.io"],
      exitCode: 2,
      stderr: ["has commas and no blanks"],
    },
    {
      name: "no version of Kubernetes",
      args: ["images", "chart", "--kube-version", "latest"],
      exitCode: 2,
      stderr: ["a version such as 1.35.0"],
    },
    { name: "--version", args: ["--version"], stdout: /^\d+\.\d+\.\d+\n$/u },
    ...["override", "images", "explain", "verify", "survey", "completion"].map((name) => ({
      name: `${name} --help`,
      args: [name, "--help"],
      stdout: /Usage: fairlead [^]*\nExamples:\n {2}\$ fairlead /u,
    })),
    {
      name: "images as a table",
      args: ["images", "chart"],
      stdout:
        /^IMAGE +VALUES[^]*nginx:1\.23 +web\.image +not rendered\nquay\.io\/team\/db:2 +db\.image +not rendered\n$/u,
    },
    {
      name: "images of the values alone",
      args: ["images", "chart", "--no-render"],
      stdout: /^IMAGE +VALUES[^]*nginx:1\.23 +web\.image\nquay\.io\/team\/db:2 +db\.image\n$/u,
    },
    {
      name: "images as JSON",
      args: ["images", "chart", "--output", "json"],
      stdout: '"source": "nginx:1.23"',
    },
    { name: "images in an unknown form", args: ["images", "chart", "--output", "csv"], exitCode: 2 },
    {
      name: "verify without an override",
      args: ["verify", "chart", ...hub],
      exitCode: 2,
      stderr: ["--override FILE"],
    },
    { name: "verify has no threshold", args: ["verify", "chart", ...hub, "--threshold", "1"], exitCode: 2 },
    {
      name: "survey without charts",
      args: ["survey", ...hub],
      exitCode: 2,
      stderr: ["missing required argument"],
    },
    {
      name: "survey with no jobs",
      args: ["survey", "chart", ...hub, "--jobs", "0"],
      exitCode: 2,
      stderr: ["above 0"],
    },
    { name: "no bytes for a chart", args: ["images", "chart", "--max-chart-bytes", "0"], exitCode: 2 },
    { name: "no Kubernetes version", args: ["images", "chart", "--kube-version", "new"], exitCode: 2 },
    {
      name: "--exclude-tests with --no-verify",
      args: ["override", "chart", ...hub, "--exclude-tests", "--no-verify"],
      exitCode: 2,
      stderr: ["--exclude-tests has no effect with --no-verify"],
    },
    {
      name: "--residual with --no-verify",
      args: ["override", "chart", ...hub, "--residual", "post-renderer", "left", "--no-verify"],
      exitCode: 2,
      stderr: ["--residual has no effect with --no-verify"],
    },
    {
      name: "an unknown renderer",
      args: ["override", "chart", ...hub, "--renderer", "tiller"],
      exitCode: 2,
      stderr: ["'tiller' is invalid. Allowed choices are embedded, helm."],
    },
    {
      name: "completion for an unknown shell",
      args: ["completion", "tcsh"],
      exitCode: 2,
      stderr: ["'tcsh'"],
    },
  ]);
});

test("the example chart: values on standard output, everything else on standard error", async () => {
  const args = ["override", "examples/shop", ...all];
  const result = await runCommand("fairlead", args);
  const document = await runCommand("helm-image-override", args.slice(1));
  expect(result.stdout).toBe(document.stdout);
  expect(Object.keys(parse(result.stdout) as object)).toContain("catalog");
  expect(result.stderr).toContain("OK: shop 1.0.0: 100% images matched (11/11)\n");
  expect(result.stderr).toContain("Image Match Rate 100%, Chart Install passed\n");
  const unproven = await runCommand("fairlead", [...args, "--no-verify"]);
  expect(unproven.stdout).toBe(result.stdout);
  expect(unproven.stderr).toContain("UNVERIFIED: shop 1.0.0: 100% images matched (12/12)\n");
});

test("an identical run writes identical bytes", async () => {
  const cwd = await rows.prepare({});
  await mkdir(path.join(cwd, "out"));
  const args = ["override", "chart", ...hub, "-o", "out/o.yaml"];
  await runCommand("fairlead", args, { cwd });
  const first = await readFile(path.join(cwd, "out/o.yaml"), "utf8");
  expect((await runCommand("fairlead", args, { cwd })).exitCode).toBe(0);
  expect(await readFile(path.join(cwd, "out/o.yaml"), "utf8")).toBe(first);
});
