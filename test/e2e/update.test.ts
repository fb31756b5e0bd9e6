import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { openState } from "../../src/automation/state/automation-state.ts";
import { runInProcess } from "../support/cli.ts";
import { pushImage } from "../support/images.ts";
import { startRegistry, type Registry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

let folder: TempDir;
beforeEach(async () => {
  folder = await createTempDir("update");
});
afterEach(() => folder.remove());

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

const read = (name: string): Promise<string> => readFile(path.join(folder.path, name), "utf8");

/** Runs `fairlead update` on the folder `tree` with the objects of the folder `objects`. */
async function update(...args: readonly string[]): Promise<RunResult> {
  const config = path.join(folder.path, "objects");
  return runInProcess("fairlead", ["update", path.join(folder.path, "tree"), "--config", config, ...args]);
}

interface PolicyText {
  readonly name?: string;
  readonly image?: string;
  readonly annotations?: string;
  readonly status?: string;
}

/** An ImageRepository and an ImagePolicy as in the example of RFC-0005. */
function objectsOf({ name = "shop", image = "ghcr.io/acme/shop", annotations, status }: PolicyText): string {
  return `
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: { name: ${name}, namespace: apps }
spec: { image: ${image}, interval: 1m }
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: { name: ${name}, namespace: apps${annotations === undefined ? "" : `, annotations: ${annotations}`} }
spec:
  imageRepositoryRef: { name: ${name} }
  filterTags:
    pattern: '^pr-(?P<pr>.*)-(?P<ts>\\d*)-(?P<sha1>[0-9a-f]*)(?P<rest>!)?$'
    extract: $ts
  policy: { numerical: { order: asc } }
${status === undefined ? "" : `status: { latestRef: { name: ${image}, tag: ${status} } }\n`}`;
}

const deployment = `# The shop.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels:
    pr: "1" # {"$imagepolicy": "apps:shop:pr"}
  annotations: {ts: 0} # {"$imagepolicy": "apps:shop:ts"}
spec:

  image: ghcr.io/acme/shop:pr-1-0-abc # {"$imagepolicy": "apps:shop"}
  sha1: abc # {"$imagepolicy": "apps:shop:sha1"}
`;
const updated = deployment
  .replace('pr: "1"', 'pr: "7"')
  .replace("{ts: 0}", '{ts: "9"}')
  .replace("shop:pr-1-0-abc", "shop:pr-7-9-def")
  .replace("sha1: abc", "sha1: def");

describe("fairlead update", () => {
  beforeEach(async () => {
    await write({ "tree/shop.yaml": deployment, "objects/shop.yaml": objectsOf({ status: "pr-7-9-def" }) });
  });

  test("writes images and attributes, and lists them", async () => {
    const { exitCode, stdout, stderr } = await update();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(await read("tree/shop.yaml")).toBe(updated);
    expect(stdout.split("\n")).toEqual([
      "shop.yaml:7: apps:shop:pr: 1 -> 7",
      "shop.yaml:8: apps:shop:ts: 0 -> 9",
      "shop.yaml:11: apps:shop: ghcr.io/acme/shop:pr-1-0-abc -> ghcr.io/acme/shop:pr-7-9-def",
      "shop.yaml:12: apps:shop:sha1: abc -> def",
      "Updated 4 values in 1 file.",
      "",
    ]);
    expect(await update()).toMatchObject({ exitCode: 0, stdout: "Nothing to update.\n" });
  });

  test("shows a diff instead under --dry-run", async () => {
    const { exitCode, stdout } = await update("--dry-run");
    expect(exitCode).toBe(0);
    expect(await read("tree/shop.yaml")).toBe(deployment);
    expect(stdout).toContain("--- a/shop.yaml\n+++ b/shop.yaml\n@@ -4,9 +4,9 @@\n");
    expect(stdout).toContain(`-  sha1: abc # {"$imagepolicy": "apps:shop:sha1"}\n`);
    expect(stdout).toContain(`+  sha1: def # {"$imagepolicy": "apps:shop:sha1"}\n`);
  });

  test("tells programs in JSON", async () => {
    const { stdout } = await update("--output", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      written: true,
      diagnostics: [],
      files: [
        {
          path: "shop.yaml",
          changes: [
            {
              line: 7,
              object: { apiVersion: "apps/v1", kind: "Deployment", name: "shop" },
              setter: "apps:shop:pr",
              oldValue: "1",
              newValue: "7",
            },
            { setter: "apps:shop:ts" },
            { setter: "apps:shop" },
            { setter: "apps:shop:sha1" },
          ],
        },
      ],
    });
  });

  test("looks at a part of the folder under --path", async () => {
    await write({ "tree/other/shop.yaml": deployment });
    await update("--path", "other");
    expect(await read("tree/shop.yaml")).toBe(deployment);
    expect(await read("tree/other/shop.yaml")).toBe(updated);
    expect(await update("--path", "../objects")).toMatchObject({ exitCode: 2 });
  });

  test("takes from the state what objects do not say", async () => {
    await write({ "objects/shop.yaml": objectsOf({}) });
    const file = path.join(folder.path, "state.db");
    const state = await openState(file);
    const latestRef = {
      name: "ghcr.io/acme/shop",
      tag: "pr-7-9-def",
      attributes: { pr: "7", ts: "9", sha1: "def" },
    };
    state.putStatus("ImagePolicy", { namespace: "apps", name: "shop" }, { conditions: [], latestRef });
    state.close();
    expect(await update("--state", file)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await read("tree/shop.yaml")).toBe(updated);
  });

  test("leaves what is newer, where the policy refuses downgrades", async () => {
    const annotations = "{ fairlead.dev/downgrade: refuse }";
    await write({
      "objects/shop.yaml": objectsOf({ status: "pr-0-0-0a", annotations }),
      "tree/shop.yaml": updated,
    });
    const { exitCode, stdout, stderr } = await update();
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Nothing to update.\n" });
    expect(stderr).toContain("apps:shop is pr-0-0-0a, which is older than pr-7-9-def");
    expect(stderr).toContain("shop.yaml:11");
    expect(await read("tree/shop.yaml")).toBe(updated);
  });

  const oddities: Readonly<Record<string, string>> = {
    "tree/a.yaml": 'a: 1 # {"$imagepolicy": "apps:shpo:tag"}\n',
    "tree/b.yaml": 'b: 1 # {"$imagepolicy": "apps:shop:sha"}\n',
    "tree/c.yaml": 'c: 1 # {"$imagepolicy": "apps:shop:rest"}\n',
    "tree/d.yaml": 'd: 1 # {"$imagepolicy": "apps:shop:digest"}\n',
    "tree/e.yaml": 'e: 1 # {"$imagepolicy": "apps:shop"}\ne: 2\n',
    "tree/f\u001b[31m.yaml": 'f: {{ .x # {"$imagepolicy": "apps:shop"}\n',
  };

  test("names what cannot be followed, and updates the rest", async () => {
    await write(oddities);
    await symlink("/etc/hostname", path.join(folder.path, "tree/g.yaml"));
    const { exitCode, stderr } = await update();
    expect(exitCode).toBe(0);
    expect(await read("tree/shop.yaml")).toBe(updated);
    for (const [name, text] of Object.entries(oddities)) expect(await read(name)).toBe(text);
    for (const told of [
      "there is no policy apps:shpo\n  at a.yaml:1:6\n  hint: did you mean apps:shop?\n",
      "apps:shop has no part sha\n  at b.yaml:1:6\n  hint: did you mean apps:shop:sha1?\n",
      "the group rest of apps:shop took no part in the match of the tag\n  at c.yaml:1:6\n",
      "apps:shop has no digest to write\n  at d.yaml:1:6\n",
      'the key "e" is given twice\n  at e.yaml:2:1\n',
      "at f\\x1b[31m.yaml:",
      "the link leads out of the tree and is not followed\n  at g.yaml\n",
    ]) {
      expect(stderr).toContain(told);
    }
    expect(stderr).not.toContain("\u001b");
  });

  test("writes nothing then under --strict", async () => {
    await write(oddities);
    const { exitCode, stdout, stderr } = await update("--strict");
    expect(exitCode).toBe(4);
    expect(stderr).toContain("nothing is written");
    expect(stdout).toContain("+  sha1: def");
    expect(await read("tree/shop.yaml")).toBe(deployment);
  });

  test.each([
    ["no objects", [], 2, "no policies are named"],
    ["objects without a policy", ["--config", "tree"], 2, "there is no ImagePolicy"],
    ["a state that is none", ["--config", "objects", "--state", "tree/shop.yaml"], 1, "error: "],
    ["a folder that is none", ["--config", "objects", "--path", "missing"], 2, "no such file or folder"],
  ])("refuses %s", async (_name, args, exitCode, message) => {
    const found = args.map((arg) => (/^(?:tree|objects)/u.test(arg) ? path.join(folder.path, arg) : arg));
    const result = await runInProcess("fairlead", ["update", path.join(folder.path, "tree"), ...found]);
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr).toContain(message);
    expect(await read("tree/shop.yaml")).toBe(deployment);
  });
});

await describeWithTools(["registry", "crane"], "fairlead update scans a registry", (tools) => {
  let registry: Registry;
  beforeAll(async () => {
    registry = await startRegistry(tools.registry);
    for (const tag of ["pr-1-0-abc", "pr-7-9-def", "pr-8-3-eee", "latest"]) {
      await pushImage(tools.crane, `${registry.host}/acme/shop:${tag}`, tag);
    }
  });
  afterAll(() => registry.stop());

  test("for policies that nothing else is known of", async () => {
    const image = `${registry.host}/acme/shop`;
    await write({ "tree/shop.yaml": deployment, "objects/shop.yaml": objectsOf({ image }) });
    expect(await update()).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await read("tree/shop.yaml")).toBe(updated.replace("ghcr.io/acme/shop:pr", `${image}:pr`));
  });

  test("and updates the rest where one cannot be scanned", async () => {
    const missing = objectsOf({ name: "missing", image: `${registry.host}/acme/missing` });
    const shop = objectsOf({ image: `${registry.host}/acme/shop` });
    const api = 'a: 1 # {"$imagepolicy": "apps:missing"}\n';
    await write({
      "tree/shop.yaml": deployment,
      "tree/api.yaml": api,
      "objects/a.yaml": missing,
      "objects/b.yaml": shop,
    });
    const { exitCode, stderr } = await update();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("ImageRepository apps/missing: ");
    expect(await read("tree/shop.yaml")).toContain("pr-7-9-def");
    expect(await read("tree/api.yaml")).toBe(api);
  });
});
