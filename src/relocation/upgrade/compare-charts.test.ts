import { expect, test } from "vitest";
import { createEmbeddedRenderer } from "../../helm/render/embedded-renderer.ts";
import { chartOf, yamlMap } from "../../../test/support/relocation.ts";
import { compareCharts, type ChartVersion } from "./compare-charts.ts";
import type { ImageChange, UpgradeComparison } from "./image-change.ts";

type Files = Readonly<Record<string, string>>;

/** A pod for each entry, its name and its containers with what makes their images. */
function pods(objects: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const documents = Object.entries(objects).map(([name, containers]) => {
    const list = Object.entries(containers).map(
      ([container, image]) => `{name: ${container}, image: "${image}"}`,
    );
    return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [${list.join(", ")}]}\n`;
  });
  return documents.join("---\n");
}

function chart(template: string, values: string = ""): Files {
  return { "templates/pods.yaml": template, "values.yaml": values };
}

/** One pod whose one image is of this value. */
function valued(path: string, values: string): Files {
  return chart(pods({ web: { main: `{{ .Values.${path} }}` } }), values);
}

async function versionOf(files: Files): Promise<ChartVersion> {
  const loaded = { chart: await chartOf(files), diagnostics: [] };
  const renderer = createEmbeddedRenderer({ chart: loaded.chart, fileValues: {}, setValues: {} });
  return { loaded, rendering: await renderer.render(undefined) };
}

async function compare(old: Files, next: Files): Promise<UpgradeComparison> {
  const user = { values: yamlMap(""), locate: () => undefined, redact: (text: string) => text };
  return compareCharts(await versionOf(old), await versionOf(next), user);
}

/** `changed nginx:1 -> nginx:2 at web`, with the values that it comes from where nothing renders it. */
function describeChange({ change, old, new: next }: ImageChange): string {
  const version = next ?? old;
  const places = version?.places.map(({ name }) => name) ?? [];
  const where = places.length > 0 ? places : (version?.values.map(({ valuePath }) => valuePath) ?? []);
  const names = [old, next].flatMap((one) => one?.source ?? []);
  return `${change} ${names.join(" -> ")} at ${where.join(" ")}`;
}

interface Row {
  readonly name: string;
  readonly old: Files;
  readonly next: Files;
  readonly changes: readonly string[];
  readonly renamed?: readonly string[];
}

const off = "{{ if .Values.active }}" + pods({ web: { main: "{{ .Values.image }}" } }) + "{{ end }}";

const rows: readonly Row[] = [
  {
    name: "the same image",
    old: valued("image", "image: nginx:1"),
    next: valued("image", "image: nginx:1"),
    changes: ["unchanged nginx:1 -> nginx:1 at web"],
  },
  {
    name: "the same image in another spelling",
    old: valued("image", "image: nginx:1"),
    next: valued("image", "image: docker.io/library/nginx:1"),
    changes: ["unchanged nginx:1 -> docker.io/library/nginx:1 at web"],
  },
  {
    name: "another tag",
    old: valued("image", "image: nginx:1"),
    next: valued("image", "image: nginx:2"),
    changes: ["changed nginx:1 -> nginx:2 at web"],
  },
  {
    name: "another digest",
    old: valued("image", `image: nginx@sha256:${"a".repeat(64)}`),
    next: valued("image", `image: nginx@sha256:${"b".repeat(64)}`),
    changes: [`changed nginx@sha256:${"a".repeat(64)} -> nginx@sha256:${"b".repeat(64)} at web`],
  },
  {
    name: "another repository in the same container",
    old: valued("image", "image: quay.io/a/web:1"),
    next: valued("image", "image: ghcr.io/b/web:2"),
    changes: ["moved quay.io/a/web:1 -> ghcr.io/b/web:2 at web"],
  },
  {
    name: "another repository of the same value in another object",
    old: valued("image", "image: quay.io/a/web:1"),
    next: chart(pods({ server: { app: "{{ .Values.image }}" } }), "image: ghcr.io/b/web:2"),
    changes: ["moved quay.io/a/web:1 -> ghcr.io/b/web:2 at server"],
  },
  {
    name: "a container that takes an image from another one",
    old: chart(pods({ web: { main: "a/a:1", side: "b/b:1" } })),
    next: chart(pods({ web: { main: "b/b:1" } })),
    changes: ["removed a/a:1 at web", "unchanged b/b:1 -> b/b:1 at web"],
  },
  {
    name: "a new container and one that is gone",
    old: chart(pods({ web: { main: "a/a:1", one: "b/b:1" } })),
    next: chart(pods({ web: { main: "a/a:1", two: "c/c:1" } })),
    changes: ["unchanged a/a:1 -> a/a:1 at web", "removed b/b:1 at web", "added c/c:1 at web"],
  },
  {
    name: "one of two places of an image changes",
    old: chart(pods({ one: { main: "a/a:1" }, two: { main: "a/a:1" } })),
    next: chart(pods({ one: { main: "a/a:1" }, two: { main: "a/a:2" } })),
    changes: ["unchanged a/a:1 -> a/a:1 at one", "changed a/a:1 -> a/a:2 at two"],
  },
  {
    name: "an image at one place less",
    old: chart(pods({ one: { main: "a/a:1" }, two: { main: "a/a:1" } })),
    next: chart(pods({ one: { main: "a/a:1" } })),
    changes: ["unchanged a/a:1 -> a/a:1 at one"],
  },
  {
    name: "an object by another name, with another tag",
    old: chart(pods({ web: { main: "a/a:1" } })),
    next: chart(pods({ server: { app: "a/a:2" } })),
    changes: ["changed a/a:1 -> a/a:2 at server"],
  },
  {
    name: "a renamed key",
    old: valued("web.image", "web: {image: nginx:1}"),
    next: valued("server.image", "server: {image: nginx:1}"),
    changes: ["unchanged nginx:1 -> nginx:1 at web"],
    renamed: ["web.image -> server.image"],
  },
  {
    name: "a renamed key of an object by another name, with another tag",
    old: valued("web.image", "web: {image: nginx:1}"),
    next: chart(pods({ server: { app: "{{ .Values.server.image }}" } }), "server: {image: nginx:2}"),
    changes: ["changed nginx:1 -> nginx:2 at server"],
    renamed: ["web.image -> server.image"],
  },
  {
    name: "renamed keys of parts",
    old: valued("a.repository }}:{{ .Values.a.tag", "a: {repository: quay.io/a/a, tag: v1}"),
    next: valued("b.name }}:{{ .Values.b.tag", "b: {name: quay.io/a/a, tag: v1}"),
    changes: ["unchanged quay.io/a/a:v1 -> quay.io/a/a:v1 at web"],
    renamed: ["a.repository -> b.name", "a.tag -> b.tag"],
  },
  {
    name: "a literal that becomes a value",
    old: chart(pods({ web: { main: "nginx:1" } })),
    next: valued("image", "image: nginx:1"),
    changes: ["unchanged nginx:1 -> nginx:1 at web"],
  },
  {
    name: "a part that is switched off",
    old: chart(off, "active: false\nimage: nginx:1"),
    next: chart(off, "active: false\nimage: nginx:2"),
    changes: ["changed nginx:1 -> nginx:2 at image"],
  },
  {
    name: "a part that is switched on",
    old: chart(off, "active: false\nimage: nginx:1"),
    next: chart(off, "active: true\nimage: nginx:1"),
    changes: ["switched-on nginx:1 -> nginx:1 at web"],
  },
  {
    name: "a part that is switched off now",
    old: chart(off, "active: true\nimage: nginx:1"),
    next: chart(off, "active: false\nimage: nginx:1"),
    changes: ["switched-off nginx:1 -> nginx:1 at image"],
  },
  {
    name: "a chart that does not render",
    old: valued("image", "image: nginx:1"),
    next: chart('{{ fail "no" }}', "image: nginx:2"),
    changes: ["changed nginx:1 -> nginx:2 at image"],
  },
];

test.each(rows)("$name", async ({ old, next, changes, renamed = [] }) => {
  const comparison = await compare(old, next);
  expect(comparison.images.map((image) => describeChange(image))).toEqual(changes);
  expect(comparison.renamedValues.map(({ from, to }) => `${from} -> ${to}`)).toEqual(renamed);
});

test("a chart that does not render is named", async () => {
  const { rendered, diagnostics } = await compare(chart(""), chart('{{ fail "no" }}'));
  expect(rendered).toBe(false);
  expect(diagnostics).toMatchObject([{ code: "not-rendered", where: { file: "app" } }]);
});
