import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FairleadError } from "../../core/error.ts";
import { describeTreeFailure } from "./file-failure.ts";
import type { FileUpdate, TreeUpdate } from "./update-tree.ts";

interface StagedFile {
  readonly update: FileUpdate;
  readonly path: string;
  readonly temporary: string;
}

/**
 * Writes an update into its tree. Every file is put beside its place first, and then takes it: each is whole at any
 * moment, and keeps its mode and, where that is allowed, its owner. Before the first file takes its place it is made
 * sure that none has changed since it was read.
 * @throws FairleadError `output-refused`, in whose hint stand the files that were written, if there are any
 */
export function writeTreeUpdate(root: string, { files }: TreeUpdate): void {
  const staged: StagedFile[] = [];
  let written = 0;
  try {
    for (const update of files) attempt(update, () => staged.push(stage(root, update)));
    for (const { update, path } of staged) attempt(update, () => requireUnchanged(path, update.stats));
    for (const { update, path, temporary } of staged) {
      attempt(update, () => renameSync(temporary, path));
      written++;
    }
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    const { message, where, cause } = error;
    throw new FairleadError("output-refused", message, { where, cause, hint: tellWritten(files, written) });
  } finally {
    for (const { temporary } of staged.slice(written)) rmSync(temporary, { force: true });
  }
}

function stage(root: string, update: FileUpdate): StagedFile {
  const path = join(root, update.path);
  const temporary = join(dirname(path), `.fairlead-${crypto.randomUUID()}.tmp`);
  const file = openSync(temporary, "wx", update.stats.mode & 0o777);
  try {
    writeFileSync(file, update.after);
    keepOwnerAndMode(file, update.stats);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return { update, path, temporary };
}

function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const present = fstatSync(file);
  if (present.uid !== uid || present.gid !== gid) {
    try {
      fchownSync(file, uid, gid);
    } catch {
      // Only root may give files away.
    }
  }
  if (present.mode !== mode) fchmodSync(file, mode & 0o7777);
}

function requireUnchanged(path: string, { ino, size, mtimeMs }: Stats): void {
  const present = lstatSync(path);
  if (present.ino === ino && present.size === size && present.mtimeMs === mtimeMs) return;
  throw new FairleadError("output-refused", "the file has changed since it was read");
}

function attempt(update: FileUpdate, work: () => unknown): void {
  const where = { file: update.path };
  try {
    work();
  } catch (cause) {
    const message =
      cause instanceof FairleadError ? cause.message : `cannot write the file: ${describeTreeFailure(cause)}`;
    throw new FairleadError("output-refused", message, { where, cause });
  }
}

const toldFiles = 20;

function tellWritten(files: readonly FileUpdate[], written: number): string {
  if (written === 0) return "no file was written";
  const names = files.slice(0, Math.min(written, toldFiles)).map(({ path }) => path);
  const more = written > toldFiles ? ` and ${written - toldFiles} more` : "";
  return `written were ${names.join(", ")}${more}; no other file was`;
}
