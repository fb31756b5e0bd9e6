import { FairleadError } from "../../core/error.ts";
import { SqliteFile, withFileErrors } from "../../core/sqlite-file.ts";
import { migrate } from "../../core/sqlite-schema.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import type { MetadataChanges } from "./metadata-changes.ts";
import { stateSchema } from "./state-schema.ts";

/** What is known of an object beside its manifest. */
export interface ObjectState {
  /** Where it was declared. */
  readonly file: string | undefined;
  readonly uid: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string | undefined;
  readonly generation: number | undefined;
  /** Of its content; undefined for what must not be told from it. */
  readonly digest: string | undefined;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly finalizers: readonly string[] | undefined;
  readonly changes: MetadataChanges;
  readonly status: JsonObject | undefined;
}

/** What has become of objects, written at once. */
export interface StateChanges {
  /** Of the last change. */
  readonly version: number;
  /** By the objects' keys; undefined: it is gone. */
  readonly objects: ReadonlyMap<string, ObjectState | undefined>;
}

const busyTimeoutMs = 30_000;
/** Of one object, in UTF-16 units. */
const maxStateLength = 1_500_000;

/**
 * Opens the state of a folder's objects, or makes it.
 * @param file undefined: it lives in memory
 * @throws FairleadError `state-invalid` for a file that is none, is damaged, or is from a newer fairlead
 */
export async function openFolderState(file: string | undefined): Promise<FolderState> {
  const { DatabaseSync } = await import("node:sqlite");
  return withFileErrors(file, stateSchema.subject, () => {
    const database = new DatabaseSync(file ?? ":memory:");
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      // A power cut may take the last statuses, which controllers write anew; a killed process loses nothing.
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      migrate(database, stateSchema, { readOnly: false });
      return new FolderState(new SqliteFile(file, stateSchema.subject, database));
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** What is kept of the objects of a folder over restarts, in one SQLite file. One process uses it at a time. */
export class FolderState {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Of the last change. @throws FairleadError `state-invalid` */
  version(): number {
    return this.#file.read(() => Number(this.#file.prepare("SELECT value FROM version").get()?.["value"]));
  }

  /** All objects, by their keys. @throws FairleadError `state-invalid` */
  objects(): Map<string, ObjectState> {
    return this.#file.read(() => {
      const rows = this.#file.prepare("SELECT key, state FROM object").all();
      return new Map(rows.map(({ key, state }) => [String(key), JSON.parse(String(state)) as ObjectState]));
    });
  }

  /** Writes changes, all or none. @throws FairleadError `state-invalid`, `limit-exceeded` */
  write({ version, objects }: StateChanges): void {
    const rows = Array.from(objects, ([key, state]) => [key, state && toText(key, state)] as const);
    this.#file.transaction(() => {
      this.#file.prepare("UPDATE version SET value = ?").run(version);
      for (const [key, text] of rows) {
        if (text === undefined) this.#file.prepare("DELETE FROM object WHERE key = ?").run(key);
        else {
          const upsert = "INSERT INTO object VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state";
          this.#file.prepare(upsert).run(key, text);
        }
      }
    });
  }

  /** Closes the file; what was written is in it. */
  close(): void {
    this.#file.close();
  }
}

function toText(key: string, state: ObjectState): string {
  const text = JSON.stringify(state);
  if (text.length <= maxStateLength) return text;
  throw new FairleadError("limit-exceeded", `more is to be kept of ${key} than ${maxStateLength} characters`);
}
