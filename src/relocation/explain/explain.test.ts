import { expect, test } from "vitest";
import { chartYaml } from "../../../test/support/chart-files.ts";
import { traceChart } from "../../../test/support/traced-chart.ts";
import { FairleadError } from "../../core/error.ts";
import { explain, type ExplainedObject } from "./explain.ts";

const files = {
  "Chart.yaml": chartYaml("app", "appVersion: '2'\n"),
  "values.yaml": "replicas: 3\nimage: quay.io/org/app\ntag: ''\nnotes: |\n  é: 1\n  b: 2\n",
  "templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: one, annotations: {a.b/c: x}}
spec:
  replicas: {{ .Values.replicas }}
  volumes: []
  containers:
    - name: main
      image: "{{ .Values.image }}:{{ .Values.tag | default .Chart.AppVersion }}"
    - name: "12"
      image: {{ now | date "2006" }}
---
kind: Deployment
metadata: {name: web, namespace: two}
---
kind: ConfigMap
metadata: {name: notes}
data:
  all: |
    {{- .Values.notes | nindent 4 }}
    end
`,
};

async function explainField(object?: string, field?: string): Promise<readonly ExplainedObject[]> {
  const { root, rendering } = await traceChart(files);
  return explain({ chart: root.chart, userValues: {}, rendering, object, field }).objects;
}

/** The leaves as `field: piece <- source`. */
async function leavesOf(object: string, field?: string): Promise<string[]> {
  const objects = await explainField(object, field);
  return objects.flatMap(({ leaves = [] }) =>
    leaves.map(({ field: name, origins }) => {
      const pieces = origins.map(
        (origin) => `${origin.text} <- ${origin.path ?? origin.field ?? origin.function ?? origin.kind}`,
      );
      return `${name}: ${pieces.join(" | ")}`;
    }),
  );
}

test("without an object, all of them are told", async () => {
  const objects = await explainField();
  expect(objects.map(({ kind, namespace, name }) => [kind, namespace, name])).toEqual([
    ["ConfigMap", "", "notes"],
    ["Deployment", "one", "web"],
    ["Deployment", "two", "web"],
  ]);
  expect(objects[0]).toEqual({
    apiVersion: "",
    kind: "ConfigMap",
    namespace: "",
    name: "notes",
    template: "app/templates/web.yaml",
    file: "app/templates/web.yaml",
  });
});

test.each<[string, string, string | undefined, readonly string[]]>([
  ["a number", "one/Deployment/web", "spec.replicas", ["spec.replicas: 3 <- replicas"]],
  ["a kind in lower case", "one/deployment/web", "kind", ["kind: Deployment <- template"]],
  [
    "a container by its name",
    "one/Deployment/web",
    "spec.containers[main].image",
    ["spec.containers[0].image: quay.io/org/app <- image | : <- template | 2 <- Chart.AppVersion"],
  ],
  [
    "without its beginning",
    "one/Deployment/web",
    "containers[main].image",
    ["spec.containers[0].image: quay.io/org/app <- image | : <- template | 2 <- Chart.AppVersion"],
  ],
  [
    "a container by its number",
    "one/Deployment/web",
    "spec.containers[0].name",
    ["spec.containers[0].name: main <- template"],
  ],
  [
    "a key with dots",
    "one/Deployment/web",
    'metadata.annotations["a.b/c"]',
    ['metadata.annotations["a.b/c"]: x <- template'],
  ],
  [
    "a map",
    "one/Deployment/web",
    "metadata",
    [
      "metadata.name: web <- template",
      "metadata.namespace: one <- template",
      'metadata.annotations["a.b/c"]: x <- template',
    ],
  ],
  ["an empty list", "one/Deployment/web", "spec.volumes", ["spec.volumes: [] <- unknown"]],
  [
    "a text of several lines",
    "ConfigMap/notes",
    "data",
    [
      "data.all: é: 1 <- notes | \n <- unknown | b: 2 <- notes | \n\n <- unknown | end <- template | \n <- unknown",
    ],
  ],
  [
    "an object as a whole",
    "two/Deployment/web",
    undefined,
    ["kind: Deployment <- template", "metadata.name: web <- template", "metadata.namespace: two <- template"],
  ],
])("%s", async (_name, object, field, expected) => {
  expect(await leavesOf(object, field)).toEqual(expected);
});

test("pieces tell where they stand in characters, and what is empty", async () => {
  const [object] = await explainField("ConfigMap/notes", "data.all");
  expect(object?.leaves?.[0]?.origins.map(({ start, end }) => [start, end])).toEqual([
    [0, 4],
    [4, 5],
    [5, 9],
    [9, 11],
    [11, 14],
    [14, 15],
  ]);
  const [web] = await explainField("one/Deployment/web", "spec.containers[0].image");
  expect(web).toMatchObject({ field: "spec.containers[0].image" });
  expect(web?.leaves?.[0]?.origins[2]).toEqual({
    kind: "metadata",
    text: "2",
    start: 16,
    end: 17,
    exact: true,
    field: "Chart.AppVersion",
    file: "app/Chart.yaml",
    line: 4,
    column: 1,
    insteadOf: [{ path: "tag", file: "app/values.yaml", line: 3, column: 1 }],
  });
});

test.each<[string, string, string | undefined, { readonly message: string; readonly hint: string }]>([
  [
    "several objects",
    "Deployment/web",
    undefined,
    {
      message: "several objects are called Deployment/web",
      hint: "name one of one/Deployment/web, two/Deployment/web",
    },
  ],
  [
    "a mistyped object",
    "ConfigMap/note",
    undefined,
    {
      message: "the chart renders no ConfigMap/note",
      hint: "did you mean ConfigMap/notes? It renders ConfigMap/notes, one/Deployment/web, two/Deployment/web",
    },
  ],
  [
    "another object",
    "Ingress/other",
    undefined,
    {
      message: "the chart renders no Ingress/other",
      hint: "It renders ConfigMap/notes, one/Deployment/web, two/Deployment/web",
    },
  ],
  [
    "a mistyped key",
    "one/Deployment/web",
    "spec.container",
    {
      message: "spec has no container",
      hint: "did you mean containers? It has replicas, volumes, containers",
    },
  ],
  [
    "a container that is not there",
    "one/Deployment/web",
    "spec.containers[mian].image",
    { message: "spec.containers has no mian", hint: "did you mean main? It has main, 12" },
  ],
  [
    "a number that is not there",
    "one/Deployment/web",
    "spec.containers[7]",
    { message: "spec.containers has no 7", hint: "It has 0, 1" },
  ],
  [
    "a field that is there twice without its beginning",
    "one/Deployment/web",
    "image",
    {
      message: "several fields are called image",
      hint: "name one of spec.containers[0].image, spec.containers[1].image",
    },
  ],
  [
    "a key below a scalar",
    "one/Deployment/web",
    "kind.name",
    { message: "kind has no name", hint: "It has nothing" },
  ],
  [
    "no path",
    "one/Deployment/web",
    "spec..a",
    { message: "'spec..a' is no path of a field", hint: expect.stringContaining("spec.replicas") as string },
  ],
])("%s", async (_name, object, field, { message, hint }) => {
  const error: unknown = await explainField(object, field).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FairleadError);
  expect(error).toMatchObject({ code: "input-invalid", message, hint });
});

test("a chart that does not render explains nothing", async () => {
  const { root } = await traceChart(files);
  const rendering = { ok: false, message: "broken" } as const;
  expect(() => explain({ chart: root.chart, userValues: {}, rendering })).toThrow(
    expect.objectContaining({ code: "render-failed" }),
  );
});
