/** A chart with flags of `helm template` that `fairlead render` has too. */
export interface RenderCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** Lines of Chart.yaml. */
  readonly chart?: string;
}

let dumps = 0;

/** A template that puts what an expression writes into a ConfigMap, several lines too. */
function dump(body: string): string {
  const name = `dump-${dumps++}`;
  return `{{- define "${name}" }}${body}{{ end }}data: |\n{{ include "${name}" . | indent 2 }}\n`;
}

const objects = `
{{ .Chart.Name }} {{ .Chart.Version }} {{ .Chart.AppVersion }} {{ .Chart.IsRoot }} {{ toJson .Chart }}
{{ toJson .Chart.Keywords }} {{ toJson .Chart.Annotations }} {{ range .Chart.Maintainers }}{{ .Name }}{{ end }}
{{ toYaml .Release }} {{ toJson .Template }} {{ toJson .Values }}
{{ with .Capabilities.KubeVersion }}{{ . }} {{ .Version }} {{ .Major }} {{ .Minor }} {{ .GitVersion }}{{ end }}
{{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.APIVersions.Has "foo/v1" }}
{{ kindOf .Chart }} {{ typeOf .Chart }} {{ typeOf . }} {{ typeOf .Values }} {{ typeOf .Files }}
{{ typeOf .Capabilities }} {{ typeOf .Capabilities.APIVersions }} {{ typeOf .Subcharts }}`;

const subchart = {
  "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.2.3\nappVersion: '9'\n",
  "charts/sub/values.yaml": "x: 1\nglobal: {own: o, nested: {p: q}}\nimage: {tag: t}\n",
  "charts/sub/templates/sub.yaml": dump(`${objects} {{ .Values.global }}`),
  "charts/sub/templates/NOTES.txt": "notes of a subchart",
  "charts/sub/crds/c.yaml": "kind: CRD\n---\nkind: Other\n",
};

const deepSubchart = {
  "charts/sub/templates/s.yaml": "s: {{ .Chart.Name }} {{ toJson .Values }}\n",
  "charts/sub/charts/deep/Chart.yaml": "apiVersion: v2\nname: deep\nversion: 1.0.0\n",
  "charts/sub/charts/deep/values.yaml": "v: 1\n",
  "charts/sub/charts/deep/templates/d.yaml":
    "d: {{ .Chart.Name }} {{ .Template.Name }} {{ toJson .Values }}\n",
  "charts/sub/charts/deep/crds/c.yaml": "a: b\n",
};

function hook(kind: string, events: string, weight = ""): string {
  const annotations = `{helm.sh/hook: "${events}", helm.sh/hook-weight: "${weight}"}`;
  return `---\nkind: ${kind}\nmetadata: {name: ${kind.toLowerCase()}, annotations: ${annotations}}\n`;
}

const hooks = {
  "templates/h.yaml":
    hook("Job", "pre-install", "5") + hook("ConfigMap", "post-install,pre-upgrade") + hook("Pod", "test"),
  "templates/i.yaml": `${hook("Secret", "test-success")}---\nkind: Service\n---\nkind: Zed\n---\nkind: Namespace\n---\nkind: Foo`,
  "templates/w.yaml": "kind: ValidatingWebhookConfiguration\n---\nkind: CronJob\n",
  "templates/empty.yaml": "{{- if false }}\nx\n{{- end }}\n",
  "templates/comment.yaml": "# only a comment\n",
  "templates/_partial.yaml": "kind: No",
};

const twoAliases =
  "dependencies:\n- {name: sub, version: '*', alias: one}\n- {name: sub, version: '*', alias: two}\n";

/** What comes out of charts that render. */
export const renderCases: readonly RenderCase[] = [
  {
    name: "the objects that templates see",
    chart:
      "appVersion: 1.10\ndescription: d\nkeywords: [a, b]\nhome: https://x\nsources: [s]\nicon: i\ntype: application\n" +
      "maintainers: [{name: me, email: e}]\nannotations: {k: v, i: 1}\nkubeVersion: '>=1.2'\n",
    files: { "values.yaml": "a: 1\nb: {c: [1, x, null], d: null}\n", "templates/a.yaml": dump(objects) },
    flags: ["--namespace", "prod", "--is-upgrade", "--api-versions", "foo/v1,bar/v1"],
  },
  {
    name: "files",
    files: {
      "a.txt": "one\ntwo\n\n",
      "conf/x.yaml": "a: 1\nb: |\n  c\n",
      "conf/y.txt": "é \n x",
      "conf/d/z": "",
      "templates/a.yaml": dump(
        '{{ .Files.Get "a.txt" }}|{{ .Files.Get "none" }}|{{ .Files.Lines "a.txt" }}|{{ len .Files }}|{{ toJson .Files }}' +
          '{{ range $name, $content := .Files.Glob "conf/*" }}{{ $name }}={{ $content | toString }};{{ end }}' +
          '{{ (.Files.Glob "conf/**").AsConfig }}|{{ (.Files.Glob "conf/**").AsSecrets }}|{{ len (.Files.Glob "[") }}',
      ),
    },
  },
  {
    name: "subcharts",
    files: {
      ...subchart,
      "values.yaml": "global: {g: 1, nested: {r: s}}\nsub: {x: 2}\n",
      "templates/a.yaml": dump(
        `${objects} {{ .Subcharts.sub.Chart.Name }} {{ typeOf .Values.sub }} {{ typeOf .Subcharts.sub.Values }}`,
      ),
      "templates/NOTES.txt": "notes",
      "crds/z.yaml": "a: b",
      "crds/readme.md": "x",
    },
    flags: ["--include-crds"],
  },
  {
    name: "values that templates change",
    files: {
      ...subchart,
      "charts/sub/templates/s.yaml":
        'a: {{ $_ := set .Values "z" 5 }}{{ .Values.global.nested.new | default "none" }}\n',
      "charts/sub/templates/t.yaml": "c: {{ .Values.z }}\n",
      "templates/a.yaml":
        'd: {{ .Values.sub.z }} {{ $_ := set .Values.global.nested "new" 1 }}{{ .Subcharts.sub.Template.Name }}\n',
      "values.yaml": "global: {nested: {r: {s: t}}}\n",
    },
  },
  {
    name: "aliases, conditions and imported values",
    chart:
      "dependencies:\n- {name: sub, version: 1.x, alias: one, repository: 'https://x'}\n" +
      "- {name: sub, version: '>0', alias: two, condition: two.enabled, tags: [t]}\n" +
      "- {name: sub, version: '*', alias: three, condition: three.enabled, import-values: [data]}\n",
    files: {
      ...subchart,
      "charts/sub/values.yaml": "x: 1\nexports: {data: {imported: 1}}\n",
      "templates/a.yaml": dump(
        "{{ toJson .Chart.Dependencies }} {{ range .Chart.Dependencies }}{{ .Name }}{{ end }} {{ toJson .Values }}",
      ),
      "values.yaml": "two: {enabled: false, x: 5}\none: {x: 7}\n",
    },
  },
  {
    name: "two aliases of a chart that aliases",
    chart: twoAliases,
    files: {
      ...deepSubchart,
      "charts/sub/Chart.yaml":
        "apiVersion: v2\nname: sub\nversion: 1.0.0\ndependencies:\n- {name: deep, version: '*', alias: inner}\n",
    },
    flags: ["--include-crds"],
  },
  {
    name: "two aliases of a chart that declares nothing",
    chart: twoAliases,
    files: { ...deepSubchart, "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n" },
    flags: ["--include-crds"],
  },
  {
    name: "a library",
    files: {
      "charts/lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n",
      "charts/lib/templates/_h.tpl": '{{ define "lib.x" }}from lib {{ .Values.a }}{{ end }}',
      "charts/lib/templates/no.yaml": '{{ fail "no" }}',
      "templates/a.yaml": 'a: {{ include "lib.x" . }}\n',
      "values.yaml": "a: 3",
    },
  },
  {
    name: "which definition wins",
    files: {
      ...subchart,
      "charts/sub/templates/_h.tpl": '{{ define "n" }}sub{{ end }}{{ define "m" }}sub{{ end }}',
      "templates/_h.tpl": '{{ define "n" }}root{{ end }}',
      "templates/_z.tpl": '{{ define "m" }}z{{ end }}',
      "templates/_a.tpl": '{{ define "m" }}a{{ end }}',
      "templates/a.yaml": 'a: {{ include "n" . }} {{ include "m" . }}\n',
    },
  },
  { name: "hooks and the order of kinds", files: hooks },
  { name: "no hooks", files: hooks, flags: ["--no-hooks"] },
  { name: "no tests", files: hooks, flags: ["--skip-tests"] },
  { name: "one template", files: hooks, flags: ["--show-only", "templates/i.yaml"] },
  { name: "templates by pattern", files: hooks, flags: ["-s", "templates/[hw].yaml", "-s", "templates/*"] },
  { name: "a file of crds/", files: subchart, flags: ["--include-crds", "-s", "charts/sub/crds/c.yaml"] },
  {
    name: "nulls in defaults",
    files: {
      "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
      "charts/sub/values.yaml": "none: null\nimage: {tag: null, x: 1}\nlist: [null]\n",
      "charts/sub/templates/s.yaml": "s: {{ toJson .Values }}\n",
      "values.yaml": "a: null\nb: {c: null, d: 1}\nsub: {image: null, other: null}\n",
      "templates/a.yaml": "a: {{ toJson .Values }}\n",
    },
    flags: ["--set", "b.d=null,sub.list=null"],
  },
  {
    name: "separators and blanks",
    files: {
      "templates/a.yaml": "---\n---\na: 1\n---\n\n\nb: 2   \n\n\n--- # c\nc: 3\n---x: y\n",
      "templates/b.yaml": "\n\n  \nd: |\n  x\n\n\n",
      "templates/c.yaml": "a: 1\r\n---\r\nb: 2\r\n",
    },
  },
  {
    name: "numbers of flags and files",
    files: {
      "values.yaml": "a: 10000000\n",
      "templates/a.yaml": "v: {{ .Values }}\nj: {{ toJson .Values }}\n",
    },
    flags: [
      "--set",
      "b=10000000,l[1]=5",
      "--set-json",
      "c=10000000",
      "--set-string",
      "d=5",
      "--set-literal",
      "e=a,b",
    ],
  },
  {
    name: "text beyond ASCII",
    files: {
      "values.yaml": "ü: €\ne: äöü\n",
      "templates/a.yaml":
        "a: {{ .Values.ü }} ✓ {{ .Values.e | upper | quote }} {{ len .Values.e }} {{ trunc 2 .Values.e | b64enc }}\n",
    },
  },
  {
    name: "a dot in a subchart's name",
    files: {
      "charts/a.b/Chart.yaml": "apiVersion: v2\nname: a.b\nversion: 1.0.0\n",
      "charts/a.b/values.yaml": "x: 1",
      "charts/a.b/templates/t.yaml": "x: {{ toJson .Values }}\n",
    },
  },
  { name: "nothing", files: {} },
];

const brokenTemplates: Readonly<Record<string, string>> = {
  fail: '{{ fail "my: message" }}',
  required: '{{ required "it is needed" .Values.x }}',
  "a parse error": "{{ if }}",
  "an unknown function": "a\n{{ foo }}",
  "a nil": "{{ .Values.a.b.c }}",
  "a missing template": '{{ include "none" . }}',
  "an error two includes deep":
    '{{ include "x" . }}{{ define "x" }}\n{{ include "y" . }}{{ end }}{{ define "y" }}{{ .Values.a.b }}{{ end }}',
  "fail in an include": '{{ include "x" . }}{{ define "x" }}{{ fail "in\\nlines" }}{{ end }}',
  "an error in tpl": '{{ tpl "{{ .Values.a.b.c }}" . }}',
  "a parse error in tpl": '{{ tpl "{{ " . }}',
  "a function's error": '{{ semver "x" }}',
  "an error below an include": '{{ include "x" . }}{{ define "x" }}{{ mustToDate "2006" "x" }}{{ end }}',
  "a type": "{{ upper 1 }}",
  "malformed YAML": "a: b: c",
  "a list": "- a",
};

/** What helm refuses, and says of it. */
export const refusalCases: readonly RenderCase[] = [
  ...Object.entries(brokenTemplates).map(([name, template]) => ({
    name,
    files: { "templates/a.yaml": `${template}\n`, "templates/b.yaml": "x: y\n" },
  })),
  { name: "a library", chart: "type: library\n", files: {} },
  { name: "another Kubernetes", chart: "kubeVersion: '>=1.99'\n", files: {} },
  {
    name: "missing dependencies",
    chart: "dependencies:\n- {name: web, version: '1'}\n- {name: db, version: '1'}\n",
    files: {},
  },
  { name: "a template that is not there", files: hooks, flags: ["-s", "templates/none.yaml"] },
  {
    name: "values that schemas refuse",
    files: {
      ...subchart,
      "values.yaml": "image: {tag: 1}\n",
      "values.schema.json":
        '{"properties": {"image": {"properties": {"tag": {"type": "string"}}}}, "required": ["port"]}',
      "charts/sub/values.schema.json": '{"properties": {"x": {"type": "string"}}}',
    },
  },
  {
    name: "a schema that is none",
    files: { "values.schema.json": '{"type": "objekt"}' },
  },
];
