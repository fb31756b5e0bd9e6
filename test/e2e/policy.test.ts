import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { hash } from "bcryptjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInProcess } from "../support/cli.ts";
import { pushImage } from "../support/images.ts";
import { startRegistry, type Registry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const objects = "examples/images";
const tags = "examples/images/tags.txt";
const given = ["policy", "select", "-f", objects, "--policy", "flux-system/shop-preview"];

async function json(args: readonly string[], stdin = ""): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runInProcess("fairlead", args, Buffer.from(stdin));
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("given tags", () => {
  const expected = {
    policy: "flux-system/shop-preview",
    reference: "ghcr.io/example/shop:pr-1251-1763790000-0b5d7e4",
    image: {
      dockerImage: { registry: "ghcr.io", name: "example/shop", tag: "pr-1251-1763790000-0b5d7e4" },
    },
    tag: "pr-1251-1763790000-0b5d7e4",
    attributes: { pr: "1251", ts: "1763790000", sha1: "0b5d7e4" },
  };

  test("of a file", async () => {
    expect(await json([...given, "--tags", tags])).toEqual(expected);
  });

  test("on standard input, as JSON", async () => {
    const listed = JSON.stringify({ tags: ["pr-1-1-a", "pr-1251-1763790000-0b5d7e4"] });
    expect(await json([...given, "--tags", "-"], listed)).toEqual(expected);
  });

  test("explained", async () => {
    const { explanation } = await json([...given, "--tags", tags, "--explain"]);
    expect(explanation).toMatchObject({ counts: { older: 1, filtered: 5, excluded: 1 }, omitted: 0 });
  });
});

describe("what is told", () => {
  test.each<[string, readonly string[], number, string]>([
    ["no objects", ["policy", "select"], 2, "no objects are named"],
    [
      "several policies",
      ["policy", "select", "-f", objects, "--tags", tags],
      2,
      "there are 2 policies among the objects",
    ],
    [
      "an unknown policy",
      [...given.slice(0, -1), "x/y", "--tags", tags],
      2,
      "there is no valid ImagePolicy x/y",
    ],
    ["a missing file of tags", [...given, "--tags", "missing"], 2, "no such file"],
    ["an unknown action", ["policy", "choose"], 2, "Allowed choices are select"],
  ])("%s", async (_name, args, code, message) => {
    const { exitCode, stderr, stdout } = await runInProcess("fairlead", args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(code);
    expect(stdout).toBe("");
  });

  test("where nothing is chosen, why all lost, and the error", async () => {
    const args = [...given, "--tags", "-", "--explain", "--output", "text"];
    const { exitCode, stderr, stdout } = await runInProcess("fairlead", args, Buffer.from("1.0.0\n"));
    expect(stdout).toBe("not matched by the pattern (1)\n  1.0.0\n");
    expect(stderr).toContain("no tag matches the pattern");
    expect(stderr).toContain("objects.yaml:11:1");
    expect(exitCode).toBe(1);
  });
});

await describeWithTools(["registry", "crane"], "asks the registry", (tools) => {
  const password = "correct horse battery";
  let folder: TempDir;
  let open: Registry;
  let closed: Registry;
  let digest: string;

  beforeAll(async () => {
    folder = await createTempDir("policy");
    const htpasswdFile = path.join(folder.path, "htpasswd");
    const dataFolder = path.join(folder.path, "data");
    await mkdir(dataFolder);
    await writeFile(htpasswdFile, `reader:${await hash(password, 4)}\n`);
    open = await startRegistry(tools.registry, { dataFolder });
    closed = await startRegistry(tools.registry, { dataFolder, auth: { htpasswdFile } });
    await pushImage(tools.crane, `${open.host}/org/app:1.0.0`, "one");
    digest = await pushImage(tools.crane, `${open.host}/org/app:1.1.0`, "two");
    await pushImage(tools.crane, `${open.host}/org/app:2.0.0-rc.1`, "three");
  });

  afterAll(async () => {
    await open.stop();
    await closed.stop();
    await folder.remove();
  });

  const write = async (name: string, host: string, secret: string, policy = ""): Promise<string> => {
    const file = path.join(folder.path, name);
    await writeFile(
      file,
      `apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: {name: app}
spec: {image: ${host}/org/app, interval: 1m${secret}}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: {name: app}
spec: {imageRepositoryRef: {name: app}, policy: {semver: {range: "*"}}${policy}}
---
apiVersion: v1
kind: Secret
metadata: {name: pull}
type: kubernetes.io/dockerconfigjson
stringData:
  .dockerconfigjson: '${JSON.stringify({ auths: { [host]: { username: "reader", password } } })}'
`,
    );
    return file;
  };

  test("with the Secret that the repository names, and for the digest", async () => {
    const file = await write(
      "a.yaml",
      closed.host,
      ", secretRef: {name: pull}",
      ", digestReflectionPolicy: IfNotPresent",
    );
    expect(await json(["policy", "select", "-f", file])).toMatchObject({
      reference: `${closed.host}/org/app:1.1.0@${digest}`,
      digest,
      tag: "1.1.0",
      attributes: {},
    });
  });

  test("without a digest where none is wanted", async () => {
    const file = await write("b.yaml", open.host, "");
    expect(await json(["policy", "select", "-f", file])).not.toHaveProperty("digest");
  });

  test("and is refused without credentials, which no message holds", async () => {
    const file = await write("c.yaml", closed.host, "");
    const args = ["policy", "select", "-f", file, "--docker-config", folder.path, "--verbose"];
    const { exitCode, stderr } = await runInProcess("fairlead", args);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/unauthorized|authentication|credentials/iu);
    expect(stderr).not.toContain(password);
  });
});
