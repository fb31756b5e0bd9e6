import { expect, test } from "vitest";
import { chartYaml } from "../../test/support/chart-files.ts";
import { chartOf, yamlMap } from "../../test/support/relocation.ts";
import { podTemplate, traceChart } from "../../test/support/traced-chart.ts";
import { createUserValueLocator } from "../helm/values/value-layer.ts";
import { listImages, type ChartImages } from "./list-images.ts";

const files = {
  "Chart.yaml": chartYaml("app", "dependencies: [{name: web, version: 1.x.x, condition: web.enabled}]\n"),
  "values.yaml": `web: {enabled: false}
a: {image: quay.io/a/b:1}
b: {image: {registry: quay.io, repository: a/b, tag: '1'}}
c: {image: '{{ .Values.x }}'}
d: {image: 'a::b'}
`,
  "charts/web/Chart.yaml": chartYaml("web"),
  "charts/web/values.yaml": "image: web:1\n",
};

test("each reference is listed once, with every place and whether it is on", async () => {
  const { chart, images, diagnostics } = listImages(
    { chart: await chartOf(files), diagnostics: [] },
    yamlMap(""),
  );
  expect(chart).toEqual({ name: "app", version: "1.0.0", path: "app" });
  expect(images).toMatchObject([
    {
      source: "web:1",
      enabled: false,
      spec: { dockerImage: { registry: "docker.io", name: "library/web", tag: "1" } },
    },
    {
      source: "quay.io/a/b:1",
      enabled: true,
      values: [
        { file: "app/values.yaml", line: 2, valuePath: "a.image" },
        { file: "app/values.yaml", line: 3, valuePath: "b.image" },
      ],
    },
  ]);
  expect(diagnostics).toMatchObject([
    { code: "template-in-value", where: { line: 4, valuePath: "c.image" } },
    { code: "reference-unparsable", where: { line: 5, valuePath: "d.image" } },
  ]);
});

test("the user's values switch subcharts on and change images", async () => {
  const user = yamlMap("web: {enabled: true, image: 'web:2'}");
  const { images } = listImages({ chart: await chartOf(files), diagnostics: [] }, user);
  expect(images).toContainEqual(expect.objectContaining({ source: "web:2", enabled: true }));
});

const rendered = {
  "Chart.yaml": chartYaml("app", "dependencies: [{name: web, version: 1.x.x, condition: web.enabled}]\n"),
  "values.yaml": `registry: quay.io
app: {image: {repository: org/app, tag: '1'}}
made: {image: "quay.io/org/made:{{ .Values.app.image.tag }}"}
other: {image: ghcr.io/org/other:2}
web: {enabled: false}
`,
  "templates/pods.yaml": `${podTemplate("{{ .Values.registry }}/{{ .Values.app.image.repository }}:{{ .Values.app.image.tag }}")}---
${podTemplate("{{ tpl .Values.made.image . }}")}---
${podTemplate("docker.io/library/busybox:1")}---
${podTemplate("Not::One")}`,
  "charts/web/Chart.yaml": chartYaml("web"),
  "charts/web/values.yaml": "image: web:1\n",
};

async function listRendered(user = "{}"): Promise<ChartImages> {
  const { root, rendering } = await traceChart(rendered, user);
  const layers = [{ values: yamlMap(user), file: "user.yaml", text: user }];
  const locateUserValue = createUserValueLocator(layers);
  return listImages({ chart: root.chart, diagnostics: [] }, yamlMap(user), { rendering, locateUserValue });
}

test("a rendering wins over what the values look like; what it does not show stays", async () => {
  const { images, diagnostics } = await listRendered();
  const brief = images.map(({ source, values, enabled, places }) => [
    source,
    values.map(({ valuePath }) => valuePath),
    enabled,
    places.length,
  ]);
  expect(brief).toEqual([
    ["quay.io/org/app:1", ["registry", "app.image"], true, 1],
    ["quay.io/org/made:1", ["made.image", "app.image.tag"], true, 1],
    ["docker.io/library/busybox:1", [], true, 1],
    ["ghcr.io/org/other:2", ["other.image"], true, 0],
    ["web:1", ["web.image"], false, 0],
  ]);
  expect(diagnostics.map(({ code, image }) => [code, image])).toEqual([["reference-unparsable", "Not::One"]]);
});

test("a place names the object, the field and the container", async () => {
  const { images } = await listRendered();
  expect(images[0]?.places[0]).toMatchObject({
    kind: "Pod",
    namespace: "",
    name: "web",
    field: "spec.containers[0].image",
    container: "main",
    form: "container",
    template: "app/templates/pods.yaml",
  });
});

test("a value that the user gives stands in the user's file, a map where the chart has it", async () => {
  const { images } = await listRendered("registry: ghcr.io\napp:\n  image:\n    tag: '9'\n");
  expect(images[0]?.values).toEqual([
    { file: "user.yaml", line: 1, column: 1, valuePath: "registry" },
    { file: "app/values.yaml", line: 2, column: 7, valuePath: "app.image" },
  ]);
  expect(images[0]?.places[0]?.origins.at(-1)).toMatchObject({
    part: "tag",
    path: "app.image.tag",
    file: "user.yaml",
    line: 4,
  });
});

test("a chart that does not render is listed by its values", async () => {
  const chart = await chartOf(files);
  const rendering = { ok: false, message: "something is required" } as const;
  const {
    images,
    rendered: isRendered,
    diagnostics,
  } = listImages({ chart, diagnostics: [] }, yamlMap(""), { rendering });
  expect(isRendered).toBe(false);
  expect(images.map(({ source }) => source)).toEqual(["web:1", "quay.io/a/b:1"]);
  expect(diagnostics).toContainEqual(
    expect.objectContaining({
      code: "not-rendered",
      severity: "warning",
      message:
        "the chart does not render, so the images are what its values look like: something is required",
    }),
  );
});
