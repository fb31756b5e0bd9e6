import type { DatabaseSync } from "node:sqlite";
import { FairleadError } from "./error.ts";

/** What the tables of a SQLite file are, and how they came about. */
export interface SqliteSchema {
  /** What SQLite's header says the file is for. */
  readonly applicationId: number;
  /** The name of such a file in messages, such as `state`. */
  readonly subject: string;
  /** The command that writes such a file. */
  readonly writer: string;
  /** The steps from each version to the next; the first makes it. A step that was published is never changed. */
  readonly migrations: readonly string[];
}

/**
 * Brings a file to the current version of its schema.
 * @throws FairleadError `state-invalid` for a file of something else, or of a newer fairlead
 */
export function migrate(
  database: DatabaseSync,
  schema: SqliteSchema,
  { readOnly }: { readonly readOnly: boolean },
): void {
  if (isCurrent(database, schema)) return;
  const { applicationId, subject, writer, migrations } = schema;
  if (readOnly) {
    throw new FairleadError("state-invalid", `the ${subject} was not written yet, or by an older fairlead`, {
      hint: `run ${writer} with it first`,
    });
  }
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it meanwhile: what is true is asked again inside.
    const version = isCurrent(database, schema) ? migrations.length : readPragma(database, "user_version");
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    // A disk that is full has SQLite roll back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The number that a pragma gives. */
export function readPragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

function isCurrent(database: DatabaseSync, { applicationId, subject, migrations }: SqliteSchema): boolean {
  const id = readPragma(database, "application_id");
  const version = readPragma(database, "user_version");
  const isEmpty = id === 0 && version === 0 && readPragma(database, "schema_version") === 0;
  if (id !== applicationId && !isEmpty) {
    throw new FairleadError("state-invalid", "the file is a database of something else");
  }
  if (version > migrations.length) {
    throw new FairleadError(
      "state-invalid",
      `the ${subject} is of version ${version}, from a newer fairlead`,
      { hint: `this fairlead knows versions up to ${migrations.length}: use the newer one, or another file` },
    );
  }
  return version === migrations.length;
}
