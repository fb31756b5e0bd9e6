import { describe, expect, test } from "vitest";
import { isKnownHost } from "../../../test/support/relocation.ts";
import { podTemplate, traceChart } from "../../../test/support/traced-chart.ts";
import { findRenderedImages } from "../rendering/rendered-image.ts";
import { explainMiss, type Miss } from "./miss.ts";

/** Why the one image of a chart's pod did not move, as far as its text tells. */
async function missOf(
  files: Readonly<Record<string, string>>,
  { traced = true }: { readonly traced?: boolean } = {},
): Promise<Miss | undefined> {
  const { root, manifests } = await traceChart(files);
  const [known] = manifests;
  if (known === undefined) return undefined;
  const { traced: _, ...untraced } = known;
  const manifest = traced ? known : untraced;
  const [image] = findRenderedImages(manifest, isKnownHost);
  if (image === undefined) return undefined;
  return explainMiss({ manifest, image, scope: "in-scope", status: "not-moved" }, [], {}, root);
}

const file = "app/templates/pod.yaml";

describe("a traced rendering", () => {
  test.each<[string, Readonly<Record<string, string>>, Miss]>([
    [
      "a literal",
      { "templates/pod.yaml": podTemplate("quay.io/org/app:1") },
      { reason: "the template holds its name as a literal", where: { file, line: 6, column: 22 } },
    ],
    [
      "a literal that a comment repeats before it",
      { "templates/pod.yaml": `# quay.io/org/app\n${podTemplate("quay.io/org/app:1")}` },
      { reason: "the template holds its name as a literal", where: { file, line: 7, column: 22 } },
    ],
    [
      "a literal that stands in for empty values",
      {
        "values.yaml": "image: {repository: ''}\n",
        "templates/pod.yaml": podTemplate('{{ .Values.image.repository | default "quay.io/org/app" }}'),
      },
      {
        reason: "the template holds its name as a literal, which stands in for image.repository",
        where: { file, line: 6, column: 61 },
      },
    ],
    [
      "a literal in a partial",
      {
        "templates/_image.tpl": '{{- define "image" }}\nquay.io/org/app:1{{ end }}',
        "templates/pod.yaml": podTemplate('{{ include "image" . | trim }}'),
      },
      {
        reason: "the template holds its name as a literal",
        where: { file: "app/templates/_image.tpl", line: 2, column: 9 },
      },
    ],
    [
      "a registry before a value",
      {
        "values.yaml": "name: org/app\n",
        "templates/pod.yaml": podTemplate("quay.io/{{ .Values.name }}:1"),
      },
      { reason: "the template holds its registry as a literal", where: { file, line: 6, column: 14 } },
    ],
    [
      "a field of Chart.yaml",
      {
        "Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\nannotations: {image: quay.io/org/app}\n",
        "templates/pod.yaml": podTemplate("{{ .Chart.Annotations.image }}:1"),
      },
      {
        reason: "its name comes from .Chart.Annotations.image",
        where: { file: "app/Chart.yaml", line: 4, column: 15 },
      },
    ],
    [
      "a file of the chart",
      {
        "images.txt": "quay.io/org/app:1",
        "templates/pod.yaml": podTemplate('{{ .Files.Get "images.txt" }}'),
      },
      {
        reason: "the template reads its name from a file of the chart",
        where: { file: "app/images.txt", line: 1, column: 9 },
      },
    ],
    [
      "values alone",
      {
        "values.yaml": "image: quay.io/org/app:1\n",
        "templates/pod.yaml": podTemplate("{{ .Values.image }}"),
      },
      { reason: "no value was found that makes it", where: { file } },
    ],
  ])("%s", async (_name, files, miss) => {
    expect(await missOf(files)).toEqual(miss);
  });
});

test("without spans the literal is looked for in the templates", async () => {
  const files = { "templates/pod.yaml": `# quay.io/org/app\n${podTemplate("quay.io/org/app:1")}` };
  expect(await missOf(files, { traced: false })).toEqual({
    reason: "the template holds its name as a literal",
    where: { file, line: 1 },
  });
});
