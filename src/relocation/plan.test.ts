import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discoverIn, relocatorFor } from "../../test/support/relocation.ts";
import { formatReference, parseReference } from "../reference/reference.ts";
import { formatValuePath } from "../yaml/value-path.ts";
import type { ImageSite, NameLeaf } from "./discover/image-site.ts";
import { planMoves, type Plan } from "./plan.ts";
import { parseExcludedRegistries, parseSourceRegistries } from "./registry-selection.ts";
import type { RelocationSettings } from "./relocator.ts";

type Changes = Partial<RelocationSettings>;

const ecr = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";

async function planOf(values: string, target?: string, changes?: Changes): Promise<Plan> {
  const { sites } = await discoverIn(values);
  return planMoves(sites, relocatorFor(target, changes));
}

function editsOf({ edits }: Plan): string[] {
  return edits.map(({ path, to }) => `${formatValuePath(path)}: ${to}`);
}

function obstaclesOf({ images }: Plan): (string | undefined)[] {
  return images.map(({ obstacle }) => obstacle);
}

describe("the fewest leaves", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "the registry alone, where the path stays",
      "image: {registry: docker.io, repository: bitnami/redis, tag: '7'}",
      ["image.registry: registry.lan/dockerio"],
    ],
    [
      "the repository alone, where it holds the host",
      "image: {repository: quay.io/a/b, tag: '1'}",
      ["image.repository: registry.lan/quayio/a/b"],
    ],
    [
      "the repository alone, where there is no registry key",
      "image: {repository: nginx, tag: '1'}",
      ["image.repository: registry.lan/dockerio/library/nginx"],
    ],
    [
      "an empty registry takes library/ too",
      "image: {registry: '', repository: nginx, tag: '1'}",
      ["image.registry: registry.lan/dockerio/library"],
    ],
    [
      "a null registry",
      "image: {registry: ~, repository: bitnami/redis, tag: '1'}",
      ["image.registry: registry.lan/dockerio"],
    ],
    [
      "one registry for many images",
      "global: {imageRegistry: quay.io}\na: {image: {repository: a, tag: '1'}}\nb: {image: {repository: o/b, tag: '1'}}",
      ["global.imageRegistry: registry.lan/quayio"],
    ],
    [
      "registry, namespace and name",
      "imageRegistry: quay.io\nimageNamespace: jetstack\nimage: {name: controller, tag: '1'}",
      ["imageRegistry: registry.lan/quayio"],
    ],
    ["a string keeps its tag", "image: quay.io/a/b:1.10", ["image: registry.lan/quayio/a/b:1.10"]],
    [
      "a string keeps its digest",
      `image: quay.io/a/b@sha256:${"12".repeat(32)}`,
      [`image: registry.lan/quayio/a/b@sha256:${"12".repeat(32)}`],
    ],
    [
      "an argument keeps its flag",
      "args: [--image=quay.io/a/b:1]",
      ["args[0]: --image=registry.lan/quayio/a/b:1"],
    ],
    [
      "a registry keeps its last slash",
      "image: {registry: quay.io/, repository: a/b, tag: '1'}",
      ["image.registry: registry.lan/quayio/"],
    ],
    [
      "repository@sha256 keeps what follows the name",
      `image: {repository: quay.io/a/b@sha256, tag: '${"12".repeat(32)}'}`,
      ["image.repository: registry.lan/quayio/a/b@sha256"],
    ],
    [
      "a registry with a path",
      "image: {registry: ghcr.io/org, repository: app, tag: '1'}",
      ["image.registry: registry.lan/ghcrio/org"],
    ],
    [
      "repository and image",
      "driver: {repository: nvcr.io/nvidia, image: driver, version: '5'}",
      ["driver.repository: registry.lan/nvcrio/nvidia"],
    ],
    ["nothing for an image at the target", "image: registry.lan/quayio/a/b:1", []],
    ["nothing for no image", "replicas: 1", []],
  ])("%s", async (_name, values, expected) => {
    const plan = await planOf(values);
    expect(editsOf(plan)).toEqual(expected);
    expect(plan.diagnostics).toEqual([]);
  });

  test("the host alone and each path, where images that share a registry go apart", async () => {
    const values = `global: {imageRegistry: docker.io}
a: {image: {repository: nginx, tag: '1'}}
b: {image: {repository: bitnami/redis, tag: '1'}}`;
    const plan = await planOf(values, ecr);
    expect(editsOf(plan)).toEqual([
      `global.imageRegistry: ${ecr}`,
      "a.image.repository: dockerio/library/nginx",
      "b.image.repository: dockerio/bitnami/redis",
    ]);
  });

  test("the host alone and the path, where the path changes too", async () => {
    const values = "image: {registry: docker.io, repository: library/nginx, tag: '1'}";
    const plan = await planOf(values, "registry.lan", { library: "never" });
    expect(editsOf(plan)).toEqual(["image.registry: registry.lan", "image.repository: dockerio/nginx"]);
  });

  test("every strategy's target comes out", async () => {
    const values = "image: {registry: quay.io, repository: a/b, tag: '1'}";
    expect(editsOf(await planOf(values, "r.lan:5000/x", { strategy: "flat" }))).toEqual([
      "image.registry: r.lan:5000/x",
    ]);
    expect(editsOf(await planOf(values, "r.lan:5000/x", { strategy: "keep-registry" }))).toEqual([
      "image.registry: r.lan:5000/x/quay.io",
    ]);
  });
});

describe("images that stay", () => {
  const shared = `global: {imageRegistry: docker.io}
a: {image: {repository: library/nginx, tag: '1'}}
b: {image: {repository: nginx, tag: '1'}}`;

  test.each<[string, Changes]>([
    ["out of scope", { sources: parseSourceRegistries(["quay.io"]) }],
    ["excluded", { excluded: parseExcludedRegistries(["docker.io"]) }],
  ])("%s: no leaf is set", async (_name, changes) => {
    const plan = await planOf(shared, "registry.lan", changes);
    expect(plan).toMatchObject({ edits: [], diagnostics: [] });
    expect(plan.images.every(({ relocation }) => relocation === undefined)).toBe(true);
  });

  test("a leaf that also makes an image out of scope is not set", () => {
    const registry = leaf("global.registry", "quay.io/");
    const sites = [
      site("quay.io/a:1", registry, leaf("a", "a")),
      { ...site("ghcr.io/b:1", registry, leaf("b", "b")) },
    ];
    const plan = planMoves(sites, relocatorFor("registry.lan", { sources: new Set(["quay.io"]) }));
    expect(plan.edits).toEqual([]);
    expect(obstaclesOf(plan)).toEqual([
      "global.registry also makes ghcr.io/b:1, which stays where it is",
      undefined,
    ]);
    expect(plan.diagnostics).toMatchObject([{ code: "image-not-moved", severity: "error" }]);
  });

  test("two images that want one leaf otherwise both stay", () => {
    const plan = planMoves(
      [site("quay.io/a:1", leaf("x", "a")), site("ghcr.io/a:1", leaf("x", "a"))],
      relocatorFor(),
    );
    const obstacle = "x would have to be registry.lan/quayio/a and registry.lan/ghcrio/a at once";
    expect(plan.edits).toEqual([]);
    expect(obstaclesOf(plan)).toEqual([obstacle, obstacle]);
  });

  test("an image that hangs on one that cannot move stays with it", () => {
    const registry = leaf("registry", "quay.io");
    const sites = [
      site("quay.io/a:1", registry, leaf("a", "a")),
      site("quay.io/b:1", registry, leaf("b", "b")),
      site("ghcr.io/c:1", leaf("c", "ghcr.io/c")),
    ];
    const plan = planMoves(sites, relocatorFor(), ([key]) =>
      key === "registry" ? "it is fixed" : undefined,
    );
    expect(editsOf(plan)).toEqual(["c: registry.lan/ghcrio/c"]);
    expect(obstaclesOf(plan)).toEqual(["it is fixed", "it is fixed", undefined]);
  });

  test("a name with more leaves than the target has parts stays", () => {
    const sites = [
      site("docker.io/library/nginx:1", leaf("r", "docker.io"), leaf("n", "library"), leaf("i", "nginx")),
    ];
    const plan = planMoves(sites, relocatorFor("registry.lan", { strategy: "flat", library: "never" }));
    expect(plan.edits).toEqual([]);
    expect(obstaclesOf(plan)).toEqual([
      "the values that make it have more parts than its name at the target",
    ]);
  });

  test("a broken rule of the target names the value path and the rule, and stops who shares the leaf", async () => {
    const values = `global: {imageRegistry: quay.io}
a: {image: {repository: a/b__c, tag: '1'}}
b: {image: {repository: a/d, tag: '1'}}
c: {image: ghcr.io/e:1}`;
    const plan = await planOf(values, ecr);
    expect(editsOf(plan)).toEqual([`c.image: ${ecr}/ghcrio/e:1`]);
    expect(plan.diagnostics).toMatchObject([
      { code: "target-rule-broken", where: { valuePath: "a.image" }, severity: "error" },
      { code: "image-not-moved", where: { valuePath: "b.image" }, severity: "error" },
    ]);
    expect(plan.diagnostics[0]?.message).toContain("(rule ecr-");
  });
});

function leaf(path: string, text: string): NameLeaf {
  return { path: path.split("."), text: text.replace(/\/$/u, ""), prefix: "", suffix: "" };
}

function site(text: string, first: NameLeaf, ...rest: readonly NameLeaf[]): ImageSite {
  const name: ImageSite["name"] = [first, ...rest];
  return { path: ["at", text], name, versions: [], reference: parseReference(text), text, enabled: true };
}

const component = fc.constantFrom("a", "nginx", "org", "b-c", "library", "x1");
const host = fc.constantFrom("", "docker.io", "quay.io", "ghcr.io", "r.example:5000");

/** Sites over a few leaves that they share at random, each with a text that its leaves spell. */
const sitesOverLeaves = fc
  .record({
    registries: fc.array(host, { minLength: 1, maxLength: 3 }),
    paths: fc.array(fc.array(component, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    picks: fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.boolean()), { minLength: 1, maxLength: 6 }),
  })
  .map(({ registries, paths, picks }) =>
    picks.flatMap(([registryPick, pathPick, isSplit], index): ImageSite[] => {
      const registry = registries[registryPick % registries.length] ?? "";
      const parts = paths[pathPick % paths.length] ?? ["a"];
      const registryLeaf = leaf(`registry${registryPick % registries.length}`, registry);
      const names = isSplit
        ? parts.map((part, depth) => leaf(`path${pathPick % paths.length}-${depth}`, part))
        : [leaf(`path${pathPick % paths.length}`, parts.join("/"))];
      const text = [registry, ...parts].filter((part) => part !== "").join("/");
      return [{ ...site(text, registryLeaf, ...names), path: ["site", index] }];
    }),
  );

describe("for any sharing of leaves", () => {
  const settings = fc.record({
    target: fc.constantFrom("registry.lan", "registry.lan:5000/base", ecr),
    changes: fc.record({
      strategy: fc.constantFrom("prefix-source-registry", "flat", "keep-registry"),
      library: fc.constantFrom("table", "always", "never"),
      sources: fc.constantFrom("all", new Set(["docker.io", "quay.io"])),
    }) as fc.Arbitrary<Changes>,
  });

  test("who moves is spelled as planned, who does not move is as before, and planning again gives the same", () => {
    fc.assert(
      fc.property(sitesOverLeaves, settings, (sites, { target, changes }) => {
        const relocator = relocatorFor(target, changes);
        const plan = planMoves(sites, relocator);
        expect(planMoves(sites, relocator)).toEqual(plan);
        const texts = new Map(plan.edits.map(({ path, to }) => [formatValuePath(path), to]));
        for (const { site, relocation, obstacle } of plan.images) {
          const spelled = site.name
            .map(({ path, text }) => texts.get(formatValuePath(path)) ?? text)
            .filter((text) => text !== "")
            .join("/");
          const moves = relocation !== undefined && obstacle === undefined;
          expect(spelled).toBe(moves ? formatReference({ ...relocation.reference }) : site.text);
        }
        expect(texts.size).toBe(plan.edits.length);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
