import type { DatabaseSync } from "node:sqlite";
import { FairleadError } from "../../core/error.ts";

/** "frln": what SQLite's header says the file is for. */
const applicationId = 0x66726c6e;

/** The steps from each version of the schema to the next; the first makes it. What stands here is never changed. */
const migrations: readonly string[] = [
  `CREATE TABLE event (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     uid TEXT NOT NULL,
     received_ms INTEGER NOT NULL,
     object TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX event_received ON event (received_ms);
   CREATE TABLE delivery (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
     destination TEXT NOT NULL,
     object TEXT NOT NULL,
     alert TEXT NOT NULL,
     alert_uid TEXT,
     metadata TEXT NOT NULL,
     text TEXT,
     state TEXT NOT NULL CHECK (state IN ('ready', 'waiting', 'delivered', 'dead', 'dropped')),
     due_ms INTEGER NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     replays INTEGER NOT NULL DEFAULT 0,
     error TEXT,
     changed_ms INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX delivery_event ON delivery (event);
   CREATE INDEX delivery_due ON delivery (destination, due_ms, id) WHERE state = 'ready';
   CREATE INDEX delivery_queue ON delivery (destination, object, state, id) WHERE state IN ('ready', 'waiting');
   CREATE INDEX delivery_dead ON delivery (id) WHERE state = 'dead';
   CREATE TABLE dedupe (
     key TEXT PRIMARY KEY,
     reset_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX dedupe_reset ON dedupe (reset_ms);
   CREATE TABLE kubernetes_event (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     time_ms INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX kubernetes_event_time ON kubernetes_event (time_ms);`,
];

/**
 * Brings an outbox to the current version of the schema.
 * @throws FairleadError `state-invalid` for a file of something else, or of a newer fairlead
 */
export function migrate(database: DatabaseSync, { readOnly }: { readonly readOnly: boolean }): void {
  if (isCurrent(database)) return;
  if (readOnly) {
    throw new FairleadError("state-invalid", "the outbox was not written yet, or by an older fairlead", {
      hint: "run fairlead notify serve with it first",
    });
  }
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it meanwhile: what is true is asked again inside.
    const version = isCurrent(database) ? migrations.length : pragma(database, "user_version");
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The number that a pragma gives. */
export function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

function isCurrent(database: DatabaseSync): boolean {
  const id = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const isEmpty = id === 0 && version === 0 && pragma(database, "schema_version") === 0;
  if (id !== applicationId && !isEmpty) {
    throw new FairleadError("state-invalid", "the file is a database of something else");
  }
  if (version > migrations.length) {
    throw new FairleadError("state-invalid", `the outbox is of version ${version}, from a newer fairlead`, {
      hint: `this fairlead knows versions up to ${migrations.length}: use the newer one, or another file`,
    });
  }
  return version === migrations.length;
}
