import { closeSync, openSync } from "node:fs";
import { SqliteFile, withFileErrors } from "../../core/sqlite-file.ts";
import { migrate, type SqliteSchema } from "../../core/sqlite-schema.ts";

/** An event that waits to be posted. */
export interface QueuedEvent {
  readonly id: number;
  /** The JSON to post. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly recordedMs: number;
}

const schema: SqliteSchema = {
  // "frlq": what SQLite's header says the file is for.
  applicationId: 0x66726c71,
  subject: "queue of events",
  writer: "fairlead automate",
  migrations: [
    `CREATE TABLE event (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       body TEXT NOT NULL,
       recorded_ms INTEGER NOT NULL
     ) STRICT`,
  ],
};

const busyTimeoutMs = 5000;

/**
 * Opens a queue of events, or makes it.
 * @param file undefined: the queue lives in memory and ends with the process
 * @throws FairleadError `state-invalid`
 */
export async function openEventQueue(file: string | undefined): Promise<EventQueue> {
  const { DatabaseSync } = await import("node:sqlite");
  return withFileErrors(file, schema.subject, () => {
    // What events say is for the owner of the file alone.
    if (file !== undefined) closeSync(openSync(file, "a", 0o600));
    const database = new DatabaseSync(file ?? ":memory:");
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      migrate(database, schema, { readOnly: false });
      return new EventQueue(file, database);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Events in the order in which they were recorded. */
export class EventQueue extends SqliteFile {
  constructor(file: string | undefined, database: ConstructorParameters<typeof SqliteFile>[2]) {
    super(file, schema.subject, database);
  }

  /** Puts events at the end, all or none. @throws FairleadError `state-invalid` */
  append(events: readonly Omit<QueuedEvent, "id">[]): void {
    this.transaction(() => {
      const insert = this.prepare("INSERT INTO event (body, recorded_ms) VALUES (?, ?)");
      for (const { body, recordedMs } of events) insert.run(body, recordedMs);
    });
  }

  /** The event that was recorded first. @throws FairleadError `state-invalid` */
  first(): QueuedEvent | undefined {
    const row = this.read(() =>
      this.prepare("SELECT id, body, recorded_ms FROM event ORDER BY id LIMIT 1").get(),
    );
    if (row === undefined) return undefined;
    return { id: Number(row["id"]), body: String(row["body"]), recordedMs: Number(row["recorded_ms"]) };
  }

  /** Takes an event out. @throws FairleadError `state-invalid` */
  remove(id: number): void {
    this.transaction(() => this.prepare("DELETE FROM event WHERE id = ?").run(id));
  }

  /** How many wait. @throws FairleadError `state-invalid` */
  count(): number {
    return Number(this.read(() => this.prepare("SELECT count(*) AS count FROM event").get())?.["count"] ?? 0);
  }
}
