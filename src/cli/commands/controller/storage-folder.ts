import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "../../../core/error.ts";
import { describeFileFailure } from "../../../core/file-failure.ts";
import { makeFolders } from "../../../core/make-folders.ts";

/**
 * Makes the folder of `--storage-path` where there is none, and tries whether it can hold SQLite files.
 * @throws FairleadError `output-refused` where it cannot
 */
export async function prepareStorage(folder: string): Promise<void> {
  try {
    makeFolders(folder);
    const trial = await mkdtemp(join(folder, ".trial-"));
    try {
      await tryDatabase(join(trial, "trial.db"));
    } finally {
      await rm(trial, { recursive: true, force: true });
    }
  } catch (cause) {
    const reason = describeFileFailure(cause);
    throw new FairleadError("output-refused", `--storage-path cannot be used: ${reason}`, {
      cause,
      where: { file: folder },
      hint: "name a folder that this user may write to, on a file system that keeps files",
    });
  }
}

async function tryDatabase(file: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE trial (value)");
  } finally {
    database.close();
  }
}
