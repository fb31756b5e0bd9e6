import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBareRepository, type BareRepository } from "../../../test/support/git-repository.ts";
import { type GitHttpServer, startGitHttp } from "../../../test/support/git-http.ts";
import { createTempDir, leftBehindBy } from "../../../test/support/temp-dir.ts";
import type { GitRef } from "../objects/git-repository.ts";
import type { AutomationGit } from "../objects/image-update-automation.ts";
import { planCheckout } from "./checkout-plan.ts";
import type { GitAccess } from "./git-access.ts";
import { type GitWorkspace, openWorkspace, type WorkspaceOptions } from "./git-workspace.ts";

const files = { "a/x.yaml": "x: 1\n", "b/y.yaml": "y: 1\r\n", "z.yaml": "z: 1\n" };
const author = { name: "Fairlead", email: "fairlead@example.com" };
const folder = await createTempDir("workspace");
const opened: GitWorkspace[] = [];
let count = 0;
let server: GitHttpServer;
let repository: BareRepository;
let access: GitAccess;

beforeEach(async () => {
  const name = `r${count++}.git`;
  repository = await createBareRepository(join(folder.path, name), files);
  server = await startGitHttp({ root: folder.path });
  access = { url: `${server.url}/${name}`, transport: "http" };
});

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
  await server.stop();
});

afterAll(() => folder.remove());

interface Settings {
  readonly ref?: GitRef;
  readonly push?: AutomationGit["push"];
  readonly updatePath?: string;
  readonly access?: Partial<GitAccess>;
  readonly signingKey?: WorkspaceOptions["signingKey"];
}

async function open(settings: Settings = {}): Promise<GitWorkspace> {
  const { ref = { branch: "main" }, push } = settings;
  const workspace = await openWorkspace({
    access: { ...access, ...settings.access },
    plan: planCheckout(ref, {
      commit: { author, messageTemplateValues: {} },
      ...(push === undefined ? {} : { push }),
    }),
    updatePath: settings.updatePath ?? "",
    signingKey: settings.signingKey,
    timeoutMs: 30_000,
    inherited: { PATH: process.env["PATH"] },
  });
  opened.push(workspace);
  return workspace;
}

async function checkedOut(settings: Settings = {}): Promise<GitWorkspace> {
  const workspace = await open(settings);
  await workspace.checkOut(await workspace.readTips());
  return workspace;
}

async function change(workspace: GitWorkspace, file: string, text: string): Promise<string | undefined> {
  await writeFile(join(workspace.tree, file), text);
  return workspace.commit({ paths: [file], message: `Change ${file}`, author });
}

describe("checkout", () => {
  test("holds the branch with its bytes as they are, and one commit", async () => {
    await repository.commit("main", { ".gitattributes": "* text eol=lf ident filter=evil\n" });
    const workspace = await checkedOut();
    expect(await readFile(join(workspace.tree, "b/y.yaml"), "utf8")).toBe("y: 1\r\n");
    const commit = await change(workspace, "b/y.yaml", "y: 2\r\n");
    expect(await workspace.push()).toEqual({ kind: "pushed" });
    expect(await repository.git("rev-parse", "main")).toBe(commit);
    expect(await repository.read("main", "b/y.yaml")).toBe("y: 2\r\n");
    expect(await repository.subjects("main")).toEqual([
      "Change b/y.yaml",
      "Change by somebody",
      "Change by somebody",
    ]);
  });

  test.each<[name: string, updatePath: string, expected: readonly string[]]>([
    ["all", "", ["a", "b", "z.yaml"]],
    ["a dot", "./", ["a", "b", "z.yaml"]],
    ["a folder", "./a/", ["a", "z.yaml"]],
    ["a folder as from the root", "/b", ["b", "z.yaml"]],
    ["a way out", "../../a", ["a", "z.yaml"]],
    ["a file", "a/x.yaml", ["a", "b", "z.yaml"]],
    ["nothing that is there", "none", ["a", "b", "z.yaml"]],
  ])("is sparse: %s", async (_name, updatePath, expected) => {
    const workspace = await checkedOut({ updatePath });
    expect((await readdir(workspace.tree)).filter((name) => name !== ".git").toSorted()).toEqual(expected);
  });

  test("commits from a sparse and partial tree leave the rest as it is", async () => {
    const workspace = await checkedOut({ updatePath: "a" });
    await change(workspace, "a/x.yaml", "x: 2\n");
    await workspace.push();
    expect(await repository.git("diff", "--name-only", "main~1", "main")).toBe("a/x.yaml");
  });

  test("takes all from a server that does not filter", async () => {
    await repository.git("config", "uploadpack.allowFilter", "false");
    const workspace = await checkedOut({ updatePath: "a" });
    expect(await readdir(workspace.tree)).not.toContain("b");
  });

  test.each<[name: string, ref: GitRef, expected: string, revision: RegExp]>([
    ["a branch", { branch: "main" }, "main", /^main@sha1:/u],
    ["a tag with a message", { tag: "v1.0.0" }, "v1.0.0", /^v1\.0\.0@sha1:/u],
    ["the highest version", { semver: ">=1.0.0" }, "v1.2.0", /^v1\.2\.0@sha1:/u],
    ["a version with pre-releases", { semver: ">=1.0.0-0" }, "v1.3.0-rc.1", /^v1\.3\.0-rc\.1@sha1:/u],
    ["a name", { name: "refs/pull/7/head" }, "refs/pull/7/head", /^refs\/pull\/7\/head@sha1:/u],
    ["a name before a tag", { name: "refs/pull/7/head", tag: "v1.0.0" }, "refs/pull/7/head", /^refs\/pull/u],
  ])("of %s", async (_name, ref, expected, revision) => {
    await repository.git("tag", "-a", "-m", "one", "v1.0.0", "main");
    for (const tag of ["v1.2.0", "v1.3.0-rc.1", "latest"]) {
      await repository.commit(
        "side",
        { "z.yaml": `z: ${tag}\n` },
        { from: "refs/remotes/origin/heads/main" },
      );
      await repository.git("tag", tag, "side");
    }
    await repository.git("update-ref", "refs/pull/7/head", "side~1");
    const workspace = await open({ ref, push: { branch: "auto", options: {} } });
    const tips = await workspace.readTips();
    await workspace.checkOut(tips);
    expect(tips.revision).toMatch(revision);
    expect(tips.source).toBe(await repository.git("rev-parse", `${expected}^{commit}`));
    expect(await readFile(join(workspace.tree, "z.yaml"), "utf8")).toBe(
      await repository.read(expected, "z.yaml"),
    );
  });

  test("of a commit that the server does not give by its id", async () => {
    const commit = await repository.git("rev-parse", "main");
    await repository.commit("main", { "z.yaml": "z: 2\n" });
    await repository.git("config", "protocol.version", "0");
    const workspace = await open({ ref: { commit, branch: "main" }, push: { branch: "auto", options: {} } });
    const tips = await workspace.readTips();
    await workspace.checkOut(tips);
    expect(tips.revision).toBe(`sha1:${commit}`);
    expect(await readFile(join(workspace.tree, "z.yaml"), "utf8")).toBe("z: 1\n");
  });

  test("of a repository with SHA-256", async () => {
    const place = join(folder.path, `sha256-${count++}.git`);
    const made = await createBareRepository(place, files, { objectFormat: "sha256" });
    const workspace = await checkedOut({ access: { url: `${server.url}/${place.split("/").at(-1)}` } });
    const commit = await change(workspace, "z.yaml", "z: 2\n");
    await workspace.push();
    expect(await made.git("rev-parse", "main")).toBe(commit);
  });

  test("says what is missing", async () => {
    const workspace = await open({ ref: { branch: "none" } });
    await expect(workspace.readTips()).rejects.toThrow(
      expect.objectContaining({
        code: "git-failed",
        message: "the remote repository has no refs/heads/none",
      }),
    );
  });
});

describe("push", () => {
  test("begins a branch, and goes on with it the next time", async () => {
    const settings = { push: { branch: "auto/images", options: {} } };
    const first = await checkedOut(settings);
    await change(first, "a/x.yaml", "x: 2\n");
    expect(await first.push()).toEqual({ kind: "pushed" });
    const second = await checkedOut(settings);
    expect(await readFile(join(second.tree, "a/x.yaml"), "utf8")).toBe("x: 2\n");
    await change(second, "z.yaml", "z: 2\n");
    expect(await second.push()).toEqual({ kind: "pushed" });
    expect(await repository.subjects("auto/images")).toEqual([
      "Change z.yaml",
      "Change a/x.yaml",
      "Change by somebody",
    ]);
    expect(await repository.subjects("main")).toEqual(["Change by somebody"]);
  });

  test.each<[name: string, branch: string, from: string | undefined]>([
    ["the branch itself", "main", undefined],
    ["another branch that is there", "auto", "refs/remotes/origin/heads/main"],
    ["another branch that comes to be", "auto", undefined],
  ])("loses no commit of others: %s", async (_name, branch, from) => {
    if (from !== undefined) await repository.commit(branch, { "z.yaml": "z: 2\n" }, { from });
    const workspace = await checkedOut({ push: { branch, options: {} } });
    const other = await repository.commit(
      branch,
      { "z.yaml": "z: 3\n" },
      { from: "refs/remotes/origin/heads/main" },
    );
    await change(workspace, "a/x.yaml", "x: 2\n");
    const rejected = await workspace.push();
    expect(rejected.kind === "rejected" && rejected.reason).toContain("stale info");
    expect(await repository.git("rev-parse", branch)).toBe(other);
    await workspace.checkOut(await workspace.readTips());
    await change(workspace, "a/x.yaml", "x: 2\n");
    expect(await workspace.push()).toEqual({ kind: "pushed" });
    expect(await repository.git("rev-parse", `${branch}~1`)).toBe(other);
  });

  test("of what did not change commits nothing", async () => {
    const workspace = await checkedOut();
    expect(await change(workspace, "a/x.yaml", "x: 1\n")).toBeUndefined();
  });

  test("tells why a server refuses", async () => {
    await repository.hook("pre-receive", "echo 'not \u001b[31mon Fridays' >&2; exit 1");
    const workspace = await checkedOut();
    await change(workspace, "a/x.yaml", "x: 2\n");
    const result = await workspace.push();
    expect(result).toMatchObject({ kind: "rejected" });
    expect(result.kind === "rejected" && result.reason).toMatch(/hook declined.*not \\x1b\[31mon Fridays/u);
  });

  test("hands options to the server", async () => {
    await repository.hook("post-receive", 'env | grep ^GIT_PUSH_OPTION_ | sort > "$GIT_DIR/options"');
    const options = { "merge_request.create": "", "merge_request.target": "main" };
    const workspace = await checkedOut({ push: { options } });
    await change(workspace, "a/x.yaml", "x: 2\n");
    await workspace.push();
    expect(await readFile(join(repository.path, "options"), "utf8")).toBe(
      "GIT_PUSH_OPTION_0=merge_request.create\nGIT_PUSH_OPTION_1=merge_request.target=main\n" +
        "GIT_PUSH_OPTION_COUNT=2\n",
    );
  });

  test.each<[name: string, refspec: string, target: string]>([
    ["for review", "HEAD:refs/for/main", "refs/for/main"],
    ["to another branch", "refs/heads/main:refs/heads/copy", "refs/heads/copy"],
    ["by force", "+main:old", "refs/heads/old"],
  ])("also pushes a refspec %s", async (_name, refspec, target) => {
    await repository.commit("old", { "other.yaml": "" });
    const workspace = await checkedOut({ push: { refspec, options: {} } });
    const commit = await change(workspace, "a/x.yaml", "x: 2\n");
    expect(await workspace.push()).toEqual({ kind: "pushed" });
    expect(await workspace.pushRefspec()).toEqual({ kind: "pushed" });
    expect(await repository.git("rev-parse", target)).toBe(commit);
  });

  test("does not force a refspec that does not say so", async () => {
    await repository.commit("old", { "other.yaml": "" });
    const workspace = await checkedOut({ push: { refspec: "main:old", options: {} } });
    await change(workspace, "a/x.yaml", "x: 2\n");
    expect(await workspace.pushRefspec()).toMatchObject({ kind: "rejected" });
  });

  test("writes author, committer and message as they are given", async () => {
    const workspace = await checkedOut();
    await writeFile(join(workspace.tree, "z.yaml"), "z: 2\n");
    const message = "# no comment\n\n  indented  \n\nSigned: ü\n\n";
    await workspace.commit({ paths: ["z.yaml"], message, author: { email: "bot@example.com" } });
    await workspace.push();
    expect(await repository.git("log", "-1", "--format=%an <%ae> %cn <%ce>", "main")).toBe(
      "bot@example.com <bot@example.com> bot@example.com <bot@example.com>",
    );
    expect((await repository.git("cat-file", "commit", "main")).split("\n\n").slice(1).join("\n\n")).toBe(
      message.trimEnd(),
    );
  });
});

test("nothing is left behind", async () => {
  const left = await leftBehindBy(async () => {
    const workspace = await checkedOut();
    await workspace.close();
  });
  expect(left).toEqual([]);
});
