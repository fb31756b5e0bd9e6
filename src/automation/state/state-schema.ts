import type { SqliteSchema } from "../../core/sqlite-schema.ts";

/** The tables of the state of automation. */
export const stateSchema: SqliteSchema = {
  // "frld"
  applicationId: 0x66726c64,
  subject: "state",
  writer: "fairlead automate",
  migrations: [
    `CREATE TABLE object (
     id INTEGER PRIMARY KEY,
     kind TEXT NOT NULL,
     namespace TEXT NOT NULL,
     name TEXT NOT NULL,
     status TEXT NOT NULL CHECK (json_valid(status)),
     UNIQUE (kind, namespace, name)
   ) STRICT;
   CREATE TABLE tag_list (
     object INTEGER PRIMARY KEY REFERENCES object (id) ON DELETE CASCADE,
     tags BLOB NOT NULL
   ) STRICT;`,
    `CREATE TABLE request (
     kind TEXT NOT NULL,
     namespace TEXT NOT NULL,
     name TEXT NOT NULL,
     requested_at TEXT NOT NULL,
     PRIMARY KEY (kind, namespace, name)
   ) STRICT, WITHOUT ROWID;`,
  ],
};
