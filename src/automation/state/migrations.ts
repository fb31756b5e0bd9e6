import type { DatabaseSync } from "node:sqlite";
import { FairleadError } from "../../core/error.ts";

/** "frld": what SQLite's header says the file is for. */
const applicationId = 0x66726c64;

/** The steps from each version of the schema to the next; the first makes it. What stands here is never changed. */
const migrations: readonly string[] = [
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
];

/**
 * Brings a state file to the current version of the schema.
 * @throws FairleadError `state-invalid` for a file of something else, or of a newer fairlead
 */
export function migrate(database: DatabaseSync, { readOnly }: { readonly readOnly: boolean }): void {
  if (isCurrent(database)) return;
  if (readOnly) {
    throw new FairleadError("state-invalid", "the state was not written yet, or by an older fairlead", {
      hint: "run fairlead automate with it first",
    });
  }
  // Another process may have done it meanwhile: what is true is asked again inside.
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = isCurrent(database) ? migrations.length : pragma(database, "user_version");
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function isCurrent(database: DatabaseSync): boolean {
  const id = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const isEmpty = id === 0 && version === 0 && pragma(database, "schema_version") === 0;
  if (id !== applicationId && !isEmpty) {
    throw new FairleadError("state-invalid", "the file is a database of something else");
  }
  if (version > migrations.length) {
    throw new FairleadError("state-invalid", `the state is of version ${version}, from a newer fairlead`, {
      hint: `this fairlead knows versions up to ${migrations.length}: use the newer one, or another file`,
    });
  }
  return version === migrations.length;
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
