import { describeFileFailure } from "../../core/file-failure.ts";

/** Why the file system refused a file of the tree, whose links are not followed: one sentence without the path. */
export function describeTreeFailure(error: unknown): string {
  const isLink = error instanceof Error && "code" in error && error.code === "ELOOP";
  return isLink ? "a link is in the place of the file" : describeFileFailure(error);
}
