import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageFiles } from "../../scripts/package-files.ts";
import { run, type RunResult } from "../../src/core/process.ts";
import { chartYaml, writeFiles } from "../support/chart-files.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { commandEnvironment, commandLine } from "../support/cli.ts";
import { leftOutPrefix } from "../support/left-out.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

const platform = `${process.platform}-${process.arch}`;
const hasNode = existsSync(path.join(repositoryRoot, `node_modules/node-${platform}/bin/node`));

/** Where nothing is but the binary under its usual name, an empty home and the charts. */
let folder: TempDir;
let binary: string;
let home: string;

async function release(output: string): Promise<RunResult> {
  const args = ["scripts/release.ts", "--platform", platform, "--output", output];
  return run(process.execPath, args, { cwd: repositoryRoot, timeoutMs: 300_000 });
}

const lost = { PATH: "/nowhere", NO_COLOR: "1" };

/** Runs the binary where there is no Node, no npm, no tool and no home to write to. */
async function runBinary(args: readonly string[], program: string = binary, stdin = ""): Promise<RunResult> {
  return run(program, args, { cwd: folder.path, env: { ...lost, HOME: home }, stdin, timeoutMs: 60_000 });
}

/** Runs the commands of the npm package, on this process's Node. */
async function runPackage(args: readonly string[], stdin = ""): Promise<RunResult> {
  const [program = "", ...rest] = commandLine("fairlead", args);
  const env = commandEnvironment({ NO_COLOR: "1" });
  return run(program, rest, { cwd: folder.path, env, stdin, timeoutMs: 60_000 });
}

/** Templates that include themselves: within what Helm allows, and for ever. */
const recursion = (levels: number): string => `
{{- define "down" }}{{ if lt .n ${levels} }}{{ include "down" (dict "n" (add1 .n)) }}{{ else }}bottom{{ end }}{{ end }}
apiVersion: v1
kind: ConfigMap
metadata: { name: deep }
data: { at: '{{ include "down" (dict "n" 0) }}' }
`;

const chosenPolicy = `
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: { name: shop, namespace: flux-system }
spec: { imageRepositoryRef: { name: shop }, policy: { semver: { range: 1.x } } }
status: { latestRef: { name: ghcr.io/example/shop, tag: 1.4.2 } }
`;

beforeAll(async () => {
  if (!hasNode) return;
  folder = await createTempDir("release");
  await mkdir(path.join(folder.path, "built"));
  const built = await release(path.join(folder.path, "built"));
  expect(built).toMatchObject({ exitCode: 0, stderr: "" });
  binary = path.join(folder.path, "fairlead");
  await rename(path.join(folder.path, `built/fairlead-${platform}`), binary);
  home = path.join(folder.path, "home");
  await mkdir(home);
  await symlink(path.join(repositoryRoot, "examples"), path.join(folder.path, "examples"));
  await writeFiles(folder.path, {
    "deep/Chart.yaml": chartYaml("deep"),
    "deep/templates/deep.yaml": recursion(900),
    "endless/Chart.yaml": chartYaml("endless"),
    "endless/templates/deep.yaml": recursion(1e9),
    "broken/Chart.yaml": chartYaml("broken"),
    "broken/templates/a.yaml": "{{ if }}",
    "no-yaml/Chart.yaml": "a: [",
    "archive.tgz": Buffer.from([0x1f, 0x8b, 0, 1, 2, 3]),
    "tree/app.yaml": 'image: ghcr.io/example/shop:1.0.0 # {"$imagepolicy": "flux-system:shop"}\n',
    "policy.yaml": chosenPolicy,
    "notify/none.yaml": "",
  });
});

afterAll(() => folder?.remove());

const everything = ["-t", "harbor.example.com", "-s", "*"];
/** More than two, so that threads work on them. */
const surveyed = ["examples/shop", "examples/shop/charts/catalog", "deep", "broken", "missing"];

const objects = "examples/images/objects.yaml";

const sameCommands: readonly [name: string, args: readonly string[], exitCode?: number][] = [
  ["the version", ["--version"]],
  ["the help", ["--help"]],
  ["the help of the gateway", ["gateway", "--help"]],
  ["the help of the image service", ["image-service", "--help"]],
  ["the help of the controllers", ["controller", "--help"]],
  ["a completion", ["completion", "bash"]],
  ["an override", ["override", "examples/shop", ...everything]],
  ["images as JSON", ["images", "examples/shop", "--output", "json"]],
  ["a rendering", ["render", "examples/shop"]],
  [
    "the tag of a policy",
    ["policy", "select", "-f", objects, "--policy", "flux-system/shop", "--tags", "examples/images/tags.txt"],
  ],
  ["an update that writes nothing", ["update", "tree", "--config", "policy.yaml", "--dry-run"]],
  ["image specs", ["imagespec", "convert", "--to", "both", "--filename", "examples/image-spec/docker.yaml"]],
  ["a survey in threads", ["survey", ...surveyed, ...everything, "--jobs", "3"], 2],
  ["no command", [], 2],
  ["an unknown flag", ["render", "examples/shop", "--unknown"], 2],
  ["an unknown command", ["frobnicate"], 2],
  ["a chart that is not there", ["render", "missing"], 2],
  ["a template that is none", ["render", "broken"], 1],
  ["a chart without YAML", ["images", "no-yaml"], 3],
  ["an archive that is none", ["images", "archive.tgz"], 2],
  ["no containerd", ["image", "list", "--runtime-endpoint", "unix:///nowhere.sock"], 1],
];

/** Runs the binary with a script before it, whose first line of output is JSON. */
async function runAfter(script: string, args: readonly string[]): Promise<unknown> {
  await writeFiles(folder.path, { "before.cjs": script });
  const env = { ...lost, NODE_OPTIONS: `--require=${folder.path}/before.cjs` };
  const { stdout, stderr } = await run(binary, args, { cwd: folder.path, env });
  const [line = ""] = stdout.split("\n");
  expect(stderr).toBe("");
  return JSON.parse(line);
}

describe.skipIf(!hasNode)("the single binary", () => {
  test.each(sameCommands)("says and ends as the package does: %s", async (_name, args, exitCode = 0) => {
    const result = await runBinary(args);
    expect(result).toEqual(await runPackage(args));
    expect(result.exitCode, result.stderr).toBe(exitCode);
  });

  test("starts the other program under its name", async () => {
    const link = path.join(folder.path, "helm-image-override");
    await symlink(binary, link);
    const { exitCode, stdout } = await runBinary(["--help"], link);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: helm-image-override /u);
  });

  test("lets templates include themselves as often as Helm does, and no more", async () => {
    const deep = await runBinary(["render", "deep"]);
    expect(deep).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("at: 'bottom'") as string });
    const endless = await runBinary(["render", "endless"]);
    expect(endless).toMatchObject({ exitCode: 1, stdout: "" });
    expect(endless.stderr).toMatch(/nested reference name: down/u);
  });

  test("reads standard input and writes files", async () => {
    const override = ["override", "examples/shop", ...everything];
    expect(await runBinary([...override, "--output-file", "values.yaml"])).toMatchObject({ exitCode: 0 });
    const { stdout } = await runPackage(override);
    expect(await readFile(path.join(folder.path, "values.yaml"), "utf8")).toBe(stdout);
    const args = ["imagespec", "validate", "--filename", "-"];
    const manifest = await readFile(path.join(repositoryRoot, "examples/image-spec/docker.yaml"), "utf8");
    expect(await runBinary(args, binary, manifest)).toEqual(await runPackage(args, manifest));
  });

  test("has every package that is loaded when it is used", async () => {
    const script = `
      const { getAsset, getAssetKeys } = process.getBuiltinModule("node:sea");
      const loader = {};
      new Function("exports", getAsset("require-asset.js", "utf8"))(loader);
      const packages = getAssetKeys().filter((name) => name.startsWith("packages/"));
      const names = packages.map((name) => [name, Object.keys(loader.requireAsset("./" + name)).sort()]);
      console.log(JSON.stringify(Object.fromEntries(names)));
    `;
    const require = createRequire(import.meta.url);
    const expected = Object.keys(packageFiles).map((name): [string, string[]] => [
      `${name}.cjs`,
      Object.keys(require(path.join(repositoryRoot, "dist", `${name}.cjs`)) as object).sort(),
    ]);
    expect(await runAfter(script, ["--version"])).toEqual(Object.fromEntries(expected));
  });

  test("serves notifications from a state on disk", async () => {
    const listeners = ["--listen", "--receiver-listen", "--metrics-listen", "--admin-listen"];
    const addresses = listeners.flatMap((flag) => [flag, "127.0.0.1:0"]);
    const args = ["notify", "serve", "--config", "notify", "--state", "notify.db", ...addresses];
    const server = spawn(binary, args, { cwd: folder.path, env: lost, stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(server, "exit");
    try {
      const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
      const { metrics } = JSON.parse(line) as { readonly metrics: string };
      expect((await fetch(`http://${metrics}/healthz`)).status).toBe(200);
    } finally {
      server.kill("SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
    expect(existsSync(path.join(folder.path, "notify.db"))).toBe(true);
  });

  test("brings its compiled code along", async () => {
    const script = `
      const vm = require("node:vm");
      vm.Script = class extends vm.Script {
        constructor(source, options) {
          super(source, options);
          console.log(JSON.stringify({ isRejected: this.cachedDataRejected }));
        }
      };
    `;
    expect(await runAfter(script, ["--version"])).toEqual({ isRejected: false });
  });

  test("is the same in another folder, and has its sum", async () => {
    const again = path.join(folder.path, "again");
    expect(await release(again)).toMatchObject({ exitCode: 0 });
    const bytes = await readFile(binary);
    expect(bytes.equals(await readFile(path.join(again, `fairlead-${platform}`)))).toBe(true);
    const sum = createHash("sha256").update(bytes).digest("hex");
    expect(await readFile(path.join(again, "SHA256SUMS"), "utf8")).toBe(`${sum}  fairlead-${platform}\n`);
    expect(await readdir(again)).toEqual(["NOTICES.txt", "SHA256SUMS", `fairlead-${platform}`]);
  });

  test("tells the licences of all that is in it", async () => {
    const notices = await readFile(path.join(folder.path, "built/NOTICES.txt"), "utf8");
    expect(notices).toMatch(/^Node\.js \d/u);
    const manifest = await readFile(path.join(repositoryRoot, "package.json"), "utf8");
    const { dependencies } = JSON.parse(manifest) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    for (const [name, version] of Object.entries(dependencies))
      expect(notices).toContain(`\n${name} ${version} (`);
  });

  test("leaves nothing behind in the home", async () => {
    expect(await readdir(home)).toEqual([]);
  });
});

if (!hasNode)
  test("the single binary", ({ skip }) => skip(`${leftOutPrefix}no package has Node for ${platform}`));
