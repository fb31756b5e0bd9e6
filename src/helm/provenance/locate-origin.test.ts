import { expect, test } from "vitest";
import { chartYaml } from "../../../test/support/chart-files.ts";
import { chartOf } from "../../../test/support/relocation.ts";
import { resolveDependencies } from "../chart/dependencies.ts";
import { locateOrigin } from "./locate-origin.ts";
import type { Origin } from "./span.ts";

const files = {
  "Chart.yaml": chartYaml(
    "app",
    "appVersion: '2'\nannotations:\n  images: a\n" +
      "dependencies:\n  - {name: db, version: 1.x.x, alias: store}\n",
  ),
  "values.yaml": "web:\n  image: nginx\n",
  "templates/web.yaml": "# é\nkind: {{ .Values.x }}\n",
  "files/images.txt": "a\nb\n",
  "charts/db/Chart.yaml": chartYaml("db", "appVersion: '16'\n"),
  "charts/db/templates/db.yaml": "\n\nkind: Pod\n",
};

test.each<[string, Origin, number, object]>([
  [
    "a value",
    { kind: "value", path: ["web", "image"] },
    0,
    { file: "app/values.yaml", line: 2, column: 3, valuePath: "web.image" },
  ],
  ["a value of no file", { kind: "value", path: ["none"] }, 0, { valuePath: "none" }],
  [
    "a template, in characters",
    { kind: "template", file: "app/templates/web.yaml", offset: 2 },
    1,
    { file: "app/templates/web.yaml", line: 1, column: 4 },
  ],
  [
    "a template of an alias",
    { kind: "template", file: "app/charts/store/templates/db.yaml", offset: 2 },
    0,
    { file: "app/charts/db/templates/db.yaml", line: 3, column: 1 },
  ],
  ["an unknown template", { kind: "template", file: "x/y", offset: 0 }, 0, { file: "x/y" }],
  [
    "a file that a template reads",
    { kind: "file", file: "app/files/images.txt" },
    2,
    { file: "app/files/images.txt", line: 2, column: 1 },
  ],
  [
    "a field of Chart.yaml",
    { kind: "metadata", chart: "app", field: "Chart.AppVersion" },
    0,
    { file: "app/Chart.yaml", line: 4, column: 1 },
  ],
  [
    "an annotation",
    { kind: "metadata", chart: "app", field: "Chart.Annotations.images" },
    0,
    { file: "app/Chart.yaml", line: 6, column: 3 },
  ],
  [
    "a field of a subchart",
    { kind: "metadata", chart: "app/charts/store", field: "Chart.APIVersion" },
    0,
    { file: "app/charts/db/Chart.yaml", line: 1, column: 1 },
  ],
  ["a field of the release", { kind: "metadata", chart: "app", field: "Release.Name" }, 0, {}],
  ["what a function makes", { kind: "generated", function: "now" }, 0, {}],
])("%s", async (_name, origin, offset, where) => {
  const { root } = resolveDependencies(await chartOf(files), {});
  expect(locateOrigin(root, origin, offset)).toEqual(where);
});
