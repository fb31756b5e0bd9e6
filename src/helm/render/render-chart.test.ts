import { describe, expect, test } from "vitest";
import { chartOf } from "../../../test/support/memory-chart.ts";
import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { createSeededRandom } from "../go/random.ts";
import { plainText } from "../go/text.ts";
import { fromBytes } from "../go/utf8.ts";
import { Tracked, type Text } from "../go/value.ts";
import type { Origin } from "../provenance/span.ts";
import { formatManifests } from "./format-manifests.ts";
import { renderChart, type RenderOptions } from "./render-chart.ts";

const subchart = {
  "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.2.3\nappVersion: v9\n",
  "charts/sub/values.yaml": "x: 1\nglobal: {own: o, all: sub}\n",
};

function valuesOf(text: string): YamlMap {
  return loadYamlMap(text).value;
}

async function render(files: Readonly<Record<string, string>>, options: RenderOptions = {}): Promise<string> {
  return fromBytes(plainText(formatManifests(renderChart(await chartOf(files), options))));
}

/** Where each piece of a text that is not a template's comes from. */
function originsIn(text: Text | undefined): string[] {
  if (!(text instanceof Tracked)) return [];
  return text.spans
    .filter(({ source }) => source.origins.some(({ kind }) => kind !== "template"))
    .map(({ start, end, source }) => {
      const origins = source.origins.map(describeOrigin).join(" + ");
      return `${text.value.slice(start, end)} < ${origins}`;
    });
}

function describeOrigin(origin: Origin): string {
  if (origin.kind === "value") return origin.path.join(".");
  if (origin.kind === "file") return origin.file;
  return origin.kind === "metadata" ? `${origin.chart}:${origin.field}` : origin.kind;
}

describe("a rendering", () => {
  test("is what helm template prints", async () => {
    expect(
      await render(
        {
          "values.yaml": "a: 1\n",
          "templates/_p.tpl": '{{ define "p" }}{{ .Values.a }}{{ end }}',
          "templates/a.yaml": 'a: {{ include "p" . }}\n',
          "templates/NOTES.txt": "notes",
        },
        { values: valuesOf("a: 2") },
      ),
    ).toBe("---\n# Source: app/templates/a.yaml\na: 2\n");
  });

  test("of an empty chart is an empty line", async () => {
    expect(await render({})).toBe("\n");
  });

  test("has notes, hooks and crds apart", async () => {
    const rendered = renderChart(
      await chartOf({
        ...subchart,
        "charts/sub/crds/b.json": "{}",
        "crds/a.yaml": "kind: A\n",
        "crds/readme.md": "",
        "templates/NOTES.txt": "for {{ .Release.Name }}",
        "charts/sub/templates/NOTES.txt": "not shown",
        "templates/h.yaml": "metadata: {annotations: {helm.sh/hook: test}}",
      }),
      { releaseName: "shop" },
    );
    expect(rendered.notes).toBe("for shop");
    expect(rendered.manifests).toEqual([]);
    expect(rendered.hooks).toMatchObject([{ source: "app/templates/h.yaml", events: ["test"] }]);
    expect(rendered.crds.map(({ source }) => source)).toEqual([
      "app/crds/a.yaml",
      "app/charts/sub/crds/b.json",
    ]);
    expect(plainText(formatManifests(rendered, { tests: false }))).toBe("\n");
    expect(plainText(formatManifests(rendered, { crds: true, showOnly: ["crds/*"] }))).toBe(
      "---\n# Source: app/crds/a.yaml\nkind: A\n",
    );
  });

  test("is the same with the same seed and time", async () => {
    const files = { "templates/a.yaml": "a: {{ randAlphaNum 20 }} {{ now | unixEpoch }}\n" };
    const [once, again] = await Promise.all(
      ["1", "1"].map((seed) => render(files, { random: createSeededRandom(seed), now: 1_000_000 })),
    );
    expect(once).toBe(again);
  });

  test("lets templates change what later ones see", async () => {
    expect(
      await render({
        ...subchart,
        "charts/sub/templates/s.yaml": '{{ $_ := set .Values "x" 5 }}',
        "templates/a.yaml":
          "a: {{ .Values.sub.x }} {{ .Subcharts.sub.Values.x }} {{ .Subcharts.sub.Template.Name }}\n",
      }),
    ).toContain("a: 5 5 app/charts/sub/templates/s.yaml");
  });

  test("takes numbers of --set for integers, in subcharts' globals too", async () => {
    const set = valuesOf("whole: 10000000\nglobal: {g: 20000000}");
    const files = {
      ...subchart,
      "templates/a.yaml": "a: {{ .Values.whole }} {{ .Values.f }}\n",
      "charts/sub/templates/s.yaml": "b: {{ .Values.global.g }} {{ typeOf .Values.global.g }}\n",
    };
    const values = createYamlMap([...Object.entries(set), ["f", 10_000_000]]);
    const text = await render(files, { values, integers: set });
    expect(text).toContain("a: 10000000 1e+07");
    expect(text).toContain("b: 20000000 int64");
  });

  test("stops at its limits", async () => {
    const chart = await chartOf({ "templates/a.yaml": "{{ range until 1000 }}xxxxxxxxxx{{ end }}" });
    const code = "limit-exceeded";
    expect(() => renderChart(chart, { limits: { maxSteps: 100 } })).toThrow(
      expect.objectContaining({ code }) as Error,
    );
    expect(() => renderChart(chart, { limits: { maxBytes: 100 } })).toThrow(
      expect.objectContaining({ code }) as Error,
    );
  });
});

describe("refusals", () => {
  test.each<[string, Readonly<Record<string, string>>, RenderOptions, string]>([
    [
      "a library",
      { "Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ntype: library\n" },
      {},
      "library charts are not installable",
    ],
    [
      "a name",
      {},
      { releaseName: "No" },
      'release name "No": invalid release name, must match regex ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must not be longer than 53',
    ],
    [
      "no name",
      {},
      { releaseName: "", helm: "helm4" },
      'release name check failed: release name "": no name provided',
    ],
    [
      "a Kubernetes",
      { "Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\nkubeVersion: '>=1.99'\n" },
      { kubeVersion: "1.30.1" },
      "chart requires kubeVersion: >=1.99 which is incompatible with Kubernetes v1.30.1",
    ],
    [
      "missing dependencies",
      { "Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies: [{name: web}, {name: db}]\n" },
      {},
      "An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: web, db",
    ],
    [
      "values",
      {
        ...subchart,
        "values.schema.json": '{"required": ["zz"]}',
        "charts/sub/values.schema.json": '{"properties": {"x": {"type": "string"}}}',
      },
      {},
      "values don't meet the specifications of the schema(s) in the following chart(s):\napp:\n- at '': missing property 'zz'\nsub:\n- at '/x': got number, want string\n",
    ],
    [
      "fail",
      { "templates/a.yaml": '\n {{ fail "my: words" }}' },
      {},
      "execution error at (app/templates/a.yaml:2:4): my: words",
    ],
    [
      "a parse error",
      { "templates/a.yaml": "{{ if }}" },
      {},
      "parse error at (app/templates/a.yaml:1): missing value for if",
    ],
    [
      "a nil in Helm 3",
      { "templates/a.yaml": '{{ include "x" . }}{{ define "x" }}{{ .Values.a.b }}{{ end }}' },
      {},
      'template: app/templates/a.yaml:1:3: executing "app/templates/a.yaml" at <include "x" .>: error calling include: template: app/templates/a.yaml:1:45: executing "x" at <.Values.a.b>: nil pointer evaluating interface {}.b',
    ],
    [
      "a nil in Helm 4",
      { "templates/a.yaml": '{{ include "x" . }}{{ define "x" }}{{ .Values.a.b }}{{ end }}' },
      { helm: "helm4" },
      'app/templates/a.yaml:1:3\n  executing "app/templates/a.yaml" at <include "x" .>:\n    error calling include:\napp/templates/a.yaml:1:45\n  executing "x" at <.Values.a.b>:\n    nil pointer evaluating interface {}.b',
    ],
  ])("%s", async (_name, files, options, message) => {
    const chart = await chartOf(files);
    expect(() => renderChart(chart, options)).toThrow(
      expect.objectContaining({ code: "render-failed", message }) as Error,
    );
  });

  test("can leave out schemas", async () => {
    expect(await render({ "values.schema.json": "false" }, { checkSchema: false })).toBe("\n");
  });

  test("a template that is not there", async () => {
    const rendered = renderChart(await chartOf({ "templates/a.yaml": "a: 1" }));
    expect(() => formatManifests(rendered, { showOnly: ["templates/b.yaml"] })).toThrow(
      "could not find template templates/b.yaml in chart",
    );
  });
});

describe("tracking", () => {
  test.each<[string, string, readonly string[]]>([
    ["values", "{{ .Values.image.tag }}", ["1.2 < image.tag"]],
    ["lists", "{{ index .Values.list 1 }}", ["two < list.1"]],
    ["values of a subchart", "{{ .Values.sub.x }}", ["1 < sub.x"]],
    [
      "the chart",
      "{{ .Chart.Name }} {{ .Subcharts.sub.Chart.AppVersion }}",
      ["app < app:Chart.Name", "v9 < app/charts/sub:Chart.AppVersion"],
    ],
    ["the release", "{{ .Release.Name }}", ["release-name < app:Release.Name"]],
    ["capabilities", "{{ .Capabilities.KubeVersion.Minor }}", ["37 < app:Capabilities.KubeVersion.Minor"]],
    ["files", '{{ .Files.Get "f.txt" }}', ["text < app/f.txt"]],
  ])("%s", async (_name, template, origins) => {
    const chart = await chartOf({
      ...subchart,
      "values.yaml": "image: {tag: '1.2'}\nlist: [one, two]\n",
      "f.txt": "text",
      "templates/a.yaml": `a: ${template}`,
    });
    const { manifests } = renderChart(chart, { tracking: true });
    expect(originsIn(manifests[0]?.text)).toEqual(origins);
  });

  test("globals of a subchart are the root's where it has them", async () => {
    const chart = await chartOf({
      ...subchart,
      "values.yaml": "global: {all: root, deep: {a: b}}\n",
      "charts/sub/templates/s.yaml":
        "a: {{ .Values.global.all }} {{ .Values.global.own }} {{ .Values.global.deep.a }} {{ .Values.x }}",
    });
    const { manifests } = renderChart(chart, { tracking: true });
    expect(originsIn(manifests[0]?.text)).toEqual([
      "root < global.all",
      "o < sub.global.own",
      "b < global.deep.a",
      "1 < sub.x",
    ]);
  });

  test.each<[string, string, readonly string[]]>([
    ["a value that a template includes", '{{ if include "on" . }}a: b{{ end }}', ["off"]],
    ["a key that is not there", '{{ if hasKey .Values "none" }}a: b{{ end }}', ["none"]],
    ["a key that is there", '{{ if not (hasKey .Values "other") }}a: b{{ end }}', ["other"]],
  ])("a condition is empty for %s, and for no other", async (_name, template, origins) => {
    const chart = await chartOf({
      "values.yaml": "off: false\nother: false\n",
      "templates/_p.tpl": '{{ define "on" }}{{- if .Values.off }}true{{ end }}{{- end }}',
      "templates/a.yaml": template,
    });
    const emptyConditions = new Set<Origin>();
    renderChart(chart, { tracking: true, emptyConditions });
    expect([...emptyConditions].map(describeOrigin)).toEqual(origins);
  });

  test("the printed whole keeps its spans", async () => {
    const chart = await chartOf({ "values.yaml": "a: x", "templates/a.yaml": "a: {{ .Values.a }}" });
    expect(originsIn(formatManifests(renderChart(chart, { tracking: true })))).toEqual(["x < a"]);
  });
});
