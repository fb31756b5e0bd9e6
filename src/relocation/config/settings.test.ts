import { describe, expect, test } from "vitest";
import type { FairleadError } from "../../core/error.ts";
import { parseSourceRegistries } from "../registry-selection.ts";
import { parseTargetRegistry } from "../target-registry.ts";
import { mergeSettings, type SettingsLayer } from "./settings.ts";

const target = parseTargetRegistry("r.lan");
const sources = parseSourceRegistries(["docker.io"]);

describe("mergeSettings", () => {
  test("defaults", () => {
    expect(mergeSettings({ target, sources })).toEqual({
      relocation: {
        target,
        sources,
        excluded: [],
        strategy: "prefix-source-registry",
        library: "table",
        perSource: new Map(),
      },
      threshold: 100,
      strict: false,
      imageKeys: [],
    });
  });

  test.each<[string, SettingsLayer, SettingsLayer, SettingsLayer, string]>([
    ["flags", { target: parseTargetRegistry("a.lan") }, { target }, { target }, "a.lan"],
    ["mappings", {}, { target }, { target: parseTargetRegistry("b.lan") }, "b.lan"],
    ["the configuration", {}, { target: parseTargetRegistry("c.lan") }, {}, "c.lan"],
  ])("%s win", (_name, flags, config, mappings, host) => {
    const { relocation } = mergeSettings({ ...flags, sources }, config, mappings);
    expect(relocation.target.host).toBe(host);
  });

  test("a stronger layer's false, zero and empty list stand", () => {
    const config = { target, sources, strict: true, threshold: 98, excluded: ["a.lan"], imageKeys: ["x"] };
    const settings = mergeSettings({ strict: false, threshold: 0, excluded: [], imageKeys: [] }, config);
    expect(settings).toMatchObject({ strict: false, threshold: 0, imageKeys: [] });
    expect(settings.relocation.excluded).toEqual([]);
  });

  test("a target of each source's own makes a general one needless", () => {
    const perSource = new Map([["quay.io", { target }]]);
    expect(mergeSettings({}, {}, { perSource }).relocation.target).toEqual(target);
    const both = new Set(["quay.io", "ghcr.io"]);
    expect(() => mergeSettings({ sources: both }, {}, { perSource })).toThrow("No target registry is given");
    expect(() => mergeSettings({ sources: "all" }, {}, { perSource })).toThrow("No target registry is given");
  });

  test("the type from one layer meets the target from another", () => {
    expect(mergeSettings({ targetType: "harbor" }, { target, sources }).relocation.target.type).toBe(
      "harbor",
    );
  });

  test("rules for single sources are joined, and the stronger rule stands whole", () => {
    const config = new Map([
      ["quay.io", { strategy: "flat" as const, targetPath: "q" }],
      ["ghcr.io", { strategy: "flat" as const }],
    ]);
    const mappings = new Map([["quay.io", { target }]]);
    const { relocation } = mergeSettings({ target, sources }, { perSource: config }, { perSource: mappings });
    expect(relocation.perSource).toEqual(
      new Map<string, unknown>([
        ["quay.io", { target }],
        ["ghcr.io", { strategy: "flat" }],
      ]),
    );
  });

  test("sources that nobody lists are those with a rule", () => {
    const { relocation } = mergeSettings({ target }, {}, { perSource: new Map([["quay.io", { target }]]) });
    expect(relocation.sources).toEqual(new Set(["quay.io"]));
  });

  test.each<[string, SettingsLayer, SettingsLayer, string, string]>([
    ["no target", { sources }, {}, "No target registry is given", "--target-registry"],
    ["no source", { target }, {}, "No source registry is given", "--source-registries"],
    [
      "an empty list of sources",
      { target, sources: new Set() },
      {},
      "No source registry",
      "--source-registries",
    ],
    [
      "a source without a mapping under strictMode",
      { target, sources },
      { requireRule: true, perSource: new Map([["quay.io", { target }]]) },
      "has no enabled mapping for docker.io",
      "Add a mapping",
    ],
    [
      "every source under strictMode",
      { target, sources: "all" },
      { requireRule: true, perSource: new Map([["quay.io", { target }]]) },
      "has no enabled mapping for *",
      "Add a mapping",
    ],
  ])("refuses %s", (_name, flags, mappings, message, hint) => {
    expect(() => mergeSettings(flags, {}, mappings)).toThrow(message);
    expect.assertions(3);
    try {
      mergeSettings(flags, {}, mappings);
    } catch (error) {
      expect((error as FairleadError).code).toBe("input-invalid");
      expect((error as FairleadError).hint).toContain(hint);
    }
  });
});
