import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chartOf, discoverIn, relocatorFor, settingsFor, yamlMap } from "../../test/support/relocation.ts";
import { mergeMaps } from "../helm/values/merge.ts";
import { dumpYaml } from "../yaml/dump.ts";
import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../yaml/value.ts";
import { formatValuePath, getAt, parseValuePath } from "../yaml/value-path.ts";
import { buildOverride, inOrderOf } from "./override.ts";
import { planMoves } from "./plan.ts";
import { planChart } from "./chart-plan.ts";
import { createRelocator } from "./relocator.ts";

function overrideOf(
  values: string,
  ...entries: readonly (readonly [path: string, to: YamlValue])[]
): YamlMap {
  return buildOverride(
    yamlMap(values),
    entries.map(([path, to]) => ({ path: parseValuePath(path), to })),
  );
}

test("entries come in the order of the values, new ones last", () => {
  const values = yamlMap("b: {d: x, c: y}\na: [{image: z}, {image: z}]");
  const paths = ["new", "a[1].image", "a[0].image", "b.c", "b.new.f", "b.d"];
  const entries = paths.map((path) => ({ path: parseValuePath(path), to: "" }));
  const ordered = inOrderOf(values, entries).map(({ path }) => formatValuePath(path));
  expect(ordered).toEqual(["b.d", "b.c", "b.new.f", "a[0].image", "a[1].image", "new"]);
});

describe("buildOverride", () => {
  test.each<[string, string, [string, YamlValue][], string]>([
    ["nothing", "a: 1", [], "{}"],
    [
      "one leaf without its siblings",
      "image: {registry: a, repository: b, tag: '1', pullPolicy: Always}",
      [["image.registry", "r"]],
      "image: {registry: r}",
    ],
    [
      "leaves of one map",
      "image: {registry: a, repository: b}\nother: 1",
      [
        ["image.registry", "r"],
        ["image.repository", "path"],
      ],
      "image: {registry: r, repository: path}",
    ],
    [
      "a list whole, with everything in it",
      "sidecars: [{name: a, image: x:1, ports: [1, 2]}, {name: b, tag: 1.10, on: true, none: ~}]\nother: [1]",
      [["sidecars[0].image", "r/x:1"]],
      "sidecars: [{name: a, image: r/x:1, ports: [1, 2]}, {name: b, tag: 1.10, on: true, none: ~}]",
    ],
    [
      "two entries of one list",
      "images: [a:1, b:1]",
      [
        ["images[0]", "r/a:1"],
        ["images[1]", "r/b:1"],
      ],
      "images: [r/a:1, r/b:1]",
    ],
    [
      "a list in a list",
      "a: [[{image: x}, 1], {b: [{image: y}]}]",
      [
        ["a[0][0].image", "r/x"],
        ["a[1].b[0].image", "r/y"],
      ],
      "a: [[{image: r/x}, 1], {b: [{image: r/y}]}]",
    ],
    [
      "a setting that is no string, where nothing was",
      "a: 1",
      [["global.security.allowInsecureImages", true]],
      "global: {security: {allowInsecureImages: true}}",
    ],
    [
      "Istio's defaults are set at the root",
      "_internal_defaults_do_not_set: {hub: docker.io/istio, list: [{image: a}]}",
      [
        ["_internal_defaults_do_not_set.hub", "r/istio"],
        ["_internal_defaults_do_not_set.list[0].image", "r/a"],
      ],
      "hub: r/istio\nlist: [{image: r/a}]",
    ],
    [
      "a key called __proto__",
      "__proto__: {image: a}",
      [["__proto__.image", "r/a"]],
      "__proto__: {image: r/a}",
    ],
  ])("%s", (_name, values, entries, expected) => {
    expect(overrideOf(values, ...entries)).toEqual(yamlMap(expected));
  });

  test("changes neither the values nor the prototype of every object", () => {
    const values = yamlMap("list: [{image: a}]\n__proto__: {image: a}");
    const before = dumpYaml(values);
    const override = buildOverride(values, [
      { path: ["list", 0, "image"], to: "b" },
      { path: ["__proto__", "polluted"], to: "yes" },
    ]);
    expect(dumpYaml(values)).toBe(before);
    expect(Object.getPrototypeOf(override)).toBeNull();
    expect("polluted" in {}).toBe(false);
  });
});

const tag = fc.constantFrom<YamlValue>("1.10", "v1", 16, 1.1, null, "", "latest");
const registry = fc.constantFrom<YamlValue>(
  "docker.io",
  "quay.io",
  "ghcr.io",
  "r.example:5000",
  "",
  null,
  "quay.io/",
);
const repository = fc.constantFrom(
  "nginx",
  "library/nginx",
  "bitnami/redis",
  "quay.io/a/b",
  "ghcr.io/c",
  "a/b:1",
  "",
);
const text = fc.constantFrom(
  "nginx",
  "nginx:1",
  "quay.io/a/b:1",
  "docker.io/c",
  "--image=ghcr.io/x:1",
  "{{ .x }}:1",
  "A:1",
);
const leaf = fc.oneof(text, fc.constantFrom<YamlValue>(1, true, null, "https://quay.io/a:1", "plain", "a/b"));
const image = fc.oneof(
  text,
  map({ registry, repository, tag }, 1),
  map({ repository, tag }, 1),
  map({ registry, name: repository, tag }, 1),
  map({ repository, image: fc.constantFrom("app", "b"), version: tag }, 1),
);
const entry = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom("image", "initImage", "images", "sidecar"), image) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("key", "name", "value", "url", "tag", "__proto__"), leaf),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("args", "extraImages"), fc.array(text, { maxLength: 3 })),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("imageRegistry", "registry", "hub"), registry) },
);
const group = fc.array(entry, { maxLength: 4 }).map((entries) => createYamlMap(entries));
const anyValues = fc
  .record({
    root: fc.array(entry, { maxLength: 3 }),
    global: fc.option(group, { nil: undefined }),
    web: group,
    list: fc.array(group, { maxLength: 3 }),
  })
  .map(({ root, global, web, list }) =>
    createYamlMap([
      ...root,
      ...(global === undefined ? [] : [["global", global] as const]),
      ["web", web],
      ["list", list],
    ]),
  );

function map(
  parts: Readonly<Record<string, fc.Arbitrary<YamlValue>>>,
  required: number,
): fc.Arbitrary<YamlMap> {
  return fc
    .record(parts, { requiredKeys: Object.keys(parts).slice(required, required + 1) })
    .map((record) =>
      createYamlMap(
        Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
    );
}

const targets = fc.constantFrom("registry.lan", "registry.lan:5000/base", "harbor.example.com/proxy");
const changes = fc.record({
  strategy: fc.constantFrom("prefix-source-registry" as const, "flat" as const, "keep-registry" as const),
  library: fc.constantFrom("table" as const, "always" as const, "never" as const),
  sources: fc.constantFrom("all" as const, new Set(["docker.io", "quay.io"])),
});

describe("for any values", () => {
  test("an override applied twice is the override applied once", async () => {
    await fc.assert(
      fc.asyncProperty(anyValues, targets, changes, async (values, target, settings) => {
        const chart = await chartOf({ "values.yaml": dumpYaml(values) });
        const all = settingsFor(target, settings);
        const plan = (userValues: YamlMap): YamlMap => {
          const planned = planChart(
            { chart, chartDiagnostics: [], userValues, settings: all },
            createRelocator(all),
          );
          return buildOverride(planned.values, planned.plan.edits);
        };
        const once = plan(createYamlMap());
        expect(plan(once)).toEqual(createYamlMap());
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test("only strings and nulls that were there are set, each to another string, and types stay", async () => {
    await fc.assert(
      fc.asyncProperty(anyValues, targets, changes, async (values, target, settings) => {
        const text = dumpYaml(values);
        const { sites } = await discoverIn(text);
        const override = buildOverride(yamlMap(text), planMoves(sites, relocatorFor(target, settings)).edits);
        for (const [path, to] of leavesOf(override)) {
          const from = getAt(yamlMap(text), path);
          expect(from === null || typeof from === typeof to, `${path.join(".")} exists`).toBe(true);
          if (from !== to) expect(typeof to).toBe("string");
          if (from === to) expect(path.some((step) => typeof step === "number")).toBe(true);
        }
      }),
      { seed: 12, numRuns: 1000 },
    );
  });

  test("an image out of scope is read the same with the override", async () => {
    await fc.assert(
      fc.asyncProperty(anyValues, targets, changes, async (values, target, settings) => {
        const relocator = relocatorFor(target, settings);
        const { sites } = await discoverIn(dumpYaml(values));
        const plan = planMoves(sites, relocator);
        const after = await discoverIn(dumpYaml(mergeMaps(values, buildOverride(values, plan.edits))));
        const stays = plan.images.filter(({ scope }) => scope !== "in-scope");
        for (const { site } of stays) {
          const same = after.sites.find((other) => JSON.stringify(other.path) === JSON.stringify(site.path));
          expect(same?.text).toBe(site.text);
        }
      }),
      { seed: 13, numRuns: 500 },
    );
  });
});

function leavesOf(
  value: YamlValue,
  path: readonly (string | number)[] = [],
): [(string | number)[], YamlValue][] {
  if (Array.isArray(value)) {
    return value.flatMap((item: YamlValue, index) => leavesOf(item, [...path, index]));
  }
  if (isYamlMap(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [[[...path], value]];
}
