import { expect, test } from "vitest";
import type { VersionChoice } from "./remote-chart.ts";
import { type ChartEntry, findChartEntry, parseRepositoryIndex } from "./repository-index.ts";

const first: VersionChoice = { wanted: undefined, isExact: false, choose: (versions) => versions[0] };
const none: VersionChoice = { wanted: "^7", isExact: false, choose: () => undefined };
const sha = "a".repeat(64);

function find(text: string, name = "shop", version = first): ChartEntry {
  return findChartEntry(parseRepositoryIndex(Buffer.from(text), "index.yaml"), name, version);
}

function indexOf(...entries: readonly string[]): string {
  return `apiVersion: v1\nentries:\n  shop:\n${entries.map((entry) => `  - ${entry}\n`).join("")}`;
}

test.each([
  ["a version", indexOf(`{ version: 1.2.3, urls: [a.tgz], digest: ${sha} }`), sha],
  ["a digest with its name", indexOf(`{ version: 1.2.3, urls: [a.tgz], digest: "sha256:${sha}" }`), sha],
  ["a digest in capitals", indexOf(`{ version: 1.2.3, urls: [a.tgz], digest: ${"A".repeat(64)} }`), sha],
  ["a digest of another kind", indexOf("{ version: 1.2.3, urls: [a.tgz], digest: md5 }"), undefined],
  ["JSON", `{"apiVersion": "v1", "entries": {"shop": [{"version": "1.2.3", "urls": ["a.tgz"]}]}}`, undefined],
  [
    "the entries that are whole",
    indexOf(
      "null",
      "1",
      "{ version: 1.0, urls: [x] }",
      "{ version: 1.2.3 }",
      "{ version: 1.2.3, urls: [a.tgz] }",
    ),
    undefined,
  ],
])("finds %s", (_name, text, sha256) => {
  expect(find(text)).toEqual({ version: "1.2.3", url: "a.tgz", sha256 });
});

test.each([
  ["no such chart", indexOf("{ version: 1.2.3, urls: [a.tgz] }"), "other", first],
  ["a name of every object", indexOf("{ version: 1.2.3, urls: [a.tgz] }"), "constructor", first],
  ["no such version", indexOf("{ version: 1.2.3, urls: [a.tgz] }"), "shop", none],
  ["entries that are a list", "apiVersion: v1\nentries: []\n", "shop", first],
  ["versions that are a map", "apiVersion: v1\nentries: { shop: { a: b } }\n", "shop", first],
  ["no apiVersion", "entries: {}\n", "shop", first],
  ["a page for browsers", "<html><body>Not found</body></html>", "shop", first],
  ["an empty text", "", "shop", first],
  ["a list", "- a\n", "shop", first],
  ["broken YAML", "apiVersion: v1\nentries: [\n", "shop", first],
])("refuses %s", (_name, text, name, version) => {
  expect(() => find(text, name, version)).toThrow(expect.objectContaining({ code: "input-invalid" }));
});

test("refuses bytes that are no text", () => {
  expect(() => parseRepositoryIndex(Buffer.from([0xff, 0xfe]), "index.yaml")).toThrow(/UTF-8/u);
});

test("refuses aliases that multiply", () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `l${level}: &l${level} [${`*l${level - 1},`.repeat(9)}]\n`,
  );
  const text = `apiVersion: v1\nl: &l-1 x\n${levels.join("")}`.replace("*l-1,", "*l-1,");
  expect(() => find(text)).toThrow(expect.objectContaining({ code: "limit-exceeded" }));
});
