import { expect, test } from "vitest";
import { createEmbeddedRenderer } from "../../helm/render/embedded-renderer.ts";
import { chartOf, settingsFor, yamlMap } from "../../../test/support/relocation.ts";
import { checkOverride, type CheckedOverride } from "./check-override.ts";

const template = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: web
      image: "{{ .Values.web.registry }}/{{ .Values.web.repository }}:{{ .Values.web.tag }}"
    - name: db
      image: {{ .Values.db }}
    {{- if .Values.probe.active }}
    - name: probe
      image: {{ .Values.probe.image }}
    {{- end }}
    {{- range .Values.sidecars }}
    - name: {{ .name }}
      image: {{ .image }}
    {{- end }}
`;

const values = `web: {registry: quay.io, repository: a/web, tag: "1"}
db: docker.io/a/db:1
sidecars: []
probe: {active: false, image: docker.io/a/probe:1}
unread: 1
`;

async function check(
  override: string,
  changes: { readonly values?: string; readonly template?: string } = {},
): Promise<CheckedOverride> {
  const chart = await chartOf({
    "values.yaml": changes.values ?? values,
    "templates/pod.yaml": changes.template ?? template,
  });
  const renderer = createEmbeddedRenderer({ chart, fileValues: {}, setValues: {} });
  return checkOverride({
    chart,
    chartDiagnostics: [],
    userValues: yamlMap(""),
    settings: settingsFor("registry.lan"),
    renderer,
    exploreLimit: 8,
    override,
    overrideFile: "override.yaml",
  });
}

const web = "web: {registry: registry.lan/quayio}\n";
const db = "db: registry.lan/dockerio/a/db:1\n";
const probe = "probe: {image: registry.lan/dockerio/a/probe:1}\n";
const whole = web + db + probe;

/** A container that is switched off, and whose image has no key by which it could be told. */
function task(image: string): Pick<Row, "values" | "template"> {
  const container = "    - {name: task, image: {{ .Values.task.run }}}\n";
  return {
    values: `${values}task: {enabled: false, run: ${image}}\n`,
    template: `${template}{{ if .Values.task.enabled }}\n${container}{{ end }}`,
  };
}

interface Row {
  readonly name: string;
  readonly override: string;
  readonly values?: string;
  readonly template?: string;
  /** `source: reason` of what is not covered. */
  readonly uncovered?: readonly string[];
  /** `path: reason`. */
  readonly dead?: readonly string[];
  readonly missing?: string;
}

const rows: readonly Row[] = [
  { name: "an override that fits", override: whole },
  {
    name: "one that lacks an image",
    override: db + probe,
    uncovered: ["quay.io/a/web:1: the override does not set web.registry"],
    missing: web,
  },
  {
    name: "one that lacks an image that is switched off",
    override: web + db,
    uncovered: ["docker.io/a/probe:1: the override does not set probe.image"],
    missing: probe,
  },
  {
    name: "one that pins an old tag",
    override: whole,
    values: values.replace("a/db:1", "a/db:2"),
    uncovered: ["docker.io/a/db:2: it became registry.lan/dockerio/a/db:1 with the override"],
    missing: "db: registry.lan/dockerio/a/db:2\n",
  },
  {
    name: "one that pins an old tag of what is switched off",
    override: whole,
    values: values.replace("a/probe:1", "a/probe:2"),
    uncovered: ["docker.io/a/probe:2: it became registry.lan/dockerio/a/probe:1 with the override"],
    missing: "probe: {image: registry.lan/dockerio/a/probe:2}\n",
  },
  {
    name: "one that pins an old tag of what nothing can switch on",
    override: `${whole}idle: {image: registry.lan/dockerio/a/idle:1}\n`,
    values: `${values}idle: {image: docker.io/a/idle:2}\n`,
    uncovered: ["docker.io/a/idle:2: it becomes registry.lan/dockerio/a/idle:1 with the override"],
    missing: "idle: {image: registry.lan/dockerio/a/idle:2}\n",
  },
  {
    name: "a key that was renamed",
    override: whole,
    values: values.replace("web:", "server:"),
    template: template.replaceAll(".Values.web.", ".Values.server."),
    uncovered: ["quay.io/a/web:1: the override does not set server.registry"],
    dead: ["web.registry: gone"],
    missing: "server: {registry: registry.lan/quayio}\n",
  },
  {
    name: "a value that nothing reads",
    override: `${whole}unread: 2\nneither: {a: 1, b: 2}\n`,
    dead: ["unread: unread", "neither.a: gone", "neither.b: gone"],
  },
  {
    name: "a value that only a condition reads",
    override: `${whole}extra: true\n`,
    template: `${template}{{ if .Values.extra }}  hostNetwork: true{{ end }}`,
    // It changes something else, and so is not dead.
    dead: [],
  },
  {
    name: "a list that the override carries with an old image",
    override: `${whole}sidecars: [{name: a, image: registry.lan/quayio/a/a:1}]\n`,
    values: values.replace(
      "sidecars: []",
      "sidecars: [{name: a, image: quay.io/a/a:2}, {name: b, image: quay.io/a/b:1}]",
    ),
    uncovered: [
      "quay.io/a/a:2: it became registry.lan/quayio/a/a:1 with the override",
      "quay.io/a/b:1: it is gone with the override",
    ],
    missing:
      "sidecars: [{name: a, image: registry.lan/quayio/a/a:2}, {name: b, image: registry.lan/quayio/a/b:1}]\n",
  },
  {
    name: "a leaf for what only exploring shows",
    override: `${whole}task: {run: registry.lan/dockerio/a/task:1}\n`,
    ...task("docker.io/a/task:1"),
  },
  {
    name: "one that lacks what only exploring shows",
    override: whole,
    ...task("docker.io/a/task:1"),
    uncovered: ["docker.io/a/task:1: the override does not set task.run"],
    missing: "task: {run: registry.lan/dockerio/a/task:1}\n",
  },
  {
    name: "a literal, which no value moves",
    override: whole,
    template: `${template}    - {name: literal, image: quay.io/a/literal:1}\n`,
    uncovered: ["quay.io/a/literal:1: the template holds its name as a literal"],
  },
];

test.each(rows)("$name", async ({ override, uncovered = [], dead = [], missing, ...chart }) => {
  const { check: found } = await check(override, chart);
  const left = found.images.filter(({ isCovered }) => !isCovered);
  expect(left.map(({ source, reason }) => `${source}: ${reason}`).toSorted()).toEqual(uncovered);
  expect(found.deadLeaves.map(({ path, reason }) => `${path}: ${reason}`)).toEqual(dead);
  expect(found.missing?.values).toEqual(missing === undefined ? undefined : yamlMap(missing));
  if (missing !== undefined) expect(found.missing?.verdict).toMatchObject({ status: "OK", rate: 100 });
});

test("what is told of an override that the chart refuses", async () => {
  const { check: found, result } = await check(whole, {
    template: `{{ if hasPrefix "registry.lan" .Values.db }}{{ fail "no" }}{{ end }}${template}`,
  });
  expect(result.verdict).toMatchObject({ status: "CRITICAL", chartInstall: "failed" });
  expect(found.deadLeaves).toEqual([]);
});
