import type { DatabaseSync, StatementSync } from "node:sqlite";
import { FairleadError, messageOf } from "./error.ts";

/** An open SQLite file: its prepared statements, and its transactions. */
export class SqliteFile {
  protected readonly database: DatabaseSync;
  readonly #file: string | undefined;
  readonly #subject: string;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param file its name in messages; undefined: it lives in memory
   * @param subject what it is, such as `state`
   */
  constructor(file: string | undefined, subject: string, database: DatabaseSync) {
    this.#file = file;
    this.#subject = subject;
    this.database = database;
  }

  /** A statement, prepared once. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs work that only reads. @throws FairleadError `state-invalid` */
  read<Result>(work: () => Result): Result {
    return withFileErrors(this.#file, this.#subject, work);
  }

  /** Runs work as one transaction, which is on disk when this returns. @throws FairleadError `state-invalid` */
  transaction<Result>(work: () => Result): Result {
    return this.read(() => {
      this.database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.database.exec("COMMIT");
        return result;
      } catch (error) {
        // A disk that is full has SQLite roll back by itself.
        if (this.database.isTransaction) this.database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** Closes the file; what was committed is in it. */
  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/** Runs work on a SQLite file, and tells of what goes wrong as `state-invalid` with the file's name. */
export function withFileErrors<Result>(
  file: string | undefined,
  subject: string,
  work: () => Result,
): Result {
  const where = file === undefined ? {} : { file };
  try {
    return work();
  } catch (error) {
    if (error instanceof FairleadError) {
      const { code, message, hint, cause } = error;
      throw new FairleadError(code, message, { where: { ...where, ...error.where }, hint, cause });
    }
    throw new FairleadError("state-invalid", `the ${subject} cannot be used: ${messageOf(error)}`, {
      where,
      cause: error,
    });
  }
}
