import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { loadYamlMap } from "../../src/yaml/load.ts";
import {
  chartYaml,
  makeArchive,
  makeChartArchive,
  type TarEntry,
  writeFiles,
} from "../support/chart-files.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { buildCommands, runCommand, runInProcess } from "../support/cli.ts";
import { createRandom, type Random } from "../support/random.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

type Files = Record<string, string | Uint8Array>;

/** A chart folder, or an archive, and what the command line adds. */
interface Input {
  readonly files?: Files;
  readonly archive?: Uint8Array;
  readonly args?: readonly string[];
}

const limitMs = 10_000;
let folder: TempDir;
let shop: Files;
let shopArchive: Buffer;

beforeAll(async () => {
  folder = await createTempDir("fuzz");
  shop = await readFiles(path.join(repositoryRoot, "examples/shop"));
  shopArchive = makeChartArchive("shop", shop);
  await buildCommands();
});

afterAll(async () => folder.remove());

const texts = [
  "invalid::image",
  "nginx",
  "NGINX:1",
  "quay.io/x/y@sha256:abc",
  "{{ .Values.x }}",
  "http://x/y:1",
  "../../etc/passwd",
  "a".repeat(5000),
  "\u0000",
  "\u001b[31m",
  "::error::x",
  "x y z",
  "docker.io/",
  ":",
  "@",
  "/",
  "quay.io/a/b:1",
  "1.10",
  "<script>",
  "é/ü:1",
  "[::1]:5000/a:1",
  "localhost/a",
  "docker.io/library/nginx:1@sha256:",
  "-",
  "~",
  "null",
  "*a",
  "&a b",
];
const keys = [
  "image",
  "repository",
  "registry",
  "tag",
  "digest",
  "name",
  "images",
  "global",
  "__proto__",
  "constructor",
  "toString",
  "sidecarImage",
  "imageTag",
  "a.b",
  "",
  "0",
  "hub",
  "catalog",
  "orders",
  "::set-output::",
  "imageRegistry",
  "version",
];

const generators: Readonly<Record<string, { count: number; make: (random: Random) => Input }>> = {
  "bytes changed in values.yaml": {
    count: 60,
    make: (random) => ({ files: { ...shop, "values.yaml": damage(bytesOf("values.yaml"), random) } }),
  },
  "bytes changed in a subchart's values.yaml": {
    count: 20,
    make: (random) => {
      const name = "charts/catalog/values.yaml";
      return { files: { ...shop, [name]: damage(bytesOf(name), random) } };
    },
  },
  "bytes changed in Chart.yaml": {
    count: 40,
    make: (random) => ({ files: { ...shop, "Chart.yaml": damage(bytesOf("Chart.yaml"), random) } }),
  },
  "an archive cut short": {
    count: 20,
    make: (random) => ({ archive: shopArchive.subarray(0, random.below(shopArchive.length)) }),
  },
  "bytes changed in an archive": { count: 20, make: (random) => ({ archive: damage(shopArchive, random) }) },
  "bytes changed inside an archive": {
    count: 30,
    make: (random) => ({ archive: gzipSync(damage(gunzipSync(shopArchive), random)) }),
  },
  "values of any shape": {
    count: 80,
    make: (random) => ({ files: { ...shop, "values.yaml": JSON.stringify(anyValue(random, 5)) } }),
  },
  "user values of any shape": {
    count: 30,
    make: (random) => ({
      files: { ...shop, "user.yaml": JSON.stringify(anyValue(random, 4)) },
      args: ["--values", "user.yaml"],
    }),
  },
  "Chart.yaml of any shape": {
    count: 40,
    make: (random) => ({ files: { ...shop, "Chart.yaml": JSON.stringify(anyMetadata(random)) } }),
  },
  "requirements.yaml of any shape": {
    count: 20,
    make: (random) => ({
      files: {
        "Chart.yaml": "apiVersion: v1\nname: a\nversion: 1.0.0\n",
        "requirements.yaml": JSON.stringify(
          random.below(2) === 0 ? anyValue(random, 3) : { dependencies: anyValue(random, 3) },
        ),
        "values.yaml": "image: nginx:1\n",
      },
    }),
  },
  "garbage in --set": {
    count: 40,
    make: (random) => ({
      files: shop,
      args: [random.pick(["--set", "--set-string"]), garbage(random, "a.b[0]{},=\\\"'1:null\u0001é")],
    }),
  },
  "hostile YAML": {
    count: 20,
    make: (random) => ({ files: { "Chart.yaml": chartYaml("a"), "values.yaml": hostileYaml(random) } }),
  },
  "archives that unpack to too much": {
    count: 4,
    make: (random) => ({ archive: bomb(random.below(2) === 0 ? 1 : 4) }),
  },
  "hostile archive entries": {
    count: 30,
    make: (random) => ({ archive: makeArchive(hostileEntries(random)) }),
  },
};

describe.each(Object.entries(generators))("%s", (name, { count, make }) => {
  test.each(Array.from({ length: count }, (_, seed) => seed))("seed %i", async (seed) => {
    const place = await write(make(createRandom(`${name} ${seed}`)), `${name} ${seed}`);
    const startedMs = performance.now();
    const outcome = await runInProcess("fairlead", place.args);
    expect(performance.now() - startedMs).toBeLessThan(limitMs);
    check(outcome);
    // Every tenth also as a process, which would show what the test's own process hides.
    if (seed % 10 === 0) {
      const process = await runCommand("fairlead", place.args);
      check(process);
      expect(process.exitCode).toBe(outcome.exitCode);
    }
  });
});

function check({ exitCode, stdout, stderr }: RunResult): void {
  expect([0, 1, 2, 3, 4, 5]).toContain(exitCode);
  const records = stderr
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { code?: string });
  expect(records.filter(({ code }) => code === "internal")).toEqual([]);
  if (exitCode === 0) loadYamlMap(stdout);
  else {
    expect(stdout).toBe("");
    expect(records.length).toBeGreaterThan(0);
  }
}

async function write(input: Input, name: string): Promise<{ args: string[] }> {
  const place = path.join(folder.path, name.replaceAll(/[^a-z0-9]+/giu, "-"));
  const chart = input.archive === undefined ? "chart" : "chart.tgz";
  await writeFiles(
    place,
    input.archive === undefined
      ? Object.fromEntries(Object.entries(input.files ?? {}).map(([file, data]) => [`chart/${file}`, data]))
      : { "chart.tgz": input.archive },
  );
  const more = (input.args ?? []).map((arg) =>
    arg === "user.yaml" ? path.join(place, "chart/user.yaml") : arg,
  );
  const target = ["-t", "harbor.example.com:5000", "-s", "docker.io,quay.io", "--threshold", "50"];
  return { args: ["override", path.join(place, chart), ...target, "--log-format", "json", ...more] };
}

async function readFiles(root: string): Promise<Files> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Files = {};
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(root, file)] = await readFile(file);
  }
  return files;
}

function bytesOf(name: string): Uint8Array {
  const data = shop[name] ?? "";
  return typeof data === "string" ? Buffer.from(data) : data;
}

/** Changes, removes, repeats or inserts some bytes. */
function damage(data: Uint8Array, random: Random): Uint8Array {
  let bytes = Buffer.from(data);
  for (let change = random.below(8) + 1; change > 0; change--) {
    const at = random.below(bytes.length);
    const piece = bytes.subarray(at, at + random.below(20));
    bytes = random.pick([
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at + 1)]),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + piece.length)]),
      () => Buffer.concat([bytes.subarray(0, at), piece, piece, bytes.subarray(at)]),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(texts)), bytes.subarray(at)]),
      () =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(random.pick(["\t", "{{", "}}", "---\n", "- ", ": ", "&a", "*a", "<<: *a", "\n"])),
          bytes.subarray(at),
        ]),
    ])();
  }
  return bytes;
}

function anyValue(random: Random, depth: number): unknown {
  const kind = random.below(depth === 0 ? 5 : 9);
  if (kind >= 7) return Array.from({ length: random.below(4) }, () => anyValue(random, depth - 1));
  if (kind >= 4 && depth > 0) {
    return Object.fromEntries(
      Array.from(
        { length: random.below(6) },
        () => [random.pick(keys), anyValue(random, depth - 1)] as const,
      ),
    );
  }
  return random.pick<unknown>([null, true, 0, 1.1, 1e21, -7, ...texts]);
}

function anyMetadata(random: Random): unknown {
  const fields = ["apiVersion", "name", "version", "type", "appVersion", "kubeVersion", "dependencies"];
  const good = {
    apiVersion: "v2",
    name: "a",
    version: "1.0.0",
    dependencies: [{ name: "catalog", version: "1.x.x" }],
  };
  const broken = Object.fromEntries(
    fields.filter(() => random.below(3) === 0).map((field) => [field, anyValue(random, 3)]),
  );
  return { ...good, ...broken };
}

function garbage(random: Random, alphabet: string): string {
  return Array.from({ length: random.below(30) }, () => alphabet.charAt(random.below(alphabet.length))).join(
    "",
  );
}

function hostileYaml(random: Random): string {
  const size = 10 + random.below(40);
  return random.pick([
    () => `${"a: {".repeat(size * 100)}${"}".repeat(size * 100)}\n`,
    () => `${"[".repeat(size * 1000)}\n`,
    () =>
      `a0: &a0 [x, x]\n${Array.from({ length: size }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join("\n")}\n`,
    () => `a: &a\n  image: nginx:1\n  <<: *a\nb: *a\n`,
    () => `image: "${"a/".repeat(size * 10_000)}b:1"\n`,
    () => `${"k".repeat(size * 20_000)}: {image: nginx:1}\n`,
    () =>
      `x:\n${Array.from({ length: size * 500 }, (_, i) => `  k${i}: {image: {repository: quay.io/a/b${i}, tag: "1"}}`).join("\n")}\n`,
    () => `image: ${"- ".repeat(size * 500)}x\n`,
    () => `image: !!binary ${"A".repeat(size)}\ntag: !!float x\nx: !<tag:x> y\n`,
    () => `? {image: nginx:1}\n: {image: nginx:1}\n? [a]\n: b\n`,
  ])();
}

/** 120 MiB of zeros, in the chart itself or shared out among packed subcharts. */
function bomb(parts: number): Uint8Array {
  const data = new Uint8Array((120 / parts) * 1024 * 1024);
  const part = (name: string): TarEntry[] => [
    { path: `${name}/Chart.yaml`, data: chartYaml(name) },
    { path: `${name}/zeros`, data },
  ];
  if (parts === 1) return makeArchive(part("a"));
  const subcharts = Array.from({ length: parts }, (_, index): TarEntry => {
    return { path: `a/charts/b${index}.tgz`, data: makeArchive(part(`b${index}`)) };
  });
  return makeArchive([{ path: "a/Chart.yaml", data: chartYaml("a") }, ...subcharts]);
}

function hostileEntries(random: Random): TarEntry[] {
  const good: TarEntry[] = [
    { path: "a/Chart.yaml", data: chartYaml("a") },
    { path: "a/values.yaml", data: "image: nginx:1\n" },
  ];
  const bad: TarEntry[] = [
    { path: "a/x", type: "SymbolicLink", linkpath: "/etc/passwd" },
    { path: "a/values.yaml", type: "Link", linkpath: "a/Chart.yaml" },
    { path: "a/x", type: "CharacterDevice" },
    { path: "a/x", type: "FIFO" },
    { path: "../x", data: "x" },
    { path: "/etc/x", data: "x" },
    { path: "a/../../x", data: "x" },
    { path: "a\\b", data: "x" },
    { path: "C:/x", data: "x" },
    { path: "b/Chart.yaml", data: chartYaml("b") },
    { path: "a/values.yaml", data: "image: again:1\n" },
    { path: "a/charts/b.tgz", data: "not an archive" },
    { path: "a/charts/b.tgz", data: makeArchive([{ path: "b/x", type: "SymbolicLink", linkpath: "../x" }]) },
    { path: "a/charts/b/Chart.yaml", data: "[]" },
    { path: `a/${"d/".repeat(40)}x`, data: "x" },
    { path: "a/\u001b[31m", data: "x" },
    { path: "a/templates/x.yaml", data: new Uint8Array(300_000) },
  ];
  return [...good, ...Array.from({ length: 1 + random.below(3) }, () => random.pick(bad))];
}
