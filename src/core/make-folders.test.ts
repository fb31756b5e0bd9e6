import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTempDir } from "../../test/support/temp-dir.ts";
import { makeFolders } from "./make-folders.ts";

test("folders are made with a mode, and stay as they are", async () => {
  await withTempDir(async (folder) => {
    makeFolders(join(folder, "a/b"), 0o700);
    makeFolders(join(folder, "a/b/c"), 0o500);
    makeFolders(join(folder, "a/b"), 0o500);
    const modes = ["a", "a/b", "a/b/c"].map((each) => statSync(join(folder, each)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o500]);
  });
});

test.each([
  ["a file", "file", "EEXIST"],
  ["a folder in a file", "file/a/b", "ENOTDIR"],
  ["a link to nothing", "link", "EEXIST"],
  ["a name that is too long", "x".repeat(300), "ENAMETOOLONG"],
])("%s is refused", async (_name, path, code) => {
  await withTempDir(async (folder) => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync("nothing", join(folder, "link"));
    expect(() => makeFolders(join(folder, path))).toThrow(expect.objectContaining({ code }));
  });
});

test.skipIf(!existsSync("/proc/self"))("a file system that makes no folders is no endless loop", () => {
  expect(() => makeFolders("/proc/fairlead/a")).toThrow(expect.objectContaining({ code: "ENOENT" }));
});

test("no name is no folder", () => {
  expect(() => makeFolders("")).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
