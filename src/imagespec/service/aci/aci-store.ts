import { closeSync, openSync } from "node:fs";
import { type FileHandle, open, statfs } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { FairleadError } from "../../../core/error.ts";
import { SqliteFile, withFileErrors } from "../../../core/sqlite-file.ts";
import { migrate } from "../../../core/sqlite-schema.ts";
import { describeStoreFailure } from "./store-failure.ts";
import { StoreFolder, type WorkFolder } from "./store-folder.ts";
import { storeSchema } from "./store-schema.ts";

/** An image that is to be stored. */
export interface NewImage {
  readonly id: string;
  readonly name: string;
  readonly manifest: Uint8Array;
  readonly imageBytes: number;
  readonly archiveBytes: number;
  /** The IDs of what it depends on, in their order. */
  readonly dependencies: readonly string[];
  /** Its uncompressed archive, in a file of {@link AciStore.workFile}; undefined: it is stored already. */
  readonly file: string | undefined;
}

/** An image of the store. */
export interface ImageRecord extends Omit<NewImage, "file"> {
  /** In the order of the alphabet. */
  readonly tags: readonly string[];
}

interface ImageRow {
  readonly id: string;
  readonly name: string;
  readonly manifest: Uint8Array;
  readonly image_bytes: number;
  readonly archive_bytes: number;
}

const busyTimeoutMs = 30_000;

/** What nothing asks for: no tag, no hold, and no image that depends on it. */
const unneeded =
  "SELECT id FROM image WHERE held = 0 AND NOT EXISTS (SELECT 1 FROM tag WHERE tag.image = image.id) " +
  "AND NOT EXISTS (SELECT 1 FROM dependency WHERE needs = image.id)";

/**
 * Opens a store of ACIs in a folder, or makes it, and removes what a killed process has left. Any number of processes
 * may share it: who changes it has the write lock of its index meanwhile.
 * @throws FairleadError `state-invalid` for an index that is none, is damaged, or is from a newer fairlead;
 *   `runtime-failed` for a folder that cannot be used
 */
export async function openAciStore(folder: string): Promise<AciStore> {
  // Loaded where images are stored: SQLite takes a part of the start-up.
  const { DatabaseSync } = await import("node:sqlite");
  const files = withFolder(() => new StoreFolder(path.resolve(folder)));
  const index = withFileErrors(files.indexFile, storeSchema.subject, () => {
    closeSync(openSync(files.indexFile, "a", 0o600));
    const database = new DatabaseSync(files.indexFile);
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA foreign_keys = ON`);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      migrate(database, storeSchema, { readOnly: false });
      return new SqliteFile(files.indexFile, storeSchema.subject, database);
    } catch (error) {
      database.close();
      throw error;
    }
  });
  try {
    const work = index.transaction(() =>
      withFolder(() => {
        files.clearWork(DatabaseSync);
        const { ids, strays } = files.contents();
        const select = index.prepare("SELECT 1 FROM image WHERE id = ?");
        files.discard([...strays, ...ids.filter((id) => select.get(id) === undefined)]);
        return files.openWork(DatabaseSync);
      }),
    );
    return new AciStore(files, index, work);
  } catch (error) {
    index.close();
    throw error;
  }
}

/** An open store. Every method throws `state-invalid` where the index, `runtime-failed` where the folder fails. */
export class AciStore {
  readonly #files: StoreFolder;
  readonly #index: SqliteFile;
  readonly #work: WorkFolder;

  constructor(files: StoreFolder, index: SqliteFile, work: WorkFolder) {
    this.#files = files;
    this.#index = index;
    this.#work = work;
  }

  /** The folder that holds the store. */
  get folder(): string {
    return this.#files.path;
  }

  /** A name for a file of this process, which is gone when the store is closed. */
  workFile(): string {
    return path.join(this.#work.path, randomUUID());
  }

  /** Bytes that may still be written. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder).catch((error: unknown) => {
      throw describeStoreFailure(error);
    });
    return bavail * bsize;
  }

  /**
   * Stores images, dependencies before what needs them, and gives the last its tag, or a hold where there is none.
   * An image that loses its last name by this goes.
   */
  add(images: readonly NewImage[], tag: string | undefined): void {
    const root = images.at(-1);
    if (root === undefined) return;
    this.#change(() => {
      const isKnown = this.#index.prepare("SELECT 1 FROM image WHERE id = ?");
      const fresh = images.filter(({ id }) => isKnown.get(id) === undefined);
      for (const { id, file } of fresh) {
        if (file !== undefined) continue;
        throw new FairleadError("runtime-failed", `the image ${id} was removed meanwhile`, {
          retryable: true,
        });
      }
      this.#files.adopt(new Map(fresh.map(({ id, file }) => [id, file ?? ""])));
      for (const image of fresh) this.#insert(image);
      for (const image of images) this.#insertDependencies(image);
      this.#index.prepare("UPDATE image SET used_ms = ? WHERE id = ?").run(Date.now(), root.id);
      if (tag === undefined) {
        this.#index.prepare("UPDATE image SET held = 1 WHERE id = ?").run(root.id);
        return;
      }
      const name =
        "INSERT INTO tag (name, tag, image) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET image = excluded.image";
      this.#index.prepare(name).run(root.name, tag, root.id);
    });
  }

  /** The image of an ID, if it is stored. */
  tryImage(id: string): ImageRecord | undefined {
    return this.#index.read(() => {
      const row = this.#index.prepare("SELECT * FROM image WHERE id = ?").get(id) as ImageRow | undefined;
      return row === undefined ? undefined : this.#toRecord(row);
    });
  }

  /** The ID that a tag of a name means, if it has one. */
  tryTag(name: string, tag: string): string | undefined {
    return this.#index.read(() => {
      const row = this.#index.prepare("SELECT image FROM tag WHERE name = ? AND tag = ?").get(name, tag);
      return row === undefined ? undefined : String(row["image"]);
    });
  }

  /** Every image, by ID. */
  images(): readonly ImageRecord[] {
    return this.#index.read(() =>
      (this.#index.prepare("SELECT * FROM image ORDER BY id").all() as unknown as ImageRow[]).map((row) =>
        this.#toRecord(row),
      ),
    );
  }

  /** Takes a tag away, and with the last its image, unless another needs it. */
  removeTag(name: string, tag: string): void {
    this.#change(() => {
      const id = this.#index
        .prepare("DELETE FROM tag WHERE name = ? AND tag = ? RETURNING image")
        .get(name, tag)?.["image"];
      if (id === undefined) return;
      const release =
        "UPDATE image SET held = 0 WHERE id = ? AND NOT EXISTS (SELECT 1 FROM tag WHERE tag.image = image.id)";
      this.#index.prepare(release).run(id);
    });
  }

  /**
   * Takes an image away.
   * @param allNames whether its tags go with it
   * @throws FairleadError `image-in-use` where it has tags that stay, or another image needs it
   */
  removeImage(id: string, allNames: boolean): void {
    this.#change(() => {
      const needs = this.#index.prepare("SELECT image FROM dependency WHERE needs = ?").get(id);
      if (needs !== undefined) {
        throw new FairleadError("image-in-use", `the image ${id} is needed by ${String(needs["image"])}`);
      }
      const tag = this.#index.prepare("SELECT name, tag FROM tag WHERE image = ?").get(id);
      if (tag !== undefined && !allNames) {
        throw new FairleadError(
          "image-in-use",
          `the image ${id} is ${String(tag["name"])}:${String(tag["tag"])} as well`,
        );
      }
      this.#index.prepare("DELETE FROM tag WHERE image = ?").run(id);
      this.#index.prepare("UPDATE image SET held = 0 WHERE id = ?").run(id);
    });
  }

  /** The uncompressed archive of an image, which stays readable when the image is removed meanwhile. */
  async openImage(id: string): Promise<FileHandle> {
    return open(this.#files.imageFile(id)).catch((error: unknown) => {
      throw describeStoreFailure(error);
    });
  }

  /** Closes the store and removes what this process has not finished. */
  close(): void {
    this.#work.close();
    this.#index.close();
  }

  /**
   * Changes the index, then removes the files of what nothing asks for any more: in a transaction of its own, so that
   * a process that is killed in between leaves files without images, never images without files.
   */
  #change(work: () => void): void {
    const gone = this.#index.transaction(() =>
      withFolder(() => {
        work();
        return this.#deleteUnneeded();
      }),
    );
    if (gone.length === 0) return;
    this.#index.transaction(() =>
      withFolder(() => {
        const select = this.#index.prepare("SELECT 1 FROM image WHERE id = ?");
        // Another process may have stored it anew.
        this.#files.discard(gone.filter((id) => select.get(id) === undefined));
      }),
    );
  }

  #deleteUnneeded(): readonly string[] {
    const gone: string[] = [];
    for (;;) {
      const ids = this.#index
        .prepare(unneeded)
        .all()
        .map((row) => String(row["id"]));
      if (ids.length === 0) return gone;
      for (const id of ids) this.#index.prepare("DELETE FROM image WHERE id = ?").run(id);
      gone.push(...ids);
    }
  }

  #insert({ id, name, manifest, imageBytes, archiveBytes }: NewImage): void {
    this.#index
      .prepare(
        "INSERT INTO image (id, name, manifest, image_bytes, archive_bytes, used_ms) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(id, name, manifest, imageBytes, archiveBytes, Date.now());
  }

  /** What an image depends on by name may be another image than before. */
  #insertDependencies({ id, dependencies }: NewImage): void {
    this.#index.prepare("DELETE FROM dependency WHERE image = ?").run(id);
    const insert = this.#index.prepare("INSERT INTO dependency (image, position, needs) VALUES (?, ?, ?)");
    for (const [position, needs] of dependencies.entries()) insert.run(id, position, needs);
  }

  #toRecord(row: ImageRow): ImageRecord {
    const texts = (sql: string): string[] =>
      this.#index
        .prepare(sql)
        .all(row.id)
        .map((found) => String(found["text"]));
    return {
      id: row.id,
      name: row.name,
      manifest: row.manifest,
      imageBytes: row.image_bytes,
      archiveBytes: row.archive_bytes,
      dependencies: texts("SELECT needs AS text FROM dependency WHERE image = ? ORDER BY position"),
      tags: texts("SELECT tag AS text FROM tag WHERE image = ? ORDER BY tag"),
    };
  }
}

function withFolder<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Error && "syscall" in error ? describeStoreFailure(error) : error;
  }
}
