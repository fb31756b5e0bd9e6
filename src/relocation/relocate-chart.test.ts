import { describe, expect, test } from "vitest";
import { chartYaml } from "../../test/support/chart-files.ts";
import { chartOf, settingsFor, yamlMap } from "../../test/support/relocation.ts";
import type { Chart } from "../helm/chart/chart.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import { mergeMaps } from "../helm/values/merge.ts";
import { createYamlMap, type YamlMap, type YamlValue } from "../yaml/value.ts";
import { getAt, parseValuePath } from "../yaml/value-path.ts";
import { relocateChart } from "./relocate-chart.ts";
import type { RelocateChartInput } from "./relocate-chart-input.ts";
import { verifyChart } from "./verify-chart.ts";
import { parseSourceRegistries } from "./registry-selection.ts";
import type { ChartResult } from "./result.ts";
import type { ChartRenderer } from "./verify/verification.ts";

type Files = Readonly<Record<string, string>>;
type Changes = Partial<Omit<RelocateChartInput, "chart">>;

/** Renders a chart's templates, in which `<a.b>` stands for a value. */
function rendererOf(chart: Chart, userValues: YamlMap = createYamlMap()): ChartRenderer {
  return {
    render: async (override) => {
      const given = override === undefined ? userValues : mergeMaps(userValues, yamlMap(override));
      const { renderValues } = resolveDependencies(chart, given);
      const manifests = chart.templates.map(
        ({ name, data }) =>
          `---\n# Source: app/${name}\n${Buffer.from(data)
            .toString("utf8")
            .replaceAll(/<(?<path>[^>]+)>/gu, (_match, path: string) =>
              scalarText(getAt(renderValues, parseValuePath(path))),
            )}`,
      );
      return Promise.resolve({ ok: true, manifests: manifests.join("\n") });
    },
  };
}

function scalarText(value: YamlValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function inputOf(chart: Chart, changes: Changes = {}): RelocateChartInput {
  return {
    chart,
    chartDiagnostics: [],
    userValues: createYamlMap(),
    settings: settingsFor("registry.lan"),
    ...changes,
  };
}

async function relocate(files: Files, changes: Changes = {}): Promise<ChartResult> {
  return (await relocateChart(inputOf(await chartOf(files), changes))).result;
}

async function prove(files: Files, changes: Changes = {}): Promise<ChartResult> {
  const chart = await chartOf(files);
  const renderer = rendererOf(chart, changes.userValues);
  return (await relocateChart(inputOf(chart, { renderer, ...changes }))).result;
}

function pod(image: string, name = "pod"): string {
  return `kind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: main, image: '${image}'}]}\n`;
}

function statusesOf({ images }: ChartResult): string[] {
  return images.map(({ source, status, target }) => [source, status, target].filter(Boolean).join(" "));
}

function messagesOf({ diagnostics }: ChartResult): string[] {
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

const values = "image:\n  registry: quay.io\n  repository: a/b\n  tag: 1.10\n";
const template = pod("<image.registry>/<image.repository>:<image.tag>");

describe("a chart that nothing renders", () => {
  test("is planned and UNVERIFIED, and says where each image stands", async () => {
    const result = await relocate({ "values.yaml": "image: {repository: nginx, tag: '1'}\n" });
    expect(result).toMatchObject({
      chart: { name: "app", version: "1.0.0", path: "app" },
      targetRegistry: "registry.lan",
      override: "image:\n  repository: registry.lan/dockerio/library/nginx\n",
      verdict: { status: "UNVERIFIED", images: 1, moved: 1, rate: 100, chartInstall: "not-run" },
      images: [
        {
          source: "nginx:1",
          target: "registry.lan/dockerio/library/nginx:1",
          status: "planned",
          values: [{ file: "app/values.yaml", line: 1, valuePath: "image" }],
          places: [],
          enabled: true,
        },
      ],
    });
  });

  test.each<[string, Files]>([
    ["no values.yaml", {}],
    ["no image", { "values.yaml": "replicas: 1\n" }],
    ["every image at the target", { "values.yaml": "image: registry.lan/quayio/a/b:1\n" }],
  ])("%s: nothing is to do", async (_name, files) => {
    const result = await relocate(files);
    expect(result).toMatchObject({ override: "{}\n", verdict: { images: 0, rate: 100 }, diagnostics: [] });
  });

  test("counts an unparsable reference as not moved", async () => {
    const result = await relocate({
      "values.yaml": "a: {image: 'invalid::image'}\nb: {image: quay.io/a:1}\n",
    });
    expect(statusesOf(result)).toEqual([
      "quay.io/a:1 planned registry.lan/quayio/a:1",
      "invalid::image not-moved",
    ]);
    expect(result.verdict).toMatchObject({ status: "CRITICAL", images: 2, moved: 1, rate: 50 });
    expect(result.diagnostics).toMatchObject([
      {
        message: "Cannot parse image reference 'invalid::image': invalid format",
        severity: "warning",
        where: { file: "app/values.yaml", line: 1, valuePath: "a.image" },
      },
      { message: "Error parsing image in values path 'a.image': invalid format", severity: "error" },
    ]);
  });

  test("points out two spellings of one image", async () => {
    const result = await relocate({ "values.yaml": "a: {image: nginx:1}\nb: {image: docker.io/nginx:1}\n" });
    expect(messagesOf(result)).toEqual([
      "spelling-differs: docker.io/library/nginx is spelled docker.io/nginx and nginx in this chart",
    ]);
  });

  test("is refused where two sources would share one name", async () => {
    const files = { "values.yaml": "a: {image: quay.io/x/a:1}\nb: {image: ghcr.io/x/a:1}\n" };
    await expect(
      relocate(files, { settings: settingsFor("registry.lan", { strategy: "flat" }) }),
    ).rejects.toMatchObject({
      code: "target-collision",
      message: "ghcr.io/x/a and quay.io/x/a would both be registry.lan/x/a",
    });
  });

  test("is refused where two sources come to share one name in the rendering", async () => {
    const files = {
      "values.yaml":
        "a: {image: {registry: quay.io, repository: x/a, tag: '1'}}\nb: {image: {registry: ghcr.io, repository: x/b, tag: '1'}}\n",
      "templates/pods.yaml": `${pod("<b.image.registry>/x/b:1")}---\n${pod("<a.image.registry>/x/b:1")}`,
    };
    const changes = { settings: settingsFor("registry.lan", { strategy: "flat" }) };
    const message = "ghcr.io/x/b and quay.io/x/b would both be registry.lan/x/b";
    await expect(prove(files, changes)).rejects.toMatchObject({ code: "target-collision", message });
    const chart = await chartOf(files);
    const override = "a: {image: {registry: registry.lan}}\nb: {image: {registry: registry.lan}}\n";
    await expect(
      verifyChart({ ...inputOf(chart, changes), renderer: rendererOf(chart), override }),
    ).rejects.toMatchObject({ code: "target-collision", message });
  });

  test("has three levels of subcharts, and leaves disabled ones out of nothing", async () => {
    const result = await relocate({
      "Chart.yaml": chartYaml("app", "dependencies: [{name: web, version: 1.x.x, condition: web.enabled}]\n"),
      "values.yaml": "web: {enabled: false}\n",
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/charts/api/Chart.yaml": chartYaml("api"),
      "charts/web/charts/api/values.yaml": "image: {registry: quay.io, repository: a/b, tag: '1'}\n",
    });
    expect(result.override).toBe("web:\n  api:\n    image:\n      registry: registry.lan/quayio\n");
    expect(result.images).toMatchObject([
      {
        enabled: false,
        values: [{ file: "app/charts/web/charts/api/values.yaml", line: 1, valuePath: "web.api.image" }],
      },
    ]);
  });
});

describe("the user's values", () => {
  const list = "sidecars: [{name: log, image: 'quay.io/a/log:1', password: secret}]\n";

  test("are context and never in the override", async () => {
    const result = await relocate(
      { "values.yaml": values },
      { userValues: yamlMap("image: {tag: v9}\nsecret: x\nextra: {image: quay.io/c/d:1}") },
    );
    expect(yamlMap(result.override)).toEqual(
      yamlMap("image: {registry: registry.lan/quayio}\nextra: {image: registry.lan/quayio/c/d:1}"),
    );
  });

  test("a list of the chart's own is carried whole", async () => {
    const result = await relocate({ "values.yaml": list }, { userValues: yamlMap("other: 1") });
    expect(yamlMap(result.override)).toEqual(yamlMap(list.replace("quay.io", "registry.lan/quayio")));
  });

  test("a list of theirs is not copied out, and said to stay", async () => {
    const result = await relocate({}, { userValues: yamlMap(list) });
    expect(result.override).toBe("{}\n");
    expect(result.verdict).toMatchObject({ status: "CRITICAL", moved: 0 });
    expect(messagesOf(result)).toEqual([
      "image-not-moved: quay.io/a/log:1 is not moved: it stands in a list of your own values, which an override would have to copy: change it there",
    ]);
  });
});

test("a value that a --set flag sets too is pointed out", async () => {
  const setValues = yamlMap("image: {registry: quay.io}");
  const result = await relocate({ "values.yaml": values }, { userValues: setValues, setValues });
  expect(messagesOf(result)).toContain(
    "set-wins: a --set flag sets this value too, and wins over the override",
  );
  expect(messagesOf(await relocate({ "values.yaml": values })).join()).not.toContain("set-wins");
});

describe("a chart that is rendered", () => {
  test("is OK where every image moved and nothing else changed", async () => {
    const result = await prove({ "values.yaml": values, "templates/pod.yaml": template });
    expect(result).toMatchObject({
      override: "image:\n  registry: registry.lan/quayio\n",
      verdict: {
        status: "OK",
        images: 1,
        moved: 1,
        chartInstall: "passed",
        details: "100% images matched (1/1)",
      },
    });
    expect(result.images).toMatchObject([
      {
        source: "quay.io/a/b:1.1",
        target: "registry.lan/quayio/a/b:1.1",
        status: "moved",
        places: [
          {
            kind: "Pod",
            name: "pod",
            container: "main",
            field: "spec.containers[0].image",
            template: "app/templates/pod.yaml",
            form: "container",
          },
        ],
      },
    ]);
  });

  test("is CRITICAL where a template holds an image, and names its line", async () => {
    const result = await prove({
      "values.yaml": values,
      "templates/pod.yaml": template,
      "templates/job.yaml": pod("quay.io/c/d:1", "job"),
    });
    expect(result.verdict).toMatchObject({ status: "CRITICAL", images: 2, moved: 1, rate: 50 });
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "image-not-moved",
        severity: "error",
        message:
          "quay.io/c/d:1 in Pod/job, container main is not moved: the template holds its name as a literal",
        where: { file: "app/templates/job.yaml", line: 3 },
      }),
    );
  });

  test("is CRITICAL where the template does not read what the override sets", async () => {
    const result = await prove({
      "values.yaml": "image: {registry: quay.io, repository: a/b, tag: '1'}\nhost: quay.io\n",
      "templates/pod.yaml": pod("<host>/<image.repository>:<image.tag>"),
    });
    expect(result.verdict.status).toBe("CRITICAL");
    expect(result.images).toMatchObject([
      {
        status: "not-moved",
        reason: "the override sets image.registry, which the template does not read",
      },
    ]);
  });

  test("is CRITICAL where an image became something else", async () => {
    const result = await prove({
      "values.yaml": values,
      "templates/pod.yaml": pod("<image.repository>/<image.registry>:<image.tag>"),
    });
    expect(result.verdict.status).toBe("CRITICAL");
    expect(messagesOf(result)).toContain(
      "image-misplaced: a/b/quay.io:1.1 in Pod/pod, container main is not moved: it became a/b/registry.lan/quayio:1.1 with the override",
    );
  });

  test("is CRITICAL where a container's image is no reference and stays", async () => {
    const result = await prove({ "templates/pod.yaml": pod("docker.io/Acme/X:1") });
    expect(result.verdict).toMatchObject({ status: "CRITICAL", images: 1, moved: 0 });
    expect(result.images).toMatchObject([{ source: "docker.io/Acme/X:1", status: "not-moved" }]);
    expect(messagesOf(result)).toContain(
      "reference-unparsable: Cannot parse image reference 'docker.io/Acme/X:1': invalid format",
    );
  });

  test("warns of a container's image that moves and is no reference", async () => {
    const result = await prove({
      "values.yaml": "image: {repository: quay.io/a/b, tag: 'x y'}\n",
      "templates/pod.yaml": pod("<image.repository>:${VERSION}"),
    });
    expect(result.verdict.status).toBe("OK");
    expect(messagesOf(result)).toContain(
      "reference-unparsable: Cannot parse image reference 'quay.io/a/b:${VERSION}': invalid format",
    );
  });

  test("tells nothing that the user gave where a container's image is no reference", async () => {
    const result = await prove(
      { "templates/pod.yaml": pod("map[password:c0rrect:Horse]") },
      { redact: (text) => text.replaceAll("c0rrect:Horse", "[redacted]") },
    );
    expect(result.images).toMatchObject([{ source: "map[password:[redacted]]", status: "not-moved" }]);
    expect(JSON.stringify(result)).not.toContain("Horse");
  });

  test("is UNVERIFIED where nothing is rendered, and counts as without a rendering", async () => {
    const result = await prove({ "values.yaml": values });
    expect(result.verdict).toMatchObject({
      status: "UNVERIFIED",
      images: 1,
      moved: 1,
      chartInstall: "not-run",
    });
    const refused = await prove({ "values.yaml": `${values}other: {image: "invalid::image"}\n` });
    expect(refused.verdict).toMatchObject({ status: "CRITICAL", images: 2, moved: 1 });
  });

  test("is CRITICAL where something else changed", async () => {
    const result = await prove({
      "values.yaml": values,
      "templates/pod.yaml": `${template}metadata: {name: pod, labels: {from: <image.registry>}}\n`.replace(
        "metadata: {name: pod}\n",
        "",
      ),
    });
    expect(result.verdict).toMatchObject({ status: "CRITICAL", rate: 100, chartInstall: "passed" });
    expect(messagesOf(result)).toContain(
      'unexpected-change: Pod/pod metadata.labels.from: the override changes "quay.io" to "registry.lan/quayio"',
    );
  });

  test("is CRITICAL where it does not render with the override", async () => {
    const renderer: ChartRenderer = {
      render: async (override) =>
        Promise.resolve(
          override === undefined
            ? { ok: true, manifests: pod("quay.io/a/b:1") }
            : { ok: false, message: "additional properties are not allowed" },
        ),
    };
    const result = await prove({ "values.yaml": values }, { renderer });
    expect(result.verdict).toMatchObject({ status: "CRITICAL", chartInstall: "failed", moved: 0 });
    expect(messagesOf(result)).toContain(
      "render-failed: the chart does not render with the override: additional properties are not allowed",
    );
  });

  test("images that it does not render are planned and not counted", async () => {
    const result = await prove({
      "values.yaml": `${values}extra: {enabled: false, image: quay.io/c/d:1}\n`,
      "templates/pod.yaml": template,
    });
    expect(statusesOf(result)).toEqual([
      "quay.io/a/b:1.1 moved registry.lan/quayio/a/b:1.1",
      "quay.io/c/d:1 planned registry.lan/quayio/c/d:1",
    ]);
    expect(result.verdict).toMatchObject({ status: "OK", images: 1, moved: 1 });
  });

  test("images out of scope stay", async () => {
    const result = await prove(
      { "values.yaml": values, "templates/pod.yaml": template },
      { settings: settingsFor("registry.lan", { sources: parseSourceRegistries(["ghcr.io"]) }) },
    );
    expect(statusesOf(result)).toEqual(["quay.io/a/b:1.1 out-of-scope"]);
    expect(result).toMatchObject({ override: "{}\n", verdict: { status: "OK", images: 0, rate: 100 } });
  });

  test("a pod of helm test does not count where tests are excluded", async () => {
    const hook = pod("quay.io/x/y:1", "probe").replace(
      "name: probe",
      "name: probe, annotations: {helm.sh/hook: test}",
    );
    const files = { "values.yaml": values, "templates/pod.yaml": template, "templates/test.yaml": hook };
    expect((await prove(files)).verdict.status).toBe("CRITICAL");
    expect((await prove(files, { excludeTests: true })).verdict).toMatchObject({ status: "OK", images: 1 });
  });

  test("gets the setting without which it refuses moved images", async () => {
    const result = await prove({
      "values.yaml": values,
      "templates/pod.yaml": template,
      "templates/_errors.tpl": "# allowInsecureImages\n",
    });
    expect(yamlMap(result.override)).toEqual(
      yamlMap("image: {registry: registry.lan/quayio}\nglobal: {security: {allowInsecureImages: true}}"),
    );
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "side-setting-added",
        where: { valuePath: "global.security.allowInsecureImages" },
      }),
    );
    expect(result.verdict.status).toBe("OK");
  });
});

test("a registry that the values name is told by in any rendered text", async () => {
  const files = {
    "values.yaml": "image: reg.example.com/a/b:1\n",
    "templates/pod.yaml": pod("<image>"),
    "templates/more.yaml": "kind: Pod\nspec: {args: ['use reg.example.com/a/c:1']}\n",
  };
  expect(statusesOf(await prove(files))).toEqual([
    "reg.example.com/a/b:1 moved registry.lan/regexamplecom/a/b:1",
    "reg.example.com/a/c:1 not-moved registry.lan/regexamplecom/a/c:1",
  ]);
});

describe("verifyChart", () => {
  const files = { "values.yaml": values, "templates/pod.yaml": template };

  async function verify(override: string): Promise<ChartResult> {
    const chart = await chartOf(files);
    return verifyChart({ ...inputOf(chart), renderer: rendererOf(chart), override, overrideFile: "o.yaml" });
  }

  test.each<[string, string, string, number]>([
    ["the override that moves every image", "image: {registry: registry.lan/quayio}", "OK", 1],
    ["one that moves it by other leaves", "image: {registry: registry.lan, repository: quayio/a/b}", "OK", 1],
    ["nothing", "{}", "CRITICAL", 0],
    ["one that moves it elsewhere", "image: {registry: registry.lan}", "CRITICAL", 0],
    ["one that changes the tag too", "image: {registry: registry.lan/quayio, tag: '2'}", "CRITICAL", 0],
  ])("%s", async (_name, override, status, moved) => {
    expect((await verify(override)).verdict).toMatchObject({ status, moved, images: 1 });
  });

  test("names the value that the override leaves out", async () => {
    const { images, projects } = await verify("{}");
    expect(images).toMatchObject([{ reason: "the override does not set image.registry" }]);
    expect(projects).toMatchObject([{ host: "registry.lan", name: "quayio" }]);
  });

  test.each<[string, string, string]>([
    ["what the override changes beside images", "<service.type>", "CRITICAL"],
    ["a registry shown elsewhere", "<image.registry>", "OK"],
  ])("%s", async (_name, shown, status) => {
    const chart = await chartOf({
      "values.yaml": `${values}service: {type: ClusterIP}\n`,
      "templates/pod.yaml": template,
      "templates/shown.yaml": `kind: Shown\nspec: {text: ${shown}}\n`,
    });
    const override = `image: {registry: registry.lan/quayio, repository: a/b, tag: 1.10}\nservice: {type: NodePort}`;
    const result = await verifyChart({ ...inputOf(chart), renderer: rendererOf(chart), override });
    expect(result.verdict).toMatchObject({ status, moved: 1 });
  });

  test.each([
    ["a list", "- a", "expected a map, found a list"],
    ["no YAML", "a: [", ""],
  ])("%s is refused", async (_name, override, message) => {
    await expect(verify(override)).rejects.toMatchObject({
      code: "input-invalid",
      message: expect.stringContaining(message) as string,
      where: { file: "o.yaml" },
    });
  });
});
