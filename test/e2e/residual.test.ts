import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, type RunResult } from "../../src/core/process.ts";
import { chartYaml, writeFiles } from "../support/chart-files.ts";
import { buildCommands, commandEnvironment, commandLine, runCommand } from "../support/cli.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const values = "web: {image: 'quay.io/team/web:1'}\n";

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      initContainers:
        - {name: init, image: busybox}
      containers:
        - name: web
          image: {{ .Values.web.image }}   # from the values
        - name: side
          image: "quay.io/team/side:2"   # a literal
          args:
            - --helper-image=quay.io/team/helper:3
`;

const job = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations:
    helm.sh/hook: pre-install
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: 'quay.io/team/migrate:4'
`;

const testPod = `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-test
  annotations:
    helm.sh/hook: test
spec:
  containers:
    - name: curl
      image: curlimages/curl
`;

const others = `apiVersion: example.com/v1
kind: Policy
metadata:
  name: policy.shop
  namespace: {{ .Release.Namespace }}
spec:
  driver:
    repository: quay.io/team
    image: driver
    version: "5"
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: config
data:
  pod.yaml: |
    # made for {{ .Release.Name }}
    image: quay.io/team/sidecar:6
    web: {{ .Values.web.image }}
  folded: >-
    use quay.io/team/sidecar:6
    here
---
apiVersion: v1
kind: Secret
metadata:
  name: secret
data:
  run.sh: {{ printf "docker run quay.io/team/run:7 --name x\\n" | b64enc }}
`;

const moved = "registry.lan/quayio/team";
const script = (name: string): string =>
  Buffer.from(`docker run ${name}/run:7 --name x\n`).toString("base64");

/** What a residual plan changes, text by text, in what helm prints with the override. */
const replacements: readonly (readonly [from: string, to: string])[] = [
  ["image: busybox", "image: registry.lan/dockerio/library/busybox"],
  ["quay.io/team/side:2", `${moved}/side:2`],
  ["quay.io/team/helper:3", `${moved}/helper:3`],
  ["quay.io/team/sidecar:6", `${moved}/sidecar:6`],
  ["repository: quay.io/team", `repository: ${moved}`],
  [script("quay.io/team"), script(moved)],
];
const hookReplacements: readonly (readonly [from: string, to: string])[] = [
  ["quay.io/team/migrate:4", `${moved}/migrate:4`],
  ["image: curlimages/curl", "image: registry.lan/dockerio/curlimages/curl"],
];

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

const allMoved = [
  ...["helper:3", "migrate:4", "run:7", "side:2", "sidecar:6", "sidecar:6", "web:1", "web:1"].map(
    (name) => `${moved}/${name}`,
  ),
  "registry.lan/dockerio/curlimages/curl",
  "registry.lan/dockerio/library/busybox",
  moved,
].sort();

const target = ["-t", "registry.lan", "-s", "*"];
const together =
  "OK: override and residual plan together: 100% images matched (9/9), and nothing else changes\n";

let folder: TempDir;
let program: string;

beforeAll(async () => {
  await buildCommands();
  folder = await createTempDir("residual");
  await writeFiles(folder.path, {
    "shop/Chart.yaml": chartYaml("shop"),
    "shop/values.yaml": values,
    "shop/templates/web.yaml": deployment,
    "shop/templates/hook.yaml": `${job}---\n${testPod}`,
    "shop/templates/more.yaml": others,
    "random/Chart.yaml": chartYaml("random"),
    "random/templates/test.yaml": testPod.replace("-test", "-{{ randAlphaNum 9 | lower }}"),
  });
  program = path.join(folder.path, "fairlead");
  await writeFile(program, `#!/bin/sh\nexec ${commandLine("fairlead", []).join(" ")} "$@"\n`);
  await chmod(program, 0o755);
});

afterAll(() => folder.remove());

function fairlead(...args: readonly string[]): Promise<RunResult> {
  return runCommand("fairlead", args, { cwd: folder.path });
}

async function postRender(stdin: string): Promise<RunResult> {
  return run(program, ["post-render", "helm3/residual.json"], { cwd: folder.path, stdin, timeoutMs: 60_000 });
}

/** Writes a residual plan and the override, which `override.yaml` then has. */
async function writeResidual(form: string, into: string, ...flags: readonly string[]): Promise<RunResult> {
  const output = ["-o", "override.yaml", "--force"];
  return fairlead("override", "shop", ...target, ...output, ...flags, "--residual", form, into);
}

async function helm(
  binary: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  return run(
    binary,
    ["template", "live", "shop", "--namespace", "web", "--values", "override.yaml", ...args],
    {
      cwd: folder.path,
      env: commandEnvironment({ FAIRLEAD: program, ...env }),
      timeoutMs: 60_000,
    },
  );
}

describe("the command", () => {
  test("proves override and plan together, and keeps the verdict of the override", async () => {
    const images = ["--image-list", "images.txt", "--report", "report.json"];
    const result = await writeResidual("post-renderer", "told", ...images);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stderr).toContain("CRITICAL: shop 1.0.0: 11.1% images matched (8/9 failed)\n");
    expect(result.stderr).toContain("Values do not reach 9 fields of 6 objects.\nOf these, 2 hooks,");
    expect(result.stderr).toContain("Projects that must exist at registry.lan: ");
    expect(result.stderr.endsWith(together)).toBe(true);
    expect(await readFile(path.join(folder.path, "images.txt"), "utf8")).toContain(
      "docker.io/library/busybox:latest registry.lan/dockerio/library/busybox:latest\n",
    );
    const report = JSON.parse(await readFile(path.join(folder.path, "report.json"), "utf8")) as unknown;
    expect(report).toMatchObject({
      charts: [{ exitCode: 0, residual: { objects: 6, fields: 9, hooks: 2, verdict: { status: "OK" } } }],
    });
    const again = await writeResidual("post-renderer", "told", "--image-list", "images.txt");
    expect(again.exitCode, again.stderr).toBe(0);
    expect((await readdir(path.join(folder.path, "told"))).sort()).toEqual([
      "plugin.yaml",
      "post-renderer",
      "residual.json",
    ]);
  });

  test("writes a program", async () => {
    await writeResidual("post-renderer", "program");
    expect((await stat(path.join(folder.path, "program/post-renderer"))).mode & 0o777).toBe(0o755);
  });

  test("keeps a kustomization with a Secret's text to its owner", async () => {
    await writeResidual("kustomize", "private");
    expect((await stat(path.join(folder.path, "private/kustomization.yaml"))).mode & 0o777).toBe(0o600);
  });

  test("refuses a kustomization where names are others each time", async () => {
    const args = ["override", "random", ...target, "-o", "random.yaml", "--residual"];
    const result = await fairlead(...args, "kustomize", "random-names");
    expect(result.exitCode, result.stderr).toBe(4);
    expect(result.stderr).toContain("--residual post-renderer finds them");
    expect(await readdir(folder.path)).not.toContain("random-names");
    const other = await fairlead(...args, "post-renderer", "random-names");
    expect(other.exitCode, other.stderr).toBe(0);
  });

  test("writes nothing where a file of the folder is someone else's", async () => {
    await writeFiles(folder.path, { "taken/plugin.yaml": "name: mine\n" });
    const args = ["override", "shop", ...target, "-o", "taken.yaml", "--residual", "post-renderer", "taken"];
    const result = await fairlead(...args);
    expect(result.exitCode, result.stderr).toBe(2);
    expect(await readdir(path.join(folder.path, "taken"))).toEqual(["plugin.yaml"]);
    expect(await readdir(folder.path)).not.toContain("taken.yaml");
  });

  test.each([
    ["an unknown form", ["--residual", "helm", "out"], "--residual knows no form helm"],
    ["no folder", ["--residual", "kustomize"], "--residual takes a form and one folder"],
    ["more than a folder", ["--residual", "kustomize", "out", "more"], "name the chart before it"],
    ["nothing rendered", ["--no-verify", "--residual", "kustomize", "out"], "has no effect with --no-verify"],
    ["a folder in none", ["--residual", "kustomize", "none/out"], "its folder does not exist"],
    ["a file for a folder", ["--residual", "kustomize", "shop/Chart.yaml"], "this is no folder"],
  ])("%s is wrong input", async (_name, flags, told) => {
    const result = await fairlead("override", "shop", ...target, ...flags);
    expect([result.exitCode, result.stdout], result.stderr).toEqual([2, ""]);
    expect(result.stderr).toContain(told);
  });
});

await describeWithTools(["helm3"], "helm 3", (tools) => {
  beforeAll(async () => {
    await writeResidual("post-renderer", "helm3");
  });

  test("says that hooks are missing, and moves the rest where that is wanted", async () => {
    const flags = ["--post-renderer", "helm3/post-renderer"];
    const refused = await helm(tools.helm3, flags);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("Helm 3 keeps hooks from post-renderers");
    const plain = await helm(tools.helm3, []);
    const result = await helm(tools.helm3, [...flags, "--post-renderer-args", "--without-hooks"]);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout).toBe(replaceAll(plain.stdout, replacements));
  });

  test("says that fairlead is missing", async () => {
    const flags = ["--post-renderer", "helm3/post-renderer"];
    const result = await helm(tools.helm3, flags, { FAIRLEAD: "no-such-fairlead" });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("no-such-fairlead is not on PATH");
  });

  test("what it prints moves as a whole, every other byte the same", async () => {
    const plain = await helm(tools.helm3, []);
    const result = await postRender(plain.stdout);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout).toBe(replaceAll(plain.stdout, [...replacements, ...hookReplacements]));
    expect((await postRender(result.stdout)).stdout).toBe(result.stdout);
    const drift = await postRender(plain.stdout.replace("team/side:2", "team/side:3"));
    expect([drift.exitCode, drift.stdout]).toEqual([4, ""]);
    expect(drift.stderr).toContain("Deployment release-name-web: ");
  });
});

await describeWithTools(["helm4"], "helm 4", (tools) => {
  test("moves everything, hooks included", async () => {
    await writeResidual("post-renderer", "helm4");
    await mkdir(path.join(folder.path, "plugins"));
    await rename(path.join(folder.path, "helm4"), path.join(folder.path, "plugins/residual"));
    const env = { HELM_PLUGINS: path.join(folder.path, "plugins") };
    const result = await helm(tools.helm4, ["--post-renderer", "residual-shop"], env);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(imagesIn(result.stdout)).toEqual(allMoved);
  });
});

await describeWithTools(["helm3", "kustomize"], "kustomize", (tools) => {
  let patches: string;
  let manifests: string;

  beforeAll(async () => {
    const release = ["--release-name", "live", "--namespace", "web"];
    const written = await writeResidual("kustomize", "patches", ...release);
    expect(written.exitCode, written.stderr).toBe(0);
    patches = path.join(folder.path, "patches");
    manifests = (await helm(tools.helm3, [])).stdout;
  });

  async function build(text: string): Promise<RunResult> {
    await writeFile(path.join(patches, "all.yaml"), text);
    return run(tools.kustomize, ["build", patches], { timeoutMs: 60_000 });
  }

  test("moves everything, hooks included", async () => {
    const result = await build(manifests);
    expect(result.exitCode, result.stderr).toBe(0);
    expect(imagesIn(result.stdout)).toEqual(allMoved);
  });

  test("fails where a text is another one than the plan's", async () => {
    const result = await build(manifests.replace("team/side:2", "team/side:3"));
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain("/spec/template/spec/containers/1/image");
  });
});

/** Everything in manifests that could be pulled, what is in base64 and the repository of the split image too. */
function imagesIn(text: string): string[] {
  const decoded = text.replaceAll(/run\.sh: (?<data>\S+)/gu, (_match, data: string) =>
    Buffer.from(data, "base64").toString("utf8"),
  );
  return (
    decoded.match(/(?:registry\.lan|quay\.io)\/[a-z0-9/:]+|(?<=image: )(?:busybox|curlimages\/curl)/gu) ?? []
  ).sort();
}
