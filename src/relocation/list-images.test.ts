import { expect, test } from "vitest";
import { chartYaml } from "../../test/support/chart-files.ts";
import { chartOf, yamlMap } from "../../test/support/relocation.ts";
import { listImages } from "./list-images.ts";

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
