import { describe, expect, test } from "vitest";
import type { Where } from "../../core/error.ts";
import type { YamlValue } from "../../yaml/value.ts";
import { parseMetadata, parseRequirements } from "./metadata.ts";

const locate = (path: readonly (string | number)[]): Where => ({
  file: "Chart.yaml",
  valuePath: path.join("/"),
});
const base = { apiVersion: "v2", name: "app", version: "1.0.0" };

test("a whole Chart.yaml", () => {
  const dependency = {
    name: "redis",
    version: "^17",
    repository: "oci://example.com/charts",
    alias: "cache",
    condition: "cache.enabled",
    tags: ["backend", 7],
    "import-values": ["data", { child: "a", parent: "b" }, { child: "a" }, 7, null],
  };
  const value: YamlValue = {
    ...base,
    appVersion: 1.1,
    type: "library",
    kubeVersion: ">=1.25",
    description: "two\nlines\u0007",
    dependencies: [dependency, { name: "plain" }],
  };
  expect(parseMetadata(value, locate)).toEqual({
    ...base,
    appVersion: "1.1",
    type: "library",
    kubeVersion: ">=1.25",
    description: "two lines",
    dependencies: [
      {
        ...dependency,
        tags: ["backend", "7"],
        "import-values": undefined,
        importValues: ["data", { child: "a", parent: "b" }, { child: "a", parent: "<nil>" }],
      },
      { name: "plain", tags: [], importValues: [] },
    ],
    raw: value,
  });
});

const refused: readonly (readonly [string, YamlValue, string])[] = [
  ["not a map", [], ""],
  ["no name", { version: "1.0.0" }, ""],
  ["no version", { name: "app" }, ""],
  ["empty name", { ...base, name: "" }, ""],
  ["name with a slash", { ...base, name: "a/b" }, "name"],
  ["name is a list", { ...base, name: ["a"] }, "name"],
  ["version", { ...base, version: "latest" }, "version"],
  ["field in other case", { name: "app", VERSION: "latest" }, "VERSION"],
  ["apiVersion", { ...base, apiVersion: "v3" }, "apiVersion"],
  ["type", { ...base, type: "plugin" }, "type"],
  ["dependencies is a map", { ...base, dependencies: {} }, "dependencies"],
  ["dependency is text", { ...base, dependencies: ["x"] }, "dependencies/0"],
  ["alias", { ...base, dependencies: [{ name: "x", alias: "a.b" }] }, "dependencies/0/alias"],
  ["name twice", { ...base, dependencies: [{ name: "x" }, { name: "y", alias: "x" }] }, "dependencies/1"],
  [
    "condition is a list",
    { ...base, dependencies: [{ name: "x", condition: [] }] },
    "dependencies/0/condition",
  ],
];

describe("what Helm refuses", () => {
  test.each(refused)("%s", (_name, value, valuePath) => {
    expect(() => parseMetadata(value, locate)).toThrow(
      expect.objectContaining({ code: "chart-invalid", where: { file: "Chart.yaml", valuePath } }) as Error,
    );
  });
});

describe("requirements.yaml", () => {
  test("replaces the dependencies", () => {
    expect(parseRequirements({ dependencies: [{ name: "x" }] }, locate)).toEqual([
      { name: "x", tags: [], importValues: [] },
    ]);
  });

  test("that says nothing leaves them", () => {
    expect(parseRequirements(null, locate)).toBeUndefined();
    expect(parseRequirements({ other: 1 }, locate)).toBeUndefined();
  });

  test("that is a list is refused", () => {
    expect(() => parseRequirements([], locate)).toThrow("requirements.yaml is not a map");
  });
});
