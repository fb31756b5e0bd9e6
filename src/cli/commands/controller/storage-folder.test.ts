import { existsSync } from "node:fs";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTempDir } from "../../../../test/support/temp-dir.ts";
import { prepareStorage } from "./storage-folder.ts";

test("a folder that is there, or not yet", async () => {
  await withTempDir(async (folder) => {
    await prepareStorage(folder);
    await prepareStorage(join(folder, "a/b"));
    expect(await readdir(join(folder, "a/b"))).toEqual([]);
  });
});

test.each([
  ["a file", "file", "something else has this name"],
  ["a folder below a file", "file/a", "a part of the path is not a folder"],
  ["a link to nothing", "link", "something else has this name"],
])("%s is refused", async (_name, path, reason) => {
  await withTempDir(async (folder) => {
    await writeFile(join(folder, "file"), "");
    await symlink("nothing", join(folder, "link"));
    await expectRefusal(join(folder, path), reason);
  });
});

test.skipIf(!existsSync("/proc/self"))("a file system that keeps no files is refused at once", async () => {
  for (const folder of ["/proc", "/proc/fairlead/state"]) {
    await expectRefusal(folder, "no such file or folder");
  }
});

async function expectRefusal(file: string, reason: string): Promise<void> {
  await expect(prepareStorage(file)).rejects.toMatchObject({
    code: "output-refused",
    message: `--storage-path cannot be used: ${reason}`,
    where: { file },
    hint: "name a folder that this user may write to, on a file system that keeps files",
  });
}
