import type { Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { type ErrorCode, FairleadError } from "../../core/error.ts";
import { describeFileFailure } from "../../core/file-failure.ts";

export interface PlainFile {
  /** The file itself, without a link on its last step. */
  readonly path: string;
  /** Undefined where there is no such file yet. */
  readonly stats: Stats | undefined;
}

/**
 * Finds the file that a path names and makes sure that it is a plain one: no directory, device, pipe or
 * socket, and no link to something outside the folder that the link is in.
 * @throws FairleadError with the given code, and the path as `where.file`.
 */
export async function findPlainFile(path: string, code: ErrorCode): Promise<PlainFile> {
  const refuse = (message: string, cause?: unknown): FairleadError =>
    new FairleadError(code, message, { where: { file: path }, cause });
  if (path === "" || path.includes("\0")) throw refuse("this is no file name");
  if (path.endsWith(sep)) throw refuse("this is a directory, not a file");
  try {
    const folder = await realpath(dirname(path)).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      throw refuse("its folder does not exist", error);
    });
    const entry = await tryLstat(path);
    if (entry?.isSymbolicLink() !== true) {
      return { path: join(folder, basename(path)), stats: requirePlain(entry, refuse) };
    }
    const target = await realpath(path).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      throw refuse("the link leads nowhere", error);
    });
    if (isOutside(folder, target)) throw refuse("the link leads out of its folder");
    return { path: target, stats: requirePlain(await stat(target), refuse) };
  } catch (error) {
    if (error instanceof FairleadError) throw error;
    throw refuse(describeFileFailure(error), error);
  }
}

async function tryLstat(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function requirePlain(
  stats: Stats | undefined,
  refuse: (message: string) => FairleadError,
): Stats | undefined {
  if (stats === undefined || stats.isFile()) return stats;
  if (stats.isDirectory()) throw refuse("this is a directory, not a file");
  throw refuse("this is a device, pipe or socket, not a file");
}

function isOutside(folder: string, target: string): boolean {
  const steps = relative(folder, target);
  return steps === ".." || steps.startsWith(`..${sep}`);
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
