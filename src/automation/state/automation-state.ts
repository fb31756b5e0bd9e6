import { SqliteFile, withFileErrors } from "../../core/sqlite-file.ts";
import { migrate } from "../../core/sqlite-schema.ts";
import type { Statuses, StatusKind } from "./object-status.ts";
import { stateSchema } from "./state-schema.ts";
import { decodeTags, encodeTags } from "./tag-list.ts";

export interface OpenStateOptions {
  /** Nothing is written, and a file that is missing is an error; default: false. */
  readonly readOnly?: boolean;
}

/** The key of an object. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export interface StoredStatus<Kind extends StatusKind> extends ObjectName {
  readonly status: Statuses[Kind];
}

/** How long a write waits for another process. */
const busyTimeoutMs = 30_000;

/**
 * Opens the state of automation, or makes it.
 * @param file undefined: the state lives in memory and ends with the process
 * @throws FairleadError `state-invalid` for a file that is none, is damaged, or is from a newer fairlead
 */
export async function openState(
  file: string | undefined,
  { readOnly = false }: OpenStateOptions = {},
): Promise<AutomationState> {
  // Loaded where state is kept: SQLite takes a part of the start-up.
  const { DatabaseSync } = await import("node:sqlite");
  return withFileErrors(file, stateSchema.subject, () => {
    const database = new DatabaseSync(file ?? ":memory:", { readOnly });
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA foreign_keys = ON`);
      if (!readOnly) database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      migrate(database, stateSchema, { readOnly });
      return new AutomationState(new SqliteFile(file, stateSchema.subject, database));
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * What automation remembers, in one SQLite file. Each write is a transaction of its own: a process that is killed
 * leaves the state of before or after. Several processes may share it; the last write of an object counts.
 */
export class AutomationState {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** What is known of an object. @throws FairleadError `state-invalid` */
  status<Kind extends StatusKind>(kind: Kind, { namespace, name }: ObjectName): Statuses[Kind] | undefined {
    return this.#file.read(() => {
      const select = "SELECT status FROM object WHERE kind = ? AND namespace = ? AND name = ?";
      const row = this.#file.prepare(select).get(kind, namespace, name);
      return row === undefined ? undefined : (parseStatus(row["status"]) as Statuses[Kind]);
    });
  }

  /** What is known of all objects of a kind, by namespace and name. @throws FairleadError `state-invalid` */
  statuses<Kind extends StatusKind>(kind: Kind): readonly StoredStatus<Kind>[] {
    return this.#file.read(() =>
      this.#file
        .prepare("SELECT namespace, name, status FROM object WHERE kind = ? ORDER BY namespace, name")
        .all(kind)
        .map(({ namespace, name, status }) => ({
          namespace: String(namespace),
          name: String(name),
          status: parseStatus(status) as Statuses[Kind],
        })),
    );
  }

  /** Remembers what is known of an object. @throws FairleadError `state-invalid` */
  putStatus<Kind extends StatusKind>(kind: Kind, name: ObjectName, status: Statuses[Kind]): void {
    this.#file.transaction(() => void this.#upsert(kind, name, status));
  }

  /** The tags of an ImageRepository, as they were put; none where nothing is known. @throws FairleadError `state-invalid` */
  tags({ namespace, name }: ObjectName): readonly string[] {
    return this.#file.read(() => {
      const select =
        "SELECT tags FROM tag_list JOIN object ON object.id = tag_list.object " +
        "WHERE kind = 'ImageRepository' AND namespace = ? AND name = ?";
      const row = this.#file.prepare(select).get(namespace, name);
      return row === undefined ? [] : decodeTags(row["tags"] as Uint8Array);
    });
  }

  /** Remembers the tags of an ImageRepository together with its status. @throws FairleadError `state-invalid` */
  putTags(name: ObjectName, status: Statuses["ImageRepository"], tags: readonly string[]): void {
    const bytes = encodeTags(tags);
    this.#file.transaction(() => {
      const object = this.#upsert("ImageRepository", name, status);
      const upsert = "INSERT INTO tag_list VALUES (?, ?) ON CONFLICT DO UPDATE SET tags = excluded.tags";
      this.#file.prepare(upsert).run(object, bytes);
    });
  }

  /** When somebody last asked for an object to be looked at; undefined where nobody did. @throws FairleadError `state-invalid` */
  request(kind: StatusKind, { namespace, name }: ObjectName): string | undefined {
    return this.#file.read(() => {
      const select = "SELECT requested_at FROM request WHERE kind = ? AND namespace = ? AND name = ?";
      const row = this.#file.prepare(select).get(kind, namespace, name);
      return row === undefined ? undefined : String(row["requested_at"]);
    });
  }

  /** Asks for an object to be looked at by the next run. @throws FairleadError `state-invalid` */
  putRequest(kind: StatusKind, { namespace, name }: ObjectName, requestedAt: string): void {
    this.#file.transaction(() => {
      const upsert =
        "INSERT INTO request VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET requested_at = excluded.requested_at";
      this.#file.prepare(upsert).run(kind, namespace, name, requestedAt);
    });
  }

  /** Forgets an object. @throws FairleadError `state-invalid` */
  remove(kind: StatusKind, { namespace, name }: ObjectName): void {
    this.#file.transaction(() => {
      for (const table of ["object", "request"]) {
        const remove = `DELETE FROM ${table} WHERE kind = ? AND namespace = ? AND name = ?`;
        this.#file.prepare(remove).run(kind, namespace, name);
      }
    });
  }

  /** Forgets the objects of a kind that are not among those named. @throws FairleadError `state-invalid` */
  prune(kind: StatusKind, names: Iterable<ObjectName>): void {
    const kept = JSON.stringify([...names].map(({ namespace, name }) => `${namespace}/${name}`));
    this.#file.transaction(() => {
      for (const table of ["object", "request"]) {
        const remove = `DELETE FROM ${table} WHERE kind = ? AND namespace || '/' || name NOT IN (SELECT value FROM json_each(?))`;
        this.#file.prepare(remove).run(kind, kept);
      }
    });
  }

  /** Closes the file; what was put is in it. */
  close(): void {
    this.#file.close();
  }

  #upsert(kind: StatusKind, { namespace, name }: ObjectName, status: Statuses[StatusKind]): number | bigint {
    const upsert =
      "INSERT INTO object (kind, namespace, name, status) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT DO UPDATE SET status = excluded.status RETURNING id";
    const row = this.#file.prepare(upsert).get(kind, namespace, name, JSON.stringify(status));
    return row?.["id"] as number;
  }
}

function parseStatus(status: unknown): unknown {
  return JSON.parse(String(status));
}
