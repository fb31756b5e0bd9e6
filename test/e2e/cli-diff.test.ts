import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { chartYaml, makeChartArchive } from "../support/chart-files.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { createRowRunner, nothing } from "../support/cli-rows.ts";
import { runCommand } from "../support/cli.ts";
import type { RunResult } from "../../src/core/process.ts";

const rows = createRowRunner();

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - {name: web, image: "{{ .Values.web.image }}"}
    - {name: db, image: "{{ .Values.db.image }}"}
`;

function version(folder: string, values: string, template: string = pod): Record<string, string> {
  return {
    [`${folder}/Chart.yaml`]: chartYaml("shop"),
    [`${folder}/values.yaml`]: values,
    [`${folder}/templates/pod.yaml`]: template,
  };
}

const oldValues = "web: {image: 'nginx:1'}\ndb: {image: 'quay.io/a/db:1'}\n";
const newValues = "web: {image: 'nginx:2'}\ndb: {image: 'quay.io/a/db:1'}\n";
const versions = { ...version("old", oldValues), ...version("new", newValues) };
const to = ["-t", "harbor.example.com", "-s", "*"];
const moved =
  "web: {image: 'harbor.example.com/dockerio/library/nginx:2'}\ndb: {image: 'harbor.example.com/quayio/a/db:1'}\n";
const stale = moved.replace("nginx:2", "nginx:1");

const table = `shop 1.0.0 → 1.0.0: 1 changed; 1 unchanged

CHANGE   REPOSITORY               OLD  NEW  PLACES
changed  docker.io/library/nginx  1    2    Pod/web (web)
`;

describe("two charts", () => {
  rows.run([
    { name: "as a table", args: ["diff", "old", "new"], files: versions, stdout: table },
    {
      name: "with all images",
      args: ["diff", "old", "new", "--all"],
      files: versions,
      stdout: /^unchanged +quay\.io\/a\/db +1 +1 +Pod\/web \(db\)$/mu,
    },
    {
      name: "as Markdown",
      args: ["diff", "old", "new", "--output", "markdown"],
      files: versions,
      stdout: `### Images of \`shop\`: \`1.0.0\` → \`1.0.0\`

1 changed; 1 unchanged.

| Change | Repository | Old | New | Places |
| --- | --- | --- | --- | --- |
| changed | \`docker.io/library/nginx\` | \`1\` | \`2\` | \`Pod/web (web)\` |
`,
    },
    {
      name: "as archives",
      args: ["diff", "old.tgz", "new.tgz"],
      files: {
        "old.tgz": makeChartArchive("shop", { "Chart.yaml": chartYaml("shop"), "values.yaml": oldValues }),
        "new.tgz": makeChartArchive("shop", { "Chart.yaml": chartYaml("shop"), "values.yaml": newValues }),
      },
      stdout: /^changed +docker\.io\/library\/nginx +1 +2 +web\.image \[not rendered\]$/mu,
    },
    {
      name: "with the user's values",
      args: ["diff", "old", "new", "--set", "web.image=mine:1"],
      files: versions,
      stdout: "no image differs; 2 unchanged",
    },
    {
      name: "a chart that does not render",
      args: ["diff", "old", "new"],
      files: { ...versions, "new/templates/fail.yaml": '{{ fail "no" }}' },
      stdout: "changed  docker.io/library/nginx",
      stderr: ["warning: the chart does not render", "at new"],
    },
    { name: "--exit-code", args: ["diff", "old", "new", "--exit-code"], files: versions, exitCode: 4 },
    { name: "--exit-code of one", args: ["diff", "old", "old", "--exit-code"], files: versions },
    {
      name: "--exit-code of an image that is gone",
      args: ["diff", "old", "new", "--exit-code"],
      files: {
        ...version("old", oldValues),
        ...version("new", "web: {image: 'nginx:1'}", pod.replace(/.*name: db.*\n/u, "")),
      },
      stdout: "removed  quay.io/a/db",
    },
    { name: "one chart alone", args: ["diff", "old"], files: versions, exitCode: 2, stderr: ["missing"] },
    {
      name: "a missing chart",
      args: ["diff", "old", "none"],
      files: versions,
      exitCode: 2,
      stdout: nothing,
      stderr: ["at none"],
    },
    {
      name: "a target for nothing",
      args: ["diff", "old", "new", ...to],
      files: versions,
      exitCode: 2,
      stdout: nothing,
      stderr: ["--target-registry has no effect by itself"],
    },
  ]);
});

describe("--override", () => {
  const prove = ["diff", "old", "new", "--override", "o.yaml", ...to];
  rows.run([
    {
      name: "one that fits",
      args: prove,
      files: { ...versions, "o.yaml": moved },
      stdout: "o.yaml covers all 2 images in scope\n",
    },
    {
      name: "one that fits, with --exit-code",
      args: [...prove, "--exit-code"],
      files: { ...versions, "o.yaml": moved },
      exitCode: 4,
    },
    {
      name: "one that pins an old tag",
      args: prove,
      files: { ...versions, "o.yaml": `${stale}old: {image: a}\n` },
      exitCode: 4,
      stdout: `o.yaml covers 1 of 2 images in scope

NOT COVERED  PLACES         WHY
nginx:2      Pod/web (web)  it became harbor.example.com/dockerio/library/nginx:1 with the override

It sets what changes nothing:
  old.image: the chart has no such value

To be added or replaced; with that, 100% images matched (2/2):
  web:
    image: harbor.example.com/dockerio/library/nginx:2
`,
    },
    {
      name: "in a sentence of Markdown",
      args: [...prove, "--output", "markdown"],
      files: { ...versions, "o.yaml": stale },
      exitCode: 4,
      stdout: "```yaml\nweb:\n  image: harbor.example.com/dockerio/library/nginx:2\n```\n",
    },
    {
      name: "one that changes something else",
      args: prove,
      files: {
        ...versions,
        "o.yaml": `${moved}host: true\n`,
        "new/templates/pod.yaml": `${pod}  {{ if .Values.host }}hostNetwork: true{{ end }}`,
      },
      exitCode: 4,
      stdout: "covers all 2 images",
      stderr: ["error: Pod/web spec.hostNetwork: the override adds true"],
    },
    {
      name: "without a target",
      args: prove.slice(0, 5),
      files: { ...versions, "o.yaml": moved },
      exitCode: 2,
    },
    {
      name: "one that is not YAML",
      args: prove,
      files: { ...versions, "o.yaml": "a: [" },
      exitCode: 2,
      stdout: nothing,
      stderr: ["o.yaml"],
    },
  ]);
});

test("--image-list has what the new version pulls beside the old one", async () => {
  const cwd = await rows.prepare({ files: versions });
  const result = await runCommand("fairlead", ["diff", "old", "new", "--image-list", "l.txt", ...to], {
    cwd,
  });
  expect([result.exitCode, result.stderr]).toEqual([0, ""]);
  expect(await readFile(path.join(cwd, "l.txt"), "utf8")).toBe(
    "docker.io/library/nginx:2 harbor.example.com/dockerio/library/nginx:2\n",
  );
});

test("text of a chart stays in its cell and its line", async () => {
  const hostile = pod.replace("{name: web}", '{name: "a`|b\\n##[x]\\u202e"}');
  const cwd = await rows.prepare({
    files: { ...version("old", oldValues), ...version("new", newValues, hostile) },
  });
  for (const output of ["table", "markdown"]) {
    const { stdout } = await runCommand("fairlead", ["diff", "old", "new", "--all", "--output", output], {
      cwd,
    });
    expect(stdout).not.toMatch(/\u202e|##\[/u);
    expect(stdout.split("\n").filter((line) => line.includes("unchanged "))).toHaveLength(1);
  }
});

/** The example chart, and a next version of it with a renamed key, a new image and two new tags. */
async function writeShops(): Promise<string> {
  const cwd = await rows.prepare();
  for (const folder of ["old", "new"]) {
    await cp(path.join(repositoryRoot, "examples/shop"), path.join(cwd, folder), { recursive: true });
  }
  const edit = async (file: string, ...changes: (readonly [string, string])[]): Promise<void> => {
    const place = path.join(cwd, "new", file);
    const text = changes.reduce(
      (edited, [from, into]) => edited.replaceAll(from, into),
      await readFile(place, "utf8"),
    );
    await writeFile(place, text);
  };
  await edit("Chart.yaml", ["version: 1.0.0", "version: 1.1.0"], ["2.4.1", "2.5.0"]);
  await edit(
    "values.yaml",
    ["web:\n", "probe:\n  image: quay.io/harbourside/probe:1\nserver:\n"],
    ["postgres:14", "postgres:15"],
    ["repository: harbourside/backup", "repository: harbourside-labs/backup"],
  );
  await edit(
    "templates/web.yaml",
    [".Values.web.", ".Values.server."],
    [
      "        - name: api",
      "        - name: probe\n          image: {{ .Values.probe.image }}\n        - name: api",
    ],
  );
  return cwd;
}

test("an upgrade of the example chart", async () => {
  const cwd = await writeShops();
  const run = (...args: readonly string[]): Promise<RunResult> => runCommand("fairlead", args, { cwd });
  const target = ["-t", "harbor.example.com", "-s", "docker.io,quay.io"];
  await run("override", "old", ...target, "-o", "override.yaml");
  const prove = ["diff", "old", "new", "--override", "override.yaml", ...target];
  const { exitCode, stdout } = await run(...prove, "--output", "json");
  expect(exitCode).toBe(4);
  const told: unknown = JSON.parse(stdout);
  expect(told).toMatchObject({
    old: { version: "1.0.0" },
    new: { version: "1.1.0" },
    counts: { added: 1, removed: 0, changed: 2, moved: 1, unchanged: 10 },
    images: [
      { change: "changed", repository: "docker.io/library/postgres" },
      {
        change: "moved",
        old: { spec: { dockerImage: { registry: "ghcr.io", name: "harbourside/backup", tag: "v0.9.0" } } },
        new: { spec: { dockerImage: { registry: "ghcr.io", name: "harbourside-labs/backup" } } },
      },
      { change: "added", new: { source: "quay.io/harbourside/probe:1", places: [{ container: "probe" }] } },
      { change: "changed", new: { spec: { dockerImage: { tag: "2.5.0" } } } },
    ],
    renamedValues: [
      { from: "web.image.registry", to: "server.image.registry" },
      { from: "web.image.repository", to: "server.image.repository" },
      { from: "web.image.tag", to: "server.image.tag" },
    ],
    override: {
      deadLeaves: [{ path: "web.image.registry", reason: "gone" }],
      missing: {
        values: {
          probe: { image: "harbor.example.com/quayio/harbourside/probe:1" },
          server: { image: { registry: "harbor.example.com/dockerio" } },
          database: { image: "harbor.example.com/dockerio/library/postgres:15" },
        },
        verdict: { status: "OK" },
      },
    },
  });
  await run("override", "new", ...target, "-o", "override.yaml");
  const renewed = await run(...prove);
  expect([renewed.exitCode, renewed.stderr]).toEqual([0, ""]);
  expect(renewed.stdout).toContain("override.yaml covers all 12 images in scope\n");
});
