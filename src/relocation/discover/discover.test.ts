import { describe, expect, test } from "vitest";
import { chartYaml } from "../../../test/support/chart-files.ts";
import { describeFound } from "../../../test/support/found-images.ts";
import { describeSite, discoverIn } from "../../../test/support/relocation.ts";

describeFound("the shapes of document 002, §6.1", [
  {
    name: "a map with registry, repository and tag",
    values: "image: {registry: quay.io, repository: org/app, tag: v1, pullPolicy: Always}",
    found: ["quay.io/org/app:v1 <- image.registry + image.repository"],
  },
  {
    name: "a map with repository and tag",
    values: "image: {repository: nginx, tag: '1.10'}",
    found: ["nginx:1.10 <- image.repository"],
  },
  {
    name: "such a map under any key",
    values: "sidecar: {repository: fluent/fluent-bit, tag: '3'}",
    found: ["fluent/fluent-bit:3 <- sidecar.repository"],
  },
  {
    name: "such a map at the root",
    values: "repository: nginx\ntag: '1'",
    found: ["nginx:1 <- repository"],
  },
  {
    name: "a string under image",
    values: "image: myrepo/myimage:tag",
    found: ["myrepo/myimage:tag <- image"],
  },
  {
    name: "a bare name under image",
    values: "image: nginx",
    found: ["nginx <- image"],
  },
  {
    name: "an image in a list of maps",
    values: "sidecars: [{name: log, image: quay.io/a/log:1}, {image: {repository: b, tag: '2'}}]",
    found: ["quay.io/a/log:1 <- sidecars[0].image", "b:2 <- sidecars[1].image.repository"],
  },
  {
    name: "an image in a list of lists",
    values: "groups: [[{image: quay.io/a/b:1}]]",
    found: ["quay.io/a/b:1 <- groups[0][0].image"],
  },
  {
    name: "a list of references under an image key",
    values: "extraImages: [quay.io/a/b:1, 'ghcr.io/c/d:2']",
    found: ["quay.io/a/b:1 <- extraImages[0]", "ghcr.io/c/d:2 <- extraImages[1]"],
  },
]);

describe("template code in values", () => {
  test.each([
    ["a string image", "image: '{{ .Values.registry }}/app:1'", "image"],
    ["a repository", "image: {repository: '{{ .Values.repo }}', tag: '1'}", "image.repository"],
    ["a registry", "image: {registry: '{{ .Values.r }}', repository: a/b, tag: '1'}", "image.registry"],
    ["a tag", "image: {repository: quay.io/a/b, tag: '{{ .Chart.AppVersion }}'}", "image.tag"],
    ["a list entry", "sidecars: [{image: 'quay.io/a/b:{{ .Chart.AppVersion }}'}]", "sidecars[0].image"],
  ])("%s is reported with its path and never read", async (_name, values, valuePath) => {
    const { diagnostics, unparsable } = await discoverIn(values);
    expect(diagnostics).toMatchObject([
      { code: "template-in-value", where: { valuePath }, unsupported: true },
    ]);
    expect(unparsable).toEqual([]);
  });

  test("a template that makes no image is not reported", async () => {
    expect((await discoverIn("host: '{{ .Release.Name }}.example.com'")).diagnostics).toEqual([]);
  });
});

describe("unsupported structures of document 002, §6.1.1", () => {
  test.each([
    ["a float tag", "image: {repository: nginx, tag: 1.10}", "image.tag", "nginx:1.1"],
    ["an integer tag", "image: {repository: postgres, tag: 16}", "image.tag", "postgres:16"],
    ["a boolean tag", "image: {repository: a, tag: yes}", "image.tag", "a:true"],
    ["an integer tag beside a string", "image: quay.io/a/b\ntag: 3", "tag", "quay.io/a/b:3"],
    ["split keys", "image: {name: app, tag: '1'}", "image", "app:1"],
    ["prefixed keys", "workerImageRepository: a/b\nworkerImageTag: '1'", "", "a/b:1"],
  ])("%s is found, and reported", async (_name, values, valuePath, text) => {
    const { sites, diagnostics } = await discoverIn(values);
    expect(sites.map((site) => site.text)).toEqual([text]);
    expect(diagnostics).toMatchObject([
      { code: "unsupported-structure", where: { valuePath }, unsupported: true },
    ]);
  });

  test.each([
    ["registry, repository, tag", "image: {registry: quay.io, repository: a/b, tag: '1'}"],
    ["a string", "image: a/b:1"],
    ["a quoted number", "image: {repository: a, tag: '16'}"],
  ])("%s is supported", async (_name, values) => {
    expect((await discoverIn(values)).diagnostics).toEqual([]);
  });
});

describe("unparsable references", () => {
  test.each([
    ["two colons", "image: 'invalid::image'", "image", "invalid::image"],
    ["capitals in a path", "image: Nginx:1", "image", "Nginx:1"],
    ["a repository with capitals", "image: {repository: a/B, tag: '1'}", "image.repository", "a/B:1"],
    ["a host without a path", "image: quay.io/", "image", "quay.io/"],
  ])("%s", async (_name, values, path, text) => {
    const { sites, unparsable, diagnostics } = await discoverIn(values);
    expect(sites).toEqual([]);
    expect(unparsable).toMatchObject([{ path: path.split("."), text }]);
    expect(diagnostics).toMatchObject([
      {
        code: "reference-unparsable",
        severity: "warning",
        message: `Cannot parse image reference '${text}': invalid format`,
        where: { valuePath: path },
        unsupported: true,
      },
    ]);
  });

  test("a tag that is none is reported, and the image still found", async () => {
    const { sites, unparsable, diagnostics } = await discoverIn("image: {repository: a/b, tag: v1+build}");
    expect(sites.map(describeSite)).toEqual(["a/b:v1+build <- image.repository"]);
    expect(unparsable).toEqual([]);
    expect(diagnostics).toMatchObject([
      { message: "Cannot parse image reference 'a/b:v1+build': invalid format" },
    ]);
  });
});

const subcharts = {
  "Chart.yaml": chartYaml(
    "app",
    `dependencies:
- {name: redis, version: 1.x.x, condition: redis.enabled}
- {name: redis, version: 1.x.x, alias: cache}
`,
  ),
  "charts/redis/Chart.yaml": chartYaml("redis"),
  "charts/redis/values.yaml": "image: {registry: docker.io, repository: bitnami/redis, tag: '7'}\n",
  "charts/redis/charts/metrics/Chart.yaml": chartYaml("metrics"),
  "charts/redis/charts/metrics/values.yaml": "image: quay.io/a/metrics:1\n",
};

describe("subcharts", () => {
  test("each alias has its images, three levels deep, and a disabled one is marked", async () => {
    const { sites } = await discoverIn("redis: {enabled: false}\n", { files: subcharts });
    expect(sites.map((site) => [describeSite(site), site.enabled])).toEqual([
      ["docker.io/bitnami/redis:7 <- redis.image.registry + redis.image.repository", false],
      ["quay.io/a/metrics:1 <- redis.metrics.image", false],
      ["docker.io/bitnami/redis:7 <- cache.image.registry + cache.image.repository", true],
      ["quay.io/a/metrics:1 <- cache.metrics.image", true],
    ]);
  });

  test("a parent's value beats the subchart's", async () => {
    const values = "redis: {image: {repository: me/redis}}\ncache: {metrics: {image: ghcr.io/me/m:2}}\n";
    const { sites } = await discoverIn(values, { files: subcharts });
    expect(sites.map(describeSite)).toEqual([
      "docker.io/me/redis:7 <- redis.image.registry + redis.image.repository",
      "quay.io/a/metrics:1 <- redis.metrics.image",
      "ghcr.io/me/m:2 <- cache.metrics.image",
      "docker.io/bitnami/redis:7 <- cache.image.registry + cache.image.repository",
    ]);
  });

  test("an image among the globals is found once", async () => {
    const { sites } = await discoverIn("global: {image: {repository: quay.io/a/b, tag: '1'}}\n", {
      files: subcharts,
    });
    expect(sites.filter(({ text }) => text === "quay.io/a/b:1").map(describeSite)).toEqual([
      "quay.io/a/b:1 <- global.image.repository",
    ]);
  });

  test("an image that a subchart adds to the globals is its own", async () => {
    const files = {
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/values.yaml": "global: {jobImage: quay.io/a/job:1}\n",
    };
    const { sites } = await discoverIn("global: {jobs: true}\n", { files });
    expect(sites.map(describeSite)).toEqual(["quay.io/a/job:1 <- web.global.jobImage"]);
  });

  test("what a subchart adds to the globals of its own subchart is found once", async () => {
    const files = {
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/values.yaml": "global: {jobImage: quay.io/a/job:1}\n",
      "charts/web/charts/api/Chart.yaml": chartYaml("api"),
    };
    const { sites } = await discoverIn("", { files });
    expect(sites.map(describeSite)).toEqual(["quay.io/a/job:1 <- web.global.jobImage"]);
  });

  test("a subchart's images take the registry of the globals", async () => {
    const files = {
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/values.yaml": "image: {registry: '', repository: web, tag: '1'}\n",
    };
    const { sites } = await discoverIn("global: {imageRegistry: quay.io}\n", { files });
    expect(sites.map(describeSite)).toEqual(["quay.io/web:1 <- global.imageRegistry + web.image.repository"]);
  });
});

describe("names of the user's configuration", () => {
  test("make a leaf an image whatever its key is", async () => {
    const { sites } = await discoverIn("runner: {ref: acme/runner:1, other: acme/other:1}", {
      isNamedImage: (path) => path === "runner.ref",
    });
    expect(sites.map(describeSite)).toEqual(["acme/runner:1 <- runner.ref"]);
  });
});

test("keys such as __proto__ and constructor are keys like others", async () => {
  const { sites } = await discoverIn(
    "__proto__: {image: quay.io/a/b:1}\nconstructor: {image: {repository: quay.io/c/d, tag: '1'}}",
  );
  expect(sites.map(({ text }) => text)).toEqual(["quay.io/a/b:1", "quay.io/c/d:1"]);
});
