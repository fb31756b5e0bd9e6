import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { makeFolders } from "../../../core/make-folders.ts";
import { isImageId } from "./ac-types.ts";

/** Where one process keeps what it has not finished; the system frees its lock when the process ends. */
export interface WorkFolder {
  readonly path: string;
  /** Removes it. */
  close(): void;
}

/**
 * The files of a store: `images/` holds an uncompressed archive for each ID, `work/` a folder for each process. What
 * changes `images/` is called within a transaction of the store's index, which one process has at a time.
 */
export class StoreFolder {
  readonly path: string;
  readonly #images: string;
  readonly #work: string;

  /** Makes the folders that are missing, for their owner alone. */
  constructor(folder: string) {
    this.path = folder;
    this.#images = path.join(folder, "images");
    this.#work = path.join(folder, "work");
    for (const made of [this.#images, this.#work]) makeFolders(made, 0o700);
  }

  get indexFile(): string {
    return path.join(this.path, "index.sqlite");
  }

  /** The uncompressed archive of an image. */
  imageFile(id: string): string {
    return path.join(this.#images, id);
  }

  /** Takes finished files, by their IDs; they are on disk when this returns. */
  adopt(files: ReadonlyMap<string, string>): void {
    if (files.size === 0) return;
    for (const [id, file] of files) renameSync(file, this.imageFile(id));
    syncFolder(this.#images);
  }

  /** Removes the files of images. */
  discard(ids: Iterable<string>): void {
    for (const id of ids) rmSync(this.imageFile(id), { force: true });
  }

  /** The IDs that there are files of, and names that have no business there. */
  contents(): { readonly ids: readonly string[]; readonly strays: readonly string[] } {
    const names = readdirSync(this.#images);
    return { ids: names.filter(isImageId), strays: names.filter((name) => !isImageId(name)) };
  }

  /** A folder for this process. */
  openWork(Database: typeof DatabaseSync): WorkFolder {
    const folder = path.join(this.#work, randomUUID());
    mkdirSync(folder, { mode: 0o700 });
    const lock = tryLock(Database, folder);
    return {
      path: folder,
      close: () => {
        lock?.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }

  /** Removes what processes have left that were killed. */
  clearWork(Database: typeof DatabaseSync): void {
    for (const name of readdirSync(this.#work)) {
      const folder = path.join(this.#work, name);
      const lock = tryLock(Database, folder);
      if (lock === undefined) continue;
      lock.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Undefined where another process, or another store of this one, has it. */
function tryLock(Database: typeof DatabaseSync, folder: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new Database(path.join(folder, "lock"));
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch {
    lock?.close();
    return undefined;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
