import type { SqliteSchema } from "../../core/sqlite-schema.ts";

/** The tables of an outbox. */
export const outboxSchema: SqliteSchema = {
  // "frln"
  applicationId: 0x66726c6e,
  subject: "outbox",
  writer: "fairlead notify serve",
  migrations: [
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
     start_ms INTEGER NOT NULL,
     reset_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX dedupe_reset ON dedupe (reset_ms);
   CREATE TABLE kubernetes_event (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     time_ms INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX kubernetes_event_time ON kubernetes_event (time_ms);`,
  ],
};
