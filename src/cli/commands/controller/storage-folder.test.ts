import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTempDir } from "../../../../test/support/temp-dir.ts";
import { prepareStorage } from "./storage-folder.ts";

test("a folder that is there, or not yet", async () => {
  await withTempDir(async (folder) => {
    await prepareStorage(folder);
    await prepareStorage(join(folder, "a/b"));
    expect((await stat(join(folder, "a/b"))).isDirectory()).toBe(true);
  });
});

test.each([
  ["a file", "file"],
  ["a folder below a file", "file/a"],
])("%s is refused", async (_name, path) => {
  await withTempDir(async (folder) => {
    await writeFile(join(folder, "file"), "");
    const refused = expect(prepareStorage(join(folder, path))).rejects;
    await refused.toThrow(/^--storage-path cannot be used: E(?:EXIST|NOTDIR)/u);
    await refused.toMatchObject({
      code: "input-unreadable",
      where: { file: join(folder, path) },
      hint: "name a folder that this user may write to",
    });
  });
});
