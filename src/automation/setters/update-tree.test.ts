import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import type { SetterPolicies } from "./setter-value.ts";
import { planTreeUpdate } from "./update-tree.ts";
import { writeTreeUpdate } from "./write-update.ts";

const policies: SetterPolicies = new Map([
  ["apps/shop", { latest: { name: "shop", tag: "v2", attributes: {} }, attributeNames: [] }],
]);
const marked = 'tag: v1 # {"$imagepolicy": "apps:shop:tag"}\n';
const updated = marked.replace("v1", "v2");

/** Runs in a folder with these files. */
async function inTree(
  files: Readonly<Record<string, string>>,
  work: (tree: string, outside: string) => Promise<void>,
): Promise<void> {
  await withTempDir(async (folder) => {
    const tree = join(folder, "tree");
    await mkdir(tree);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(tree, path, ".."), { recursive: true });
      await writeFile(join(tree, path), text);
    }
    await work(tree, folder);
  });
}

/** Plans and writes, and gives the paths of what changed. */
async function update(tree: string, path?: string): Promise<readonly string[]> {
  const planned = await planTreeUpdate(tree, policies, { path });
  writeTreeUpdate(tree, planned);
  return planned.files.map((file) => file.path);
}

describe("which files are updated", () => {
  test("YAML files and Kustomization, by name, but not those of .git", async () => {
    const names = ["b.yaml", "a/Kustomization", "a/x.yml", "a/..b/c..d.yaml", ".github/x.yaml", "-x.yaml"];
    const others = [".git/x.yaml", "a/.git/x.yaml", "x.yaml.bak", "x.json", "kustomization", "X.YAML"];
    const all = Object.fromEntries([...names, ...others].map((name) => [name, marked]));
    await inTree(all, async (tree) => {
      expect(await update(tree)).toEqual(names.toSorted());
      for (const name of names) expect(await readFile(join(tree, name), "utf8")).toBe(updated);
      for (const name of others) expect(await readFile(join(tree, name), "utf8")).toBe(marked);
    });
  });

  test.each([
    ["a folder", "a", ["a/x.yaml"]],
    ["a folder as Flux writes it", "./a/", ["a/x.yaml"]],
    ["a file", "a/x.yaml", ["a/x.yaml"]],
    ["everything", ".", ["a/x.yaml", "b.yaml"]],
    ["the root", "/", ["a/x.yaml", "b.yaml"]],
  ])("of a path: %s", async (_name, path, expected) => {
    await inTree({ "a/x.yaml": marked, "b.yaml": marked }, async (tree) => {
      expect(await update(tree, path)).toEqual(expected);
    });
  });

  test("a large file, whose marker stands at its end", async () => {
    const text = `${"a: b # c\n".repeat(20_000).replaceAll(/a: b/gu, "- a")}${marked.replace("tag:", "-")}`;
    await inTree({ "a.yaml": text, "b.yaml": "- a\n".repeat(40_000) }, async (tree) => {
      expect(await update(tree)).toEqual(["a.yaml"]);
      expect(await readFile(join(tree, "a.yaml"), "utf8")).toBe(text.replace("- v1", "- v2"));
    });
  });

  test.each([
    ["leads out", "../x", "input-invalid"],
    ["leads out by a link", "out", "input-invalid"],
    ["leads into .git", ".git", "input-invalid"],
    ["is not there", "missing", "input-unreadable"],
  ])("not of a path that %s", async (_name, path, code) => {
    await inTree({ ".git/x.yaml": marked }, async (tree, outside) => {
      await mkdir(join(outside, "x"));
      await symlink("../x", join(tree, "out"));
      await expect(planTreeUpdate(tree, policies, { path })).rejects.toMatchObject({ code });
    });
  });

  test("not on and on, once it is aborted", async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.yaml`, "a: b"]));
    await inTree(files, async (tree) => {
      const planned = planTreeUpdate(tree, policies, { signal: AbortSignal.abort() });
      await expect(planned).rejects.toMatchObject({ code: "aborted" });
    });
  });
});

describe("links", () => {
  test("to a file of the tree change that file, once", async () => {
    await inTree({ "a/x.yaml": marked, "data.txt": marked }, async (tree) => {
      await symlink("a/x.yaml", join(tree, "1.yaml"));
      await symlink("../data.txt", join(tree, "a/2.yaml"));
      await symlink("a", join(tree, "again"));
      expect(await update(tree)).toEqual(["a/x.yaml", "data.txt"]);
      expect(await readdir(tree)).toEqual(["1.yaml", "a", "again", "data.txt"]);
      expect(await readFile(join(tree, "1.yaml"), "utf8")).toBe(updated);
      expect(await readFile(join(tree, "data.txt"), "utf8")).toBe(updated);
    });
  });

  test("out of the tree are named, and neither read nor written", async () => {
    await inTree({ ".git/config.yaml": marked }, async (tree, outside) => {
      await writeFile(join(outside, "secret"), marked);
      await mkdir(join(outside, "folder"));
      await symlink("../secret", join(tree, "a.yaml"));
      await symlink(join(outside, "secret"), join(tree, "b.yaml"));
      await symlink("../folder", join(tree, "folder"));
      await symlink(".git/config.yaml", join(tree, "git.yaml"));
      await symlink("missing", join(tree, "missing.yaml"));
      await symlink("loop.yaml", join(tree, "loop.yaml"));
      const { files, diagnostics } = await planTreeUpdate(tree, policies);
      expect(files).toEqual([]);
      expect(diagnostics.map(({ code, severity, where }) => [where.file, code, severity])).toEqual([
        ["a.yaml", "file-refused", "warning"],
        ["b.yaml", "file-refused", "warning"],
        ["folder", "file-refused", "info"],
        ["git.yaml", "file-refused", "warning"],
      ]);
      expect(await readFile(join(outside, "secret"), "utf8")).toBe(marked);
    });
  });
});

describe("what cannot be updated is named", () => {
  test("and all else is updated", async () => {
    const files = { "a.yaml": marked, "b.yaml": `${marked}{{ if .x }}\n`, "c.yaml": `${marked}tag: v1\n` };
    await inTree(files, async (tree) => {
      await writeFile(join(tree, "d.yaml"), Buffer.concat([Buffer.from(marked), Buffer.from([0xff])]));
      execFileSync("mkfifo", [join(tree, "e.yaml")]);
      const planned = await planTreeUpdate(tree, policies);
      expect(planned.files.map(({ path }) => path)).toEqual(["a.yaml"]);
      expect(planned.diagnostics.map(({ code, where }) => [where.file, where.line, code])).toEqual([
        ["b.yaml", 2, "file-unparsable"],
        ["c.yaml", 2, "file-unparsable"],
        ["d.yaml", undefined, "file-unparsable"],
        ["e.yaml", undefined, "file-refused"],
      ]);
    });
  });

  test("a file that is too large", async () => {
    await inTree({}, async (tree) => {
      await writeFile(
        join(tree, "a.yaml"),
        Buffer.alloc(17 * 1024 * 1024, `# {"$imagepolicy": "apps:shop"}\n`),
      );
      const { diagnostics } = await planTreeUpdate(tree, policies);
      expect(diagnostics).toMatchObject([{ code: "file-refused", where: { file: "a.yaml" } }]);
    });
  });
});

describe("writing", () => {
  test("keeps the mode, and leaves nothing else behind", async () => {
    await inTree({ "a.yaml": marked, "b.yaml": marked, "c.yaml": "a: b\n" }, async (tree) => {
      await chmod(join(tree, "a.yaml"), 0o755);
      await chmod(join(tree, "b.yaml"), 0o640);
      const untouched = await stat(join(tree, "c.yaml"));
      await update(tree);
      expect((await stat(join(tree, "a.yaml"))).mode & 0o7777).toBe(0o755);
      expect((await stat(join(tree, "b.yaml"))).mode & 0o7777).toBe(0o640);
      expect((await stat(join(tree, "c.yaml"))).ino).toBe(untouched.ino);
      expect(await readdir(tree)).toEqual(["a.yaml", "b.yaml", "c.yaml"]);
    });
  });

  test("keeps every byte that is not the scalar's", async () => {
    const text = `\ufeffa: "😀"\r\n\r\n${marked.trimEnd()}\r\n# é`;
    await inTree({ "a.yaml": text }, async (tree) => {
      await update(tree);
      expect(await readFile(join(tree, "a.yaml"))).toEqual(Buffer.from(text.replace("v1", "v2")));
    });
  });

  test("leaves another name of the file as it was", async () => {
    await inTree({ "a.yaml": marked }, async (tree, outside) => {
      await link(join(tree, "a.yaml"), join(outside, "b.yaml"));
      await update(tree);
      expect(await readFile(join(outside, "b.yaml"), "utf8")).toBe(marked);
    });
  });

  test.each([
    ["has changed", async (path: string) => writeFile(path, `# changed\n${marked}`)],
    ["became a link", async (path: string) => becomeLink(path)],
    ["is gone", async (path: string) => execFileSync("rm", [path])],
  ])("writes no file if one %s since it was read", async (_name, change) => {
    await inTree({ "a.yaml": marked, "b.yaml": marked, "c.yaml": marked }, async (tree) => {
      const planned = await planTreeUpdate(tree, policies);
      await change(join(tree, "b.yaml"));
      expect(() => writeTreeUpdate(tree, planned)).toThrow(
        expect.objectContaining({
          code: "output-refused",
          where: { file: "b.yaml" },
          hint: "no file was written",
        }),
      );
      expect(await readFile(join(tree, "a.yaml"), "utf8")).toBe(marked);
      expect(await readFile(join(tree, "c.yaml"), "utf8")).toBe(marked);
      expect((await readdir(tree)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    });
  });

  test("writes no file if there is no place for one", async () => {
    await inTree({ "a.yaml": marked, "b/c.yaml": marked }, async (tree) => {
      const planned = await planTreeUpdate(tree, policies);
      execFileSync("mv", [join(tree, "b"), join(tree, "d")]);
      expect(() => writeTreeUpdate(tree, planned)).toThrow(
        expect.objectContaining({ code: "output-refused", where: { file: "b/c.yaml" } }),
      );
      expect(await readFile(join(tree, "a.yaml"), "utf8")).toBe(marked);
    });
  });
});

async function becomeLink(path: string): Promise<void> {
  execFileSync("mv", [path, `${path}.moved`]);
  await symlink(`${path}.moved`, path);
}
