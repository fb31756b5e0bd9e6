import { FairleadError } from "../../core/error.ts";
import { compareVersions, tryParseVersion, type Version, VersionError } from "../../helm/chart/version.ts";
import { parseVersionRange, satisfiesRange, type VersionRange } from "../../helm/chart/version-range.ts";
import { type GitContext, git } from "./git-command.ts";
import { isObjectId, isRefName } from "./ref-name.ts";

/** Refs of a remote repository and the objects they name; `refs/tags/v1^{}` is what the tag object names. */
export type RemoteRefs = ReadonlyMap<string, string>;

/**
 * Asks a remote repository for refs.
 * @param patterns whole refs, or `refs/tags/*`
 * @throws FairleadError as {@link git}
 */
export async function listRemoteRefs(
  url: string,
  patterns: readonly string[],
  context: GitContext,
): Promise<RemoteRefs> {
  const listed = await git(["ls-remote", "--quiet", "--end-of-options", url, ...patterns], context);
  const refs = new Map<string, string>();
  for (const line of listed.split("\n")) {
    const [id = "", ref = ""] = line.split("\t");
    if (isObjectId(id) && isRefName(ref.replace(/\^\{\}$/u, ""))) refs.set(ref, id);
  }
  return refs;
}

/** The commit that a ref names, seen through a tag object. */
export function commitOf(refs: RemoteRefs, ref: string): string | undefined {
  return refs.get(`${ref}^{}`) ?? refs.get(ref);
}

/**
 * The ref of the highest tag in a range by Masterminds' rules; of equal versions the first in byte order.
 * @throws FairleadError `config-invalid` for a range that is none, `git-failed` where no tag is in it
 */
export function chooseVersionTag(refs: RemoteRefs, rangeText: string): string {
  const range = parseRange(rangeText);
  let best: { readonly ref: string; readonly version: Version } | undefined;
  for (const ref of [...refs.keys()].toSorted()) {
    if (!ref.startsWith("refs/tags/") || ref.endsWith("^{}")) continue;
    const tag = ref.slice("refs/tags/".length);
    // As Flux asks for them: a version has three parts.
    const version = tag.split(".").length < 3 ? undefined : tryParseVersion(tag);
    if (version === undefined || !satisfiesRange(version, range)) continue;
    if (best === undefined || compareVersions(version, best.version) > 0) best = { ref, version };
  }
  if (best === undefined) {
    throw new FairleadError("git-failed", `no tag of the remote repository is in the range ${rangeText}`);
  }
  return best.ref;
}

function parseRange(text: string): VersionRange {
  try {
    return parseVersionRange(text);
  } catch (cause) {
    if (!(cause instanceof VersionError)) throw cause;
    throw new FairleadError(
      "config-invalid",
      `${JSON.stringify(text)} is no range of versions: ${cause.message}`,
    );
  }
}
