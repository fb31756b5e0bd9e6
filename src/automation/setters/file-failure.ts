import { messageOf } from "../../core/error.ts";

const failures: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "no such file or folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space is left"],
  ["EDQUOT", "no space is left"],
  ["ELOOP", "a link is in the place of the file"],
  ["EISDIR", "this is a folder"],
]);

/** Why the file system refused, as one sentence without the path. */
export function describeFileFailure(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return failures.get(code) ?? messageOf(error);
}
