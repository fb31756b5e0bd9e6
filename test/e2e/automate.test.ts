import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import {
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageRepository,
  imageUpdateAutomation,
  secret,
} from "../support/flux-objects.ts";
import { type GitHttpServer, startGitHttp } from "../support/git-http.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { pushImage } from "../support/images.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "flux-system";
const app = { name: "app", namespace };
const password = "correct horse battery";
const author = { name: "Fairlead", email: "fairlead@example.com" };

const manifest = `# A preview of each pull request
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
  labels:
    pr: "0"   # {"$imagepolicy": "flux-system:app:pr"}
  annotations:
    commit: none # {"$imagepolicy": "flux-system:app:sha1"}
    built: '0' # {"$imagepolicy": "flux-system:app:ts"}
spec:
  template:
    spec:
      containers:
      - name: app
        image: old:1 # {"$imagepolicy": "flux-system:app"}
`;

const values = `image: {repository: x, tag: y}\r
tag: 1.0 # {"$imagepolicy": "flux-system:app:tag"}\r
digest: none # {"$imagepolicy": "flux-system:app:digest"}\r
`;

await describeWithTools(["registry", "crane"], "automate", (tools) => {
  let folder: TempDir;
  let registry: Registry;
  let server: GitHttpServer;
  let repository: BareRepository;
  let objects = "";
  let state = "";
  let count = 0;

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("automate");
    registry = await startRegistry(tools.registry);
    server = await startGitHttp({
      root: folder.path,
      authorization: `Basic ${Buffer.from(`git:${password}`).toString("base64")}`,
    });
  });

  afterAll(async () => {
    await server.stop();
    await registry.stop();
    await folder.remove();
  });

  beforeEach(async () => {
    count += 1;
    repository = await createBareRepository(path.join(folder.path, `r${count}.git`), {
      "apps/app.yaml": manifest,
      "apps/values.yaml": values,
      "other/app.yaml": manifest,
    });
    objects = path.join(folder.path, `objects${count}.yaml`);
    state = path.join(folder.path, `state${count}.db`);
    await writeFile(objects, fluxObjects(objectsWith({})));
  });

  function image(): string {
    return `${registry.host}/team/app${count}`;
  }

  interface Changes {
    readonly policy?: object;
    readonly automation?: object;
    readonly git?: object;
    readonly annotations?: object;
  }

  function objectsWith({ policy, automation, git, annotations = {} }: Changes): readonly object[] {
    return [
      imageRepository(app, { image: image() }),
      imagePolicy(app, {
        imageRepositoryRef: { name: "app" },
        filterTags: { pattern: String.raw`^pr-(?P<pr>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`, extract: "$ts" },
        policy: { numerical: { order: "asc" } },
        digestReflectionPolicy: "IfNotPresent",
        ...policy,
      }),
      gitRepository(app, {
        url: `${server.url}/r${count}.git`,
        secretRef: { name: "git" },
        ref: { branch: "main" },
      }),
      secret({ name: "git", namespace }, { username: "git", password }),
      imageUpdateAutomation(
        { ...app, annotations },
        {
          sourceRef: { kind: "GitRepository", name: "app" },
          update: { strategy: "Setters", path: "./apps" },
          git: {
            commit: {
              author,
              messageTemplate: "{{ range .Changed.Changes }}{{ .OldValue }} -> {{ .NewValue }}\n{{ end }}",
            },
            ...git,
          },
          ...automation,
        },
      ),
    ];
  }

  async function automate(...args: readonly string[]): Promise<RunResult> {
    return runCommand("fairlead", ["automate", "--config", objects, "--state", state, ...args]);
  }

  async function status(): Promise<string> {
    const { stdout } = await runCommand("fairlead", ["status", "--config", objects, "--state", state]);
    return stdout;
  }

  test("writes image, tag, digest and attributes of RFC-0005, a line each", async () => {
    await pushImage(tools.crane, `${image()}:pr-7-1700000000-0a1b2c3`, "old");
    const digest = await pushImage(tools.crane, `${image()}:pr-1245-1700000001-9f8e7d6`, "new");
    const dry = await automate("--dry-run");
    expect(dry.stdout).toContain("would commit: 0 -> 1245");
    expect(await repository.subjects("main")).toHaveLength(1);
    const run = await automate();
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const commit = await repository.git("rev-parse", "main");
    expect(run.stdout).toContain(`flux-system/app: pushed commit '${commit.slice(0, 7)}' to branch 'main'\n`);
    expect(await repository.git("diff", "-U0", "--format=", "main~1", "main")).toBe(
      await expectedDiff(repository, digest, image()),
    );
    const tag = "pr-1245-1700000001-9f8e7d6";
    const lines = [
      `${author.name} <${author.email}>`,
      "0 -> 1245",
      "none -> 9f8e7d6",
      "0 -> 1700000001",
      `old:1 -> ${image()}:${tag}@${digest}`,
      `1.0 -> ${tag}`,
      `none -> ${digest}`,
    ];
    expect(await repository.git("log", "-1", "--format=%an <%ae>%n%B", "main")).toBe(lines.join("\n"));
    expect(await status()).toContain("pr=1245,ts=1700000001,sha1=9f8e7d6");
  });

  test("does nothing where nothing has changed, and looks again when it is asked", async () => {
    await pushImage(tools.crane, `${image()}:pr-1-1-a`, "a");
    await automate();
    const seen = server.requests.length;
    const again = await automate();
    expect(again).toMatchObject({ exitCode: 0, stdout: "flux-system/app: up to date\n" });
    const paths = server.requests.slice(seen).map(({ method, url }) => `${method} ${url}`);
    expect(paths.filter((request) => !request.includes("info/refs"))).toEqual([
      `POST /r${count}.git/git-upload-pack`,
    ]);
    await repository.commit("main", { "apps/app.yaml": manifest });
    const annotations = { "reconcile.fluxcd.io/requestedAt": "now" };
    await writeFile(objects, fluxObjects(objectsWith({ annotations })));
    expect((await automate()).stdout).toContain("pushed commit");
  });

  test("writes again where only the pattern has changed", async () => {
    await pushImage(tools.crane, `${image()}:pr-12-34-ab`, "a");
    await automate();
    const filterTags = {
      pattern: String.raw`^pr-(?P<pr>\d)(?P<rest>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`,
      extract: "$ts",
    };
    await writeFile(objects, fluxObjects(objectsWith({ policy: { filterTags } })));
    expect((await automate()).stdout).toContain("pr: 12 -> 1");
  });

  test("tells what fails, does the rest, and ends with the failure", async () => {
    await pushImage(tools.crane, `${image()}:pr-1-1-a`, "a");
    const other = { name: "other", namespace };
    await writeFile(
      objects,
      fluxObjects([
        ...objectsWith({}),
        imageRepository(other, { image: `${registry.host}/team/none` }),
        imagePolicy(other, { imageRepositoryRef: { name: "other" }, policy: { semver: { range: "*" } } }),
        gitRepository(other, { url: `${server.url}/none.git` }),
        imageUpdateAutomation(other, {
          sourceRef: { kind: "GitRepository", name: "other" },
          git: { commit: { author }, push: { branch: "main" } },
        }),
      ]),
    );
    const run = await automate();
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain("flux-system/app: pushed commit");
    expect(run.stderr).toContain("ImageRepository flux-system/other: ReadOperationFailed: scan failed");
    expect(run.stderr).toContain(
      "ImageUpdateAutomation flux-system/other: GitOperationFailed: failed to checkout",
    );
    const told = await status();
    expect(told).toMatch(/imagepolicy\/other +False +no tags in database/u);
    expect(told).toMatch(/imagerepository\/app .* True +successful scan: found 1 tags with checksum \d+/u);
  });

  test("says where there is nothing to write, and no state yet", async () => {
    const run = await runCommand("fairlead", ["status", "--config", objects, "--state", state]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("hint: fairlead automate --state FILE makes it");
    await pushImage(tools.crane, `${image()}:pr-1-1-a`, "a");
    const [scanned, chosen] = objectsWith({});
    await writeFile(objects, fluxObjects([scanned, chosen].filter((object) => object !== undefined)));
    const { exitCode, stderr } = await automate();
    expect(exitCode).toBe(0);
    expect(stderr).toContain("there is no ImageUpdateAutomation among the objects");
    expect(await status()).toContain("pr-1-1-a");
  });

  test("tells no secret", async () => {
    await pushImage(tools.crane, `${image()}:pr-1-1-a`, "a");
    await writeFile(
      objects,
      fluxObjects([...objectsWith({}), secret({ name: "git", namespace: "other" }, { password })]).replaceAll(
        password,
        "wrong horse battery",
      ),
    );
    const run = await automate("--verbose", "--output", "json");
    expect(run.exitCode).toBe(1);
    expect(run.stdout + run.stderr).not.toContain("wrong horse");
    expect((await readFile(state)).includes("wrong horse")).toBe(false);
  });
});

async function expectedDiff(repository: BareRepository, digest: string, image: string): Promise<string> {
  const tag = "pr-1245-1700000001-9f8e7d6";
  const changed = {
    "apps/app.yaml": manifest
      .replace('"0"', '"1245"')
      .replace("none", "9f8e7d6")
      .replace("'0'", "'1700000001'")
      .replace("old:1", `${image}:${tag}@${digest}`),
    "apps/values.yaml": values.replace("1.0", tag).replace("none", digest),
  };
  await repository.commit("expected", changed, { from: "refs/remotes/origin/heads/main~1" });
  return repository.git("diff", "-U0", "--format=", "expected~1", "expected");
}
