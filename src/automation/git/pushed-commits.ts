import { type GitContext, git } from "./git-command.ts";
import { branchRef } from "./ref-name.ts";

/** How far back a branch is looked at: nobody pushes so much while a process is started again. */
const maxDepth = 1000;

/** A commit that is on a branch of the server. */
export interface PushedCommit {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
}

interface Search {
  /** Empty or missing; it is made a repository. */
  readonly folder: string;
  readonly url: string;
  readonly branch: string;
  /** Whole ids. */
  readonly commits: readonly string[];
}

/**
 * Those of some commits that are on a branch of the server, in the order given.
 * @throws FairleadError as {@link git}
 */
export async function findPushedCommits(
  { folder, url, branch, commits }: Search,
  context: GitContext,
): Promise<readonly PushedCommit[]> {
  const inFolder = async (...args: readonly string[]): Promise<string> => git(args, context, { cwd: folder });
  const format = commits[0]?.length === 64 ? "sha256" : "sha1";
  await git(["init", "--quiet", "--template=", `--object-format=${format}`, folder], context);
  await inFolder("config", "remote.origin.url", url);
  const limits = ["--no-tags", `--depth=${maxDepth}`, "--filter=tree:0"];
  await inFolder("fetch", "--quiet", ...limits, "--end-of-options", "origin", branchRef(branch));
  const history = new Set((await inFolder("rev-list", "FETCH_HEAD")).split("\n"));
  const found: PushedCommit[] = [];
  for (const commit of commits.filter((each) => history.has(each))) {
    const object = await inFolder("cat-file", "commit", commit);
    found.push({ commit, branch, message: object.slice(object.indexOf("\n\n") + 2) });
  }
  return found;
}
