import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatReference, parseReference, tryParseReference } from "../reference/reference.ts";
import { parseExcludedRegistries, parseSourceRegistries } from "./registry-selection.ts";
import { createRelocator, type RelocationSettings, type SourceRule } from "./relocator.ts";
import { findCollisions, findSpellings, type Collision } from "./repository-identity.ts";
import { strategyNames } from "./strategy/strategies.ts";
import { libraryRules } from "./strategy/library.ts";
import type { StrategyName } from "./strategy/strategy.ts";
import { parseTargetRegistry } from "./target-registry.ts";

const digest = `sha256:${"1234".repeat(16)}`;

function settingsFor(target: string, changes: Partial<RelocationSettings> = {}): RelocationSettings {
  return {
    target: parseTargetRegistry(target),
    sources: "all",
    excluded: [],
    strategy: "prefix-source-registry",
    library: "table",
    perSource: new Map(),
    ...changes,
  };
}

function move(settings: RelocationSettings, text: string): string {
  return formatReference(createRelocator(settings).relocate(parseReference(text)).reference);
}

describe("the matrix of document 002, §7.2, and the examples of §8", () => {
  const target = "myharbor.internal:5000";
  test.each([
    ["Standard", "docker.io/nginx:1.23", `${target}/dockerio/nginx:1.23`],
    ["Nested Path", "quay.io/project/img:v4.2", `${target}/quayio/project/img:v4.2`],
    ["Implicit Registry", "alpine:3.18", `${target}/dockerio/library/alpine:3.18`],
    [
      "Digest-based",
      `quay.io/prometheus/prometheus@${digest}`,
      `${target}/quayio/prometheus/prometheus@${digest}`,
    ],
    ["Docker Library", "postgres:14", `${target}/dockerio/library/postgres:14`],
    ["§8.1, first", "docker.io/bitnami/redis:latest", `${target}/dockerio/bitnami/redis:latest`],
    ["§8.1, second", "nginx:latest", `${target}/dockerio/library/nginx:latest`],
    ["tag and digest stay", `quay.io/a/b:v1@${digest}`, `${target}/quayio/a/b:v1@${digest}`],
    ["no tag stays none", "quay.io/a/b", `${target}/quayio/a/b`],
  ])("%s", (_name, source, expected) => {
    expect(move(settingsFor(target), source)).toBe(expected);
  });

  test("§8.2, flat under a base path", () => {
    const settings = settingsFor(`${target}/proxied-images`, { strategy: "flat" });
    expect(move(settings, "docker.io/bitnami/redis:latest")).toBe(
      `${target}/proxied-images/bitnami/redis:latest`,
    );
  });

  test("ECR gets library/ for each official image", () => {
    const ecr = "123456789012.dkr.ecr.us-east-1.amazonaws.com";
    expect(move(settingsFor(ecr), "docker.io/nginx:1.23")).toBe(`${ecr}/dockerio/library/nginx:1.23`);
  });
});

describe("a rule for one source", () => {
  test.each<[string, SourceRule, string]>([
    ["a strategy", { strategy: "keep-registry" }, "harbor.lan/base/quay.io/org/app:1"],
    ["a path in place of the base path", { targetPath: "quay-proxy" }, "harbor.lan/quay-proxy/org/app:1"],
    [
      "a path and a strategy",
      { targetPath: "all", strategy: "prefix-source-registry" },
      "harbor.lan/all/quayio/org/app:1",
    ],
    ["another registry", { target: parseTargetRegistry("other.lan:5000/q") }, "other.lan:5000/q/org/app:1"],
  ])("%s", (_name, rule, expected) => {
    const settings = settingsFor("harbor.lan/base", { perSource: new Map([["quay.io", rule]]) });
    expect(move(settings, "quay.io/org/app:1")).toBe(expected);
    expect(move(settings, "quay.io:443/org/app:1")).toBe(expected);
    expect(move(settings, "ghcr.io/org/app:1")).toBe("harbor.lan/base/ghcrio/org/app:1");
    expect(createRelocator(settings).scopeOf(parseReference(expected))).toBe("at-target");
  });

  test("the target's type holds for the whole host", () => {
    const target = { ...parseTargetRegistry("registry.lan"), type: "harbor" as const };
    const rule = { target: parseTargetRegistry("registry.lan/a--b") };
    const settings = settingsFor("registry.lan", { target, perSource: new Map([["quay.io", rule]]) });
    const { violations } = createRelocator(settings).relocate(parseReference("quay.io/app"));
    expect(violations.map((violation) => violation.rule)).toEqual(["harbor-project"]);
  });
});

describe("scopeOf", () => {
  const settings = settingsFor("registry.lan:5000/mirror", {
    sources: parseSourceRegistries(["docker.io:443", "Quay.io", "registry.lan", "internal.example.com"]),
    excluded: parseExcludedRegistries(["*.example.com", "cr.private-domain.io:8443"]),
  });
  test.each([
    ["in-scope", "nginx"],
    ["in-scope", "index.docker.io/nginx"],
    ["in-scope", "registry.hub.docker.com/library/nginx"],
    ["in-scope", "quay.io:8443/a/b"],
    ["in-scope", "QUAY.io/a/b"],
    ["in-scope", "registry.lan:5000/other/app"],
    ["in-scope", "registry.lan:5000/mirrored/app"],
    ["in-scope", "registry.lan/mirror/app"],
    ["at-target", "registry.lan:5000/mirror/app"],
    ["at-target", "Registry.LAN:5000/mirror/app"],
    ["out-of-scope", "gcr.io/a/b"],
    ["excluded", "internal.example.com/a"],
    ["excluded", "internal.example.com:5000/a"],
    ["excluded", "cr.private-domain.io/a"],
  ])("%s: %s", (expected, text) => {
    expect(createRelocator(settings).scopeOf(parseReference(text))).toBe(expected);
  });

  test("every registry is a source under *", () => {
    const all = settingsFor("registry.lan", { sources: parseSourceRegistries(["quay.io", "*"]) });
    expect(createRelocator(all).scopeOf(parseReference("r.example.org/a"))).toBe("in-scope");
  });

  test("at-target comes before excluded", () => {
    const both = settingsFor("registry.lan", { excluded: parseExcludedRegistries(["registry.lan"]) });
    expect(createRelocator(both).scopeOf(parseReference("registry.lan/a"))).toBe("at-target");
  });
});

test.each([
  ["foo;bar", "Invalid source registry 'foo;bar': contains illegal characters"],
  ["quay.io/org", "Invalid source registry 'quay.io/org': contains illegal characters"],
])("a source registry %s is refused", (text, message) => {
  expect(() => parseSourceRegistries([text])).toThrow(message);
});

test.each([
  ["illegal characters", "foo;bar", "Invalid excluded registry 'foo;bar': contains illegal characters"],
  ["an empty text", "", "Invalid excluded registry '': is empty"],
  ["321 characters", "a".repeat(321), "is too long"],
])("an excluded registry is refused: %s", (_name, text, message) => {
  expect(() => parseExcludedRegistries([text])).toThrow(message);
});

test("a relocated image parses to itself and is at the target", () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,3})?$/u);
  const host = fc.oneof(
    fc.constantFrom("", "docker.io/", "index.docker.io/", "localhost/", "[::1]:5000/", "[2001:DB8::1]/"),
    fc.tuple(label, label, fc.constantFrom("", ":5000")).map(([a, b, port]) => `${a}.${b}${port}/`),
  );
  const path = fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const suffix = fc.constantFrom("", ":1.10", `@${digest}`, `:v1@${digest}`);
  const targets = fc.constantFrom("harbor.lan", "r.lan:5000/a/b", "[::1]:5000/x", "docker.io/acme", "r:1");
  fc.assert(
    fc.property(
      host,
      path,
      suffix,
      targets,
      fc.constantFrom(...strategyNames),
      fc.constantFrom(...libraryRules),
      (registry, name, rest, target, strategy, library) => {
        const source = tryParseReference(registry + name + rest);
        fc.pre(source !== undefined);
        const relocator = createRelocator(settingsFor(target, { strategy, library }));
        const { reference, violations } = relocator.relocate(source);
        expect(reference.tag).toBe(source.tag);
        expect(reference.digest).toBe(source.digest);
        expect(parseReference(formatReference(reference))).toEqual(reference);
        expect(relocator.scopeOf(reference)).toBe("at-target");
        expect(violations.map(({ rule }) => rule)).not.toContain("path-grammar");
      },
    ),
    { seed: 3, numRuns: 2000 },
  );
});

function collisions(strategy: StrategyName, ...texts: readonly string[]): readonly Collision[] {
  const relocator = createRelocator(settingsFor("r.lan", { strategy }));
  const sources = texts.map(parseReference);
  return findCollisions(sources.map((source) => ({ source, target: relocator.relocate(source).reference })));
}

describe("findCollisions", () => {
  test.each([
    ["one image twice", "flat", ["nginx:1", "nginx:2"]],
    ["two spellings of one image", "flat", ["docker.io/bitnami/redis", "bitnami/redis"]],
    ["Docker Hub's hosts", "flat", ["index.docker.io/a/b", "registry.hub.docker.com/a/b"]],
    ["different registries with a prefix", "prefix-source-registry", ["quay.io/a/b", "ghcr.io/a/b"]],
    ["the port counts under keep-registry", "keep-registry", ["r.io:1/a", "r.io:2/a"]],
  ] as const)("none: %s", (_name, strategy, texts) => {
    expect(collisions(strategy, ...texts)).toEqual([]);
  });

  test.each([
    [
      "flat drops the registry",
      "flat",
      ["docker.io/library/nginx:1", "quay.io/library/nginx:2"],
      [{ target: "r.lan/library/nginx", sources: ["docker.io/library/nginx", "quay.io/library/nginx"] }],
    ],
    [
      "removed dots",
      "prefix-source-registry",
      ["g.cr.io/a", "gcr.io/a", "gcr.io/b"],
      [{ target: "r.lan/gcrio/a", sources: ["g.cr.io/a", "gcr.io/a"] }],
    ],
    [
      "removed ports",
      "prefix-source-registry",
      ["m.lan:5000/a", "m.lan:6000/a"],
      [{ target: "r.lan/mlan/a", sources: ["m.lan:5000/a", "m.lan:6000/a"] }],
    ],
  ] as const)("%s", (_name, strategy, texts, expected) => {
    expect(collisions(strategy, ...texts)).toEqual(expected);
  });
});

test("findSpellings groups the ways one repository is written", () => {
  const texts = ["docker.io/nginx:1", "nginx:2", "nginx:3", "quay.io/a/b", "quay.io/a/b:2", "redis"];
  expect(findSpellings(texts.map(parseReference))).toEqual([
    { repository: "docker.io/library/nginx", spellings: ["docker.io/nginx", "nginx"] },
  ]);
});
