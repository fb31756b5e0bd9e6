import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempDir, type TempDir } from "../../test/support/temp-dir.ts";
import { createLogger } from "../core/log.ts";
import { scanFiles } from "./file-scan.ts";
import { FileWatcher } from "./file-watcher.ts";

const waitMs = { timeout: 10_000, interval: 5 };
const log = createLogger({ level: "error", format: "text", write: () => undefined });

describe("changes are told by the system", () => {
  let temporary: TempDir;
  let folder: string;
  let watcher: FileWatcher | undefined;
  let texts: readonly string[];

  beforeEach(async () => {
    temporary = await createTempDir("file-watcher");
    folder = path.join(temporary.path, "objects");
    await mkdir(path.join(folder, "sub/sub"), { recursive: true });
    texts = [];
  });

  afterEach(async () => {
    await watcher?.stop();
    await temporary.remove();
  });

  async function start(...paths: readonly string[]): Promise<void> {
    watcher = FileWatcher.start(await scanFiles(paths), {
      paths,
      pollMs: 60_000,
      settleMs: 10,
      onChange: async ({ files }) => {
        texts = await Promise.all(files.map(async ({ file }) => readFile(file.path, "utf8")));
      },
      onFailure: () => undefined,
      log,
    });
  }

  test.each([
    ["of a folder", () => folder],
    ["that is named itself", () => path.join(folder, "a.yaml")],
  ])("of a file %s", async (_name, named) => {
    await writeFile(path.join(folder, "a.yaml"), "1");
    await start(named());
    for (const text of ["2", "3"]) {
      const written = path.join(temporary.path, "written");
      await writeFile(written, text);
      await rename(written, path.join(folder, "a.yaml"));
      await expect.poll(() => texts, waitMs).toEqual([text]);
    }
  });

  test("of folders, be they new or another in their place", async () => {
    await writeFile(path.join(folder, "sub/sub/a.yaml"), "1");
    await start(folder);
    await writeFile(path.join(folder, "sub/sub/a.yaml"), "2");
    await expect.poll(() => texts, waitMs).toEqual(["2"]);
    for (const text of ["3", "4"]) {
      const another = path.join(temporary.path, "another");
      await mkdir(path.join(another, "sub"), { recursive: true });
      await writeFile(path.join(another, "sub/a.yaml"), text);
      await rename(folder, path.join(temporary.path, `before-${text}`));
      await rename(another, folder);
      await expect.poll(() => texts, waitMs).toEqual([text]);
    }
    await writeFile(path.join(folder, "sub/a.yaml"), "5");
    await expect.poll(() => texts, waitMs).toEqual(["5"]);
  });
});
