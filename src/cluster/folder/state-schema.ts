import type { SqliteSchema } from "../../core/sqlite-schema.ts";

/** The tables of what is known of the objects of a folder beside their manifests. */
export const stateSchema: SqliteSchema = {
  // "frlf"
  applicationId: 0x66726c66,
  subject: "state of the folder",
  writer: "fairlead controller",
  migrations: [
    `CREATE TABLE object (
     key TEXT PRIMARY KEY,
     state TEXT NOT NULL CHECK (json_valid(state))
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE version (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     value INTEGER NOT NULL
   ) STRICT;
   INSERT INTO version VALUES (1, 0);`,
  ],
};
