import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { FairleadError } from "../../core/error.ts";
import { SqliteFile, withFileErrors } from "../../core/sqlite-file.ts";
import { migrate, readPragma } from "../../core/sqlite-schema.ts";
import { outboxSchema } from "./outbox-schema.ts";

export interface OpenOutboxOptions {
  /** Nothing is written, and a file that is missing is an error; default: false. */
  readonly readOnly?: boolean;
}

const busyTimeoutMs = 5000;
/** Kept of the file in memory, in KiB. */
const cacheKibibytes = 16 * 1024;

/**
 * Opens the file of an outbox, or makes it, for this process alone unless it is only read.
 * @param file undefined: the outbox lives in memory and ends with the process
 * @throws FairleadError `state-invalid` for a file that is none, is damaged, is from a newer fairlead, or is served
 *   by another process
 */
export async function openOutboxFile(
  file: string | undefined,
  { readOnly = false }: OpenOutboxOptions = {},
): Promise<OutboxFile> {
  // Loaded where an outbox is kept: SQLite takes a part of the start-up.
  const { DatabaseSync } = await import("node:sqlite");
  return withFileErrors(file, outboxSchema.subject, () => {
    const lock = file === undefined || readOnly ? undefined : takeLock(DatabaseSync, file);
    let database: DatabaseSync | undefined;
    try {
      // What events say is for the owner of the file alone; SQLite's other files take its mode.
      if (file !== undefined && !readOnly) closeSync(openSync(file, "a", 0o600));
      database = new DatabaseSync(file ?? ":memory:", { readOnly });
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA foreign_keys = ON`);
      database.exec(`PRAGMA cache_size = -${cacheKibibytes}; PRAGMA temp_store = MEMORY`);
      if (!readOnly) {
        // Before the first table is made, or it has no effect: space that is freed is given back.
        database.exec("PRAGMA auto_vacuum = INCREMENTAL");
        database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      }
      migrate(database, outboxSchema, { readOnly });
      return new OutboxFile(file, database, lock);
    } catch (error) {
      database?.close();
      lock?.close();
      throw error;
    }
  });
}

/** Two processes that serve one outbox would deliver everything twice. The system frees the lock of a killed one. */
function takeLock(Database: typeof DatabaseSync, file: string): DatabaseSync {
  closeSync(openSync(`${file}-lock`, "a", 0o600));
  const lock = new Database(`${file}-lock`);
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    throw new FairleadError("state-invalid", "the outbox is in use by another process", {
      hint: "stop the other fairlead notify serve, or give each its own --state",
      cause,
    });
  }
}

/** An open outbox. */
export class OutboxFile extends SqliteFile {
  readonly #lock: DatabaseSync | undefined;

  constructor(file: string | undefined, database: DatabaseSync, lock: DatabaseSync | undefined) {
    super(file, outboxSchema.subject, database);
    this.#lock = lock;
  }

  /** Bytes in use, without those that are free within the file. @throws FairleadError `state-invalid` */
  usedBytes(): number {
    return this.read(() => {
      const pages = readPragma(this.database, "page_count") - readPragma(this.database, "freelist_count");
      return pages * readPragma(this.database, "page_size");
    });
  }

  /** Gives pages that are free back to the system, so many at most. @throws FairleadError `state-invalid` */
  giveBack(pages: number): void {
    this.read(() => this.database.exec(`PRAGMA incremental_vacuum(${pages})`));
  }

  /** Lets the file grow no further than so many pages; for tests of a full disk. */
  limitPages(pages: number): void {
    this.database.exec(`PRAGMA max_page_count = ${pages}`);
  }

  /** Closes the file; what was committed is in it. */
  override close(): void {
    super.close();
    this.#lock?.close();
  }
}
