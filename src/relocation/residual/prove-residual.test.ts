import { describe, expect, test } from "vitest";
import { chartOf, settingsFor, yamlMap } from "../../../test/support/relocation.ts";
import { createEmbeddedRenderer } from "../../helm/render/embedded-renderer.ts";
import { relocateChart, type RelocatedChart } from "../relocate-chart.ts";

const pod = (image: string, name = "pod"): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: main, image: ${image}}]}\n`;

interface ProofOptions {
  readonly byName?: boolean;
  readonly excludeTests?: boolean;
}

async function prove(
  templates: Readonly<Record<string, string>>,
  options: ProofOptions = {},
): Promise<RelocatedChart> {
  const { byName = false, excludeTests = false } = options;
  const files = Object.entries(templates).map(([name, text]) => [`templates/${name}.yaml`, text]);
  const chart = await chartOf({
    "values.yaml": "image: quay.io/a/b:1\nname: quay.io/c/d\n",
    ...(Object.fromEntries(files) as Record<string, string>),
  });
  const request = { chart, fileValues: yamlMap("{}"), setValues: yamlMap("{}") };
  const tracer = createEmbeddedRenderer(request);
  return relocateChart({
    chart,
    chartDiagnostics: [],
    userValues: yamlMap("{}"),
    settings: settingsFor("registry.lan"),
    renderer: tracer,
    tracer,
    excludeTests,
    residual: { again: createEmbeddedRenderer({ ...request, seed: "again" }), byName },
  });
}

const fromValues = pod("{{ .Values.image }}", "values");
const random = "pod-{{ randAlphaNum 8 | lower }}";

describe("override and plan together", () => {
  test.each<[string, Readonly<Record<string, string>>, object]>([
    [
      "nothing is left",
      { a: fromValues },
      { objects: 0, fields: 0, hooks: 0, verdict: { status: "OK", moved: 1 } },
    ],
    [
      "a literal is left",
      { a: fromValues, b: pod("redis:7") },
      { objects: 1, fields: 1, verdict: { status: "OK", moved: 2 } },
    ],
    [
      "a literal under a random name",
      { a: pod("redis:7", random), b: pod("redis:7", random) },
      { objects: 2, fields: 2, verdict: { status: "OK", moved: 1 } },
    ],
    [
      "a literal beside a password",
      { a: `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  run: "{{ randAlphaNum 9 }} quay.io/a/x:1"\n` },
      { objects: 1, fields: 1, verdict: { status: "OK", moved: 1 } },
    ],
    [
      "an image that is none",
      { a: pod("'a::b'"), b: pod("redis:7") },
      { verdict: { status: "CRITICAL", moved: 1, images: 2 } },
    ],
  ])("%s", async (_name, templates, residual) => {
    const { result, residual: objects } = await prove(templates);
    expect(result.residual).toMatchObject(residual);
    expect(objects).toHaveLength(result.residual?.objects ?? -1);
  });

  test("keep the verdict and the findings of the override", async () => {
    const { result } = await prove({ a: fromValues, b: pod("redis:7") });
    expect(result.verdict).toMatchObject({ status: "CRITICAL", moved: 1, images: 2 });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(["image-not-moved"]);
  });

  test("leave what is out of scope", async () => {
    const hook = "metadata: {name: t, annotations: {helm.sh/hook: test}}";
    const text = pod("redis:7").replace("metadata: {name: pod}", hook);
    expect((await prove({ a: text }, { excludeTests: true })).residual).toEqual([]);
    expect((await prove({ a: text })).result.residual).toMatchObject({ hooks: 1 });
  });

  test("say what they do not reach", async () => {
    const gone = `{{ if eq .Values.image "quay.io/a/b:1" }}${pod("redis:7", "gone")}{{ end }}`;
    const { result } = await prove({ a: fromValues, b: gone });
    expect(result.residual).toMatchObject({ objects: 0, verdict: { status: "CRITICAL" } });
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "residual-incomplete",
        message: expect.stringContaining("the residual plan does not help: redis:7 in Pod/gone") as string,
      }),
    );
  });
});

test.each([["a random name", { a: pod("redis:7", random) }, /Pod pod-\w+: the object is not there/u]])(
  "%s is nothing to be found by",
  async (_name, templates, message) => {
    await expect(prove(templates, { byName: true })).rejects.toMatchObject({
      code: "residual-drift",
      message: expect.stringMatching(message) as string,
      hint: expect.stringContaining("--residual post-renderer") as string,
    });
  },
);
