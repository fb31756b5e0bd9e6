import { describe, expect, test } from "vitest";
import { chartYaml } from "../support/chart-files.ts";
import { createRowRunner, nothing } from "../support/cli-rows.ts";
import { runCommand } from "../support/cli.ts";

const rows = createRowRunner();

const files = {
  "chart/Chart.yaml": chartYaml("chart", "appVersion: '7'\n"),
  "chart/templates/web.yaml": `kind: Deployment
metadata: {name: web}
spec:
  containers:
    - name: main
      image: {{ .Values.web.image.repository }}:{{ .Values.web.image.tag | default .Chart.AppVersion }}
    - name: proxy
      image: quay.io/org/proxy:{{ required "a version is needed" .Values.proxy }}
`,
  "own.yaml": "web:\n  image:\n    tag: '8'\n",
};
const values = "web:\n  image: {repository: nginx, tag: ''}\nproxy: '1'\nspare: {image: org/spare:1}\n";

describe("images", () => {
  rows.run([
    {
      name: "with what each comes from",
      args: ["images", "chart"],
      files,
      values,
      stdout:
        /nginx:7 +web\.image\.repository +tag: \.Chart\.AppVersion, unless web\.image\.tag is set\nquay\.io\/org\/proxy:1 +proxy +registry, repository: literal in chart\/templates\/web\.yaml:8\norg\/spare:1 +spare\.image +not rendered\n$/u,
    },
    {
      name: "a value of a file and one of a flag",
      args: ["images", "chart", "-f", "own.yaml", "--set", "proxy=2", "--output", "json"],
      files,
      values,
      stdout:
        /"path": "web\.image\.tag",\s+"file": "own\.yaml",\s+"line": 3,[^]*"path": "proxy",\s+"flag": "--set"/u,
    },
    {
      name: "of a chart that does not render",
      args: ["images", "chart", "--set", "proxy="],
      files,
      values,
      stdout: /^IMAGE +VALUES +NOTE\nnginx +web\.image\norg\/spare:1 +spare\.image\n$/u,
      stderr: [
        "warning: the chart does not render, so the images are what its values look like: ",
        "a version is needed",
        "hint: give the values it needs with -f or --set",
      ],
    },
    {
      name: "without rendering",
      args: ["images", "chart", "--set", "proxy=", "--no-render", "--output", "json"],
      files,
      values,
      stdout: '"rendered": false',
      stderr: [nothing],
    },
  ]);
});

describe("explain", () => {
  rows.run([
    {
      name: "the objects",
      args: ["explain", "chart"],
      files,
      values,
      stdout: /^OBJECT +TEMPLATE\nDeployment\/web +chart\/templates\/web\.yaml\n$/u,
    },
    {
      name: "a field",
      args: ["explain", "chart", "Deployment/web", "spec.containers[main].image"],
      files,
      values,
      stdout: `Deployment/web spec.containers[0].image
  of chart/templates/web.yaml

nginx:7

TEXT   FROM                         AT
nginx  web.image.repository         chart/values.yaml:2:11
:      the template's text          chart/templates/web.yaml:6:48
7      .Chart.AppVersion            chart/Chart.yaml:4:1
       unless web.image.tag is set  chart/values.yaml:2:30
`,
    },
    {
      name: "an object",
      args: ["explain", "chart", "deployment/web"],
      files,
      values,
      stdout: /spec\.containers\[1\]\.image +quay\.io\/org\/proxy:1 +proxy +chart\/values\.yaml:3:1\n$/u,
    },
    {
      name: "a field as JSON",
      args: ["explain", "chart", "Deployment/web", "kind", "--output", "json"],
      files,
      values,
      stdout: /"field": "kind",\s+"value": "Deployment"[^]*"kind": "template",\s+"text": "Deployment"/u,
    },
    {
      name: "a mistyped object",
      args: ["explain", "chart", "Deployment/wbe"],
      files,
      values,
      exitCode: 2,
      stdout: nothing,
      stderr: ["the chart renders no Deployment/wbe", "did you mean Deployment/web?"],
    },
    {
      name: "a mistyped field",
      args: ["explain", "chart", "Deployment/web", "spec.containers[mian].image"],
      files,
      values,
      exitCode: 2,
      stdout: nothing,
      stderr: ["spec.containers has no mian", "did you mean main?"],
    },
    {
      name: "a chart that does not render",
      args: ["explain", "chart", "--set", "proxy="],
      files,
      values,
      exitCode: 1,
      stdout: nothing,
      stderr: ["the chart does not render", "a version is needed"],
    },
    {
      name: "no chart",
      args: ["explain"],
      exitCode: 2,
      stdout: nothing,
      stderr: ["missing required argument"],
    },
  ]);
});

test("the release's name and namespace are those asked for", async () => {
  const args = ["explain", "examples/shop", "--release-name", "one", "--namespace", "two"];
  const { stdout } = await runCommand("fairlead", args);
  expect(stdout).toContain("Deployment/one-web ");
});

test("each piece of the example chart's images is known", async () => {
  const { stdout } = await runCommand("fairlead", ["images", "examples/shop", "--output", "json"]);
  const { images } = JSON.parse(stdout) as {
    readonly images: readonly {
      readonly source: string;
      readonly places: readonly {
        readonly origins: readonly { readonly text: string; readonly kind: string }[];
      }[];
    }[];
  };
  const places = images.flatMap(({ source, places: all }) => all.map((place) => ({ source, ...place })));
  expect(places.length).toBeGreaterThan(10);
  for (const { source, origins } of places) {
    expect(origins.map(({ text }) => text).join("")).toBe(source);
    expect(origins.map(({ kind }) => kind)).not.toContain("unknown");
  }
});
