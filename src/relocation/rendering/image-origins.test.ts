import { expect, test } from "vitest";
import { chartYaml } from "../../../test/support/chart-files.ts";
import { isKnownHost } from "../../../test/support/relocation.ts";
import { podTemplate, traceChart } from "../../../test/support/traced-chart.ts";
import { formatWhere } from "../../core/error.ts";
import { formatValuePath, parseValuePath } from "../../yaml/value-path.ts";
import { originsOfImage, valuesOfOrigins, type ImageOrigin } from "./image-origins.ts";
import { findRenderedImages } from "./rendered-image.ts";
import { createOriginLocator } from "./text-origins.ts";

/** The images of a chart, each piece as `part text <- what at where`; separators that templates hold left out. */
async function originsIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { root, manifests } = await traceChart(files);
  const locator = createOriginLocator(root);
  return manifests.flatMap((manifest) =>
    findRenderedImages(manifest, isKnownHost)
      .flatMap((image) => originsOfImage(manifest, image, locator))
      .filter(({ part, kind }) => part !== "separator" || kind !== "template")
      .map((origin) => describeOrigin(origin)),
  );
}

function describeOrigin(origin: ImageOrigin): string {
  const { part, text, kind, path, field, function: maker, exact, insteadOf = [] } = origin;
  const { file = "", line = 0, column = 0 } = origin;
  const where = file === "" ? "" : ` at ${formatWhere({ file, line, column })}`;
  const unset = insteadOf.map((value) => ` unless ${value.path}`).join("");
  return `${part} ${text} ${exact ? "=" : "~"} ${path ?? field ?? maker ?? kind}${where}${unset}`;
}

const map = "image:\n  registry: quay.io\n  repository: org/app\n  tag: '1'\n";

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    "one value",
    { "values.yaml": "image: quay.io/org/app:1\n", "templates/a.yaml": podTemplate("{{ .Values.image }}") },
    [
      "registry quay.io = image at app/values.yaml:1:1",
      "separator / = image at app/values.yaml:1:1",
      "repository org/app = image at app/values.yaml:1:1",
      "separator : = image at app/values.yaml:1:1",
      "tag 1 = image at app/values.yaml:1:1",
    ],
  ],
  [
    "printf",
    {
      "values.yaml": map,
      "templates/a.yaml": podTemplate(
        '{{ printf "%s/%s:%s" .Values.image.registry .Values.image.repository .Values.image.tag | quote }}',
      ),
    },
    [
      "registry quay.io = image.registry at app/values.yaml:2:3",
      "repository org/app = image.repository at app/values.yaml:3:3",
      "tag 1 = image.tag at app/values.yaml:4:3",
    ],
  ],
  [
    "printf of a number",
    {
      "values.yaml": "image: {repository: org/app, tag: 7}\n",
      "templates/a.yaml": podTemplate('{{ printf "%s:%v" .Values.image.repository .Values.image.tag }}'),
    },
    [
      "repository org/app = image.repository at app/values.yaml:1:9",
      "tag 7 = image.tag at app/values.yaml:1:30",
    ],
  ],
  [
    "tpl of a value that names another",
    {
      "values.yaml": "version: '3'\nimage: 'quay.io/org/app:{{ .Values.version }}'\n",
      "templates/a.yaml": podTemplate("{{ tpl .Values.image . }}"),
    },
    [
      "registry quay.io = image at app/values.yaml:2:1",
      "separator / = image at app/values.yaml:2:1",
      "repository org/app = image at app/values.yaml:2:1",
      "separator : = image at app/values.yaml:2:1",
      "tag 3 = version at app/values.yaml:1:1",
    ],
  ],
  [
    "a default of the template",
    {
      "values.yaml": "image: {repository: ''}\n",
      "templates/a.yaml": podTemplate('{{ .Values.image.repository | default "quay.io/org/app" }}:1'),
    },
    [
      "registry quay.io = template at app/templates/a.yaml:6:53 unless image.repository",
      "repository org/app = template at app/templates/a.yaml:6:61 unless image.repository",
      "tag 1 = template at app/templates/a.yaml:6:73",
    ],
  ],
  [
    "an include with the tag of appVersion",
    {
      "Chart.yaml": chartYaml("app", "appVersion: '4.2'\n"),
      "values.yaml": "image: {repository: org/app, tag: ''}\n",
      "templates/_image.tpl":
        '{{ define "image" }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}',
      "templates/a.yaml": podTemplate('{{ include "image" . | trim | quote }}'),
    },
    [
      "repository org/app = image.repository at app/values.yaml:1:9",
      "tag 4.2 = Chart.AppVersion at app/Chart.yaml:4:1 unless image.tag",
    ],
  ],
  [
    "toYaml of a list",
    {
      "values.yaml": "sidecars:\n  - name: log\n    image: quay.io/org/log:1\n",
      "templates/a.yaml":
        "kind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n    {{- toYaml .Values.sidecars | nindent 4 }}\n",
    },
    [
      "registry quay.io = sidecars[0].image at app/values.yaml:3:5",
      "separator / = sidecars[0].image at app/values.yaml:3:5",
      "repository org/log = sidecars[0].image at app/values.yaml:3:5",
      "separator : = sidecars[0].image at app/values.yaml:3:5",
      "tag 1 = sidecars[0].image at app/values.yaml:3:5",
    ],
  ],
  [
    "entries of a list one by one",
    {
      "values.yaml": "images:\n  - org/a\n  - org/b\n",
      "templates/a.yaml": `{{ range .Values.images }}---\n${podTemplate("{{ . }}:1")}{{ end }}`,
    },
    [
      "repository org/a = images[0] at app/values.yaml:2:5",
      "tag 1 = template at app/templates/a.yaml:7:22",
      "repository org/b = images[1] at app/values.yaml:3:5",
      "tag 1 = template at app/templates/a.yaml:7:22",
    ],
  ],
  [
    "a global in a subchart",
    {
      "Chart.yaml": chartYaml("app", "dependencies: [{name: web, version: 1.x.x}]\n"),
      "values.yaml": "global: {imageRegistry: quay.io}\n",
      "charts/web/Chart.yaml": chartYaml("web", "appVersion: '5'\n"),
      "charts/web/values.yaml": "image: {registry: docker.io, repository: org/web}\n",
      "charts/web/templates/a.yaml": podTemplate(
        "{{ .Values.global.imageRegistry | default .Values.image.registry }}/{{ .Values.image.repository }}:{{ .Chart.AppVersion }}",
      ),
    },
    [
      "registry quay.io = global.imageRegistry at app/values.yaml:1:10",
      "repository org/web = web.image.repository at app/charts/web/values.yaml:1:30",
      "tag 5 = Chart.AppVersion at app/charts/web/Chart.yaml:4:1",
    ],
  ],
  [
    "a file of the chart",
    {
      "image.txt": "quay.io/org/app:1",
      "templates/a.yaml": podTemplate('{{ .Files.Get "image.txt" }}'),
    },
    [
      "registry quay.io = file at app/image.txt:1:1",
      "separator / = file at app/image.txt:1:8",
      "repository org/app = file at app/image.txt:1:9",
      "separator : = file at app/image.txt:1:16",
      "tag 1 = file at app/image.txt:1:17",
    ],
  ],
  [
    "what a function makes of a value",
    {
      "values.yaml": "name: ORG\n",
      "templates/a.yaml": podTemplate("quay.io/{{ lower .Values.name }}/app:1"),
    },
    [
      "registry quay.io = template at app/templates/a.yaml:6:14",
      "repository org ~ name at app/values.yaml:1:1",
      "repository /app = template at app/templates/a.yaml:6:46",
      "tag 1 = template at app/templates/a.yaml:6:51",
    ],
  ],
  [
    "the keys of a custom resource",
    {
      "values.yaml": map,
      "templates/a.yaml":
        "kind: Database\nmetadata: {name: db}\nspec:\n  image:\n    registry: {{ .Values.image.registry }}\n" +
        "    repository: {{ .Values.image.repository }}\n    tag: {{ .Values.image.tag | quote }}\n",
    },
    [
      "registry quay.io = image.registry at app/values.yaml:2:3",
      "separator / ~ unknown",
      "repository org/app = image.repository at app/values.yaml:3:3",
      "separator : ~ unknown",
      "tag 1 = image.tag at app/values.yaml:4:3",
    ],
  ],
])("%s", async (_name, files, expected) => {
  expect(await originsIn(files)).toEqual(expected);
});

test.each([
  ["a leaf", ["image"], ["image"]],
  ["leaves of one map", ["web.image.registry", "web.image.tag"], ["web.image"]],
  ["leaves of two maps", ["web.image.name", "api.image.name"], ["web.image.name", "api.image.name"]],
  ["globals", ["global.registry", "global.tag", "image"], ["global.registry", "global.tag", "image"]],
  ["the root", ["registry", "name"], ["registry", "name"]],
  ["entries of a list", ["images[0]", "images[1]"], ["images[0]", "images[1]"]],
])("values of %s", (_name, paths, expected) => {
  const origins = paths.map((path): ImageOrigin => {
    return { part: "repository", kind: "value", text: "a", start: 0, end: 1, exact: true, path };
  });
  expect(valuesOfOrigins(origins).map((path) => formatValuePath(path))).toEqual(expected);
  expect(valuesOfOrigins(origins)).toEqual(expected.map((path) => parseValuePath(path)));
});
