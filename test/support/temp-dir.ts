import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export interface TempDir {
  /** Absolute and free of links. */
  readonly path: string;
  /** Removes the folder and everything in it; may be called again. */
  remove(): Promise<void>;
}

/** A fresh folder for one test or suite; whoever makes it removes it (`afterAll(() => folder.remove())`). */
export async function createTempDir(purpose: string = "test"): Promise<TempDir> {
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), `fairlead-${purpose}-`));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Runs `work` in a fresh folder and removes it afterwards. */
export async function withTempDir<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await createTempDir();
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}

/** Runs `work` with a folder for temporary files of its own, and tells what it left behind there. */
export async function leftBehindBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = process.env["TMPDIR"];
  return withTempDir(async (folder) => {
    process.env["TMPDIR"] = folder;
    try {
      await work();
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
    return readdir(folder);
  });
}
