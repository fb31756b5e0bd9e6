import { messageOf } from "./error.ts";

const failures: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "no such file or folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space is left"],
  ["EDQUOT", "no space is left"],
  ["ELOOP", "the link leads in a circle"],
  ["EISDIR", "this is a folder"],
  ["EEXIST", "something else has this name"],
  ["ENAMETOOLONG", "the name is too long"],
]);

/** Why the file system refused, as one sentence without the path. */
export function describeFileFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return failures.get(code) ?? messageOf(error);
}
