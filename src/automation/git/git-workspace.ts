import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { FairleadError } from "../../core/error.ts";
import { createRedactor } from "../../core/redaction.ts";
import type { Secret } from "../../objects/secret.ts";
import { writeAccess } from "./access-settings.ts";
import type { CheckoutPlan, CheckoutTarget } from "./checkout-plan.ts";
import { type CommitSigner, openSigner } from "./commit-signer.ts";
import type { GitAccess } from "./git-access.ts";
import { checkGit, type GitContext, git, tryGit } from "./git-command.ts";
import { gitEnvironment } from "./git-environment.ts";
import { createPrivateFolder, type PrivateFolder } from "./private-folder.ts";
import { type PushResult, pushRef } from "./push.ts";
import { findPushedCommits, type PushedCommit } from "./pushed-commits.ts";
import { branchRef } from "./ref-name.ts";
import { chooseVersionTag, commitOf, listRemoteRefs } from "./remote-refs.ts";

export interface WorkspaceOptions {
  readonly access: GitAccess;
  readonly plan: CheckoutPlan;
  /** The folder of the tree that is needed; a dot or nothing: all of it. */
  readonly updatePath: string;
  readonly signingKey?: { readonly type: "gpg" | "ssh"; readonly secret: Secret } | undefined;
  /** What one git command may take. */
  readonly timeoutMs: number;
  /** This process's environment, of which programs get what they need to be found and to reach the network. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Where a remote repository is. */
export interface RemoteTips {
  /** As Flux writes it: `main@sha1:…`, or `sha1:…` for a commit that no ref was asked for. */
  readonly revision: string;
  /** The commit of what is to be checked out. */
  readonly source: string;
  /** The whole ref that leads to it; undefined for a commit. */
  readonly sourceRef?: string;
  /** The commit of the branch that is pushed, where the branch exists. */
  readonly push?: string;
}

export interface CommitRequest {
  /** Changed files, relative to {@link GitWorkspace.tree}. */
  readonly paths: readonly string[];
  readonly message: string;
  readonly author: { readonly name?: string; readonly email: string };
}

const baseRef = "refs/fairlead/base";

/** No attribute of the tree may change bytes on their way between the repository and the files. */
const attributes = "* -text !eol !crlf -ident !filter !working-tree-encoding\n";

/**
 * A remote repository and a private working tree of it, by git itself. Whoever opens it closes it.
 * @throws FairleadError `credentials-invalid`, `tool-missing`
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<GitWorkspace> {
  const folder = await createPrivateFolder();
  try {
    const { access, inherited, signingKey, timeoutMs, signal } = options;
    const home = await folder.folder("home");
    const reached = await writeAccess(access, folder);
    const common = { inherited, home, allowFile: access.transport === "file" };
    const env = gitEnvironment({ ...common, ...reached });
    await checkGit({ env, redact: createRedactor(reached.secrets), timeoutMs, signal });
    const signer =
      signingKey === undefined ? undefined : await openSigner({ ...signingKey, folder, inherited });
    const redact = createRedactor([...reached.secrets, ...(signer?.secrets ?? [])]);
    const remote = { env, redact, timeoutMs, signal };
    const commit = { ...remote, env: gitEnvironment({ ...common, ...signer }) };
    return new GitWorkspace(options, { folder, remote, commit, signer });
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

interface WorkspaceParts {
  readonly folder: PrivateFolder;
  /** For what talks to the server. */
  readonly remote: GitContext;
  /** For what signs. */
  readonly commit: GitContext;
  readonly signer: CommitSigner | undefined;
}

export class GitWorkspace {
  /** The root of the working tree. */
  readonly tree: string;
  /** The folder below {@link tree} that is updated, normal and without `..`; a dot for all of it. */
  readonly updatePath: string;
  readonly #options: WorkspaceOptions;
  readonly #parts: WorkspaceParts;
  #isInitialised = false;
  /** The tip of the push branch that the tree was made from, empty where there was none. */
  #lease = "";

  constructor(options: WorkspaceOptions, parts: WorkspaceParts) {
    this.#options = options;
    this.#parts = parts;
    this.tree = join(parts.folder.path, "tree");
    this.updatePath = posix.normalize(`/${options.updatePath}`).replaceAll(/^\/|\/$/gu, "") || ".";
  }

  /** Asks the server where the refs are. @throws FairleadError `git-failed` */
  async readTips(): Promise<RemoteTips> {
    const { target, pushBranch } = this.#options.plan;
    const pushRef = branchRef(pushBranch);
    const refs = await listRemoteRefs(
      this.#options.access.url,
      [...new Set([pushRef, ...patternsOf(target)])],
      this.#parts.remote,
    );
    const push = refs.get(pushRef);
    const known = push === undefined ? {} : { push };
    if (target.kind === "commit") {
      return { revision: revisionOf(target.commit), source: target.commit, ...known };
    }
    const sourceRef = target.kind === "ref" ? target.ref : chooseVersionTag(refs, target.range);
    const source = commitOf(refs, sourceRef);
    if (source === undefined) {
      throw new FairleadError("git-failed", `the remote repository has no ${sourceRef}`);
    }
    return { revision: revisionOf(source, sourceRef), source, sourceRef, ...known };
  }

  /**
   * Makes the working tree: the push branch as the server has it, else what is to be checked out. What an earlier
   * call left is replaced.
   * @throws FairleadError `git-failed`
   */
  async checkOut(tips: RemoteTips): Promise<void> {
    await this.#initialise(tips);
    const { plan } = this.#options;
    const stacks = plan.switchesBranch && tips.push !== undefined;
    if (stacks) await this.#fetch([`+${branchRef(plan.pushBranch)}:${baseRef}`]);
    else await this.#fetchSource(tips);
    const base = await this.#commitId(baseRef);
    this.#lease = stacks || !plan.switchesBranch ? base : "";
    await this.#narrow();
    await this.#git(["checkout", "--quiet", "--force", "-B", plan.pushBranch, baseRef, "--"]);
  }

  /** Commits changed files, signed where a key was given; undefined where nothing has changed. */
  async commit({ paths, message, author }: CommitRequest): Promise<string | undefined> {
    const add = ["add", "--update", "--pathspec-from-file=-", "--pathspec-file-nul"];
    await this.#git(add, { stdin: paths.map((path) => `${path}\0`).join("") });
    const staged = ["diff", "--cached", "--quiet", "--no-ext-diff"];
    if ((await tryGit(staged, this.#parts.remote, { cwd: this.tree })).exitCode === 0) return undefined;
    const { email, name = "" } = author;
    const person = name.trim() === "" ? email : name;
    await git(
      ["commit", "--quiet", "--no-verify", "--cleanup=verbatim", "--allow-empty-message", "--file=-"],
      this.#parts.commit,
      {
        cwd: this.tree,
        stdin: message,
        env: {
          GIT_AUTHOR_NAME: person,
          GIT_AUTHOR_EMAIL: email,
          GIT_COMMITTER_NAME: person,
          GIT_COMMITTER_EMAIL: email,
        },
      },
    );
    return this.#commitId("HEAD");
  }

  /** Pushes the commit to the push branch, if that is still where the tree was made from. */
  async push(): Promise<PushResult> {
    const { pushBranch, pushOptions } = this.#options.plan;
    const target = branchRef(pushBranch);
    const request = { folder: this.tree, source: "HEAD", target, lease: this.#lease, options: pushOptions };
    return pushRef(request, this.#parts.remote);
  }

  /** The branch that {@link push} pushes, and where the refs are once it has pushed a commit. */
  pushedTips(tips: RemoteTips, commit: string): { readonly branch: string; readonly tipsAfter: RemoteTips } {
    const { pushBranch, switchesBranch } = this.#options.plan;
    if (switchesBranch) return { branch: pushBranch, tipsAfter: { ...tips, push: commit } };
    const revision = revisionOf(commit, tips.sourceRef);
    return { branch: pushBranch, tipsAfter: { ...tips, revision, source: commit, push: commit } };
  }

  /** Those of some commits that are on the push branch; asked once. @throws FairleadError `git-failed` */
  async findPushed(tips: RemoteTips, commits: readonly string[]): Promise<readonly PushedCommit[]> {
    if (tips.push === undefined || commits.length === 0) return [];
    const { access, plan } = this.#options;
    const folder = join(this.#parts.folder.path, "history");
    const search = { folder, url: access.url, branch: plan.pushBranch, commits };
    return findPushedCommits(search, this.#parts.remote);
  }

  /** Pushes what the refspec says, after the branch. Forced, it may replace what the target is at just before. */
  async pushRefspec(): Promise<PushResult> {
    const { refspec, pushOptions } = this.#options.plan;
    if (refspec === undefined) return { kind: "pushed" };
    const { source, target, force } = refspec;
    const request = { folder: this.tree, source, target, options: pushOptions };
    if (!force) return pushRef(request, this.#parts.remote);
    const refs = await listRemoteRefs(this.#options.access.url, [target], this.#parts.remote);
    return pushRef({ ...request, lease: refs.get(target) ?? "" }, this.#parts.remote);
  }

  /** Ends what was started and removes the tree and all secrets. */
  async close(): Promise<void> {
    await this.#parts.signer?.close();
    await this.#parts.folder.remove();
  }

  async #initialise({ source }: RemoteTips): Promise<void> {
    if (this.#isInitialised) return;
    const format = source.length === 64 ? "sha256" : "sha1";
    await mkdir(this.tree, { mode: 0o700 });
    await this.#git(["init", "--quiet", "--template=", `--object-format=${format}`]);
    await this.#git(["config", "remote.origin.url", this.#options.access.url]);
    const file = join(this.tree, ".git", "info", "attributes");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, attributes);
    this.#isInitialised = true;
  }

  async #fetchSource({ source, sourceRef }: RemoteTips): Promise<void> {
    const { target } = this.#options.plan;
    if (sourceRef !== undefined) return this.#fetch([`+${sourceRef}:${baseRef}`]);
    const args = this.#fetchArguments(["--depth=1"], [`+${source}:${baseRef}`]);
    const fetched = await tryGit(args, this.#parts.remote, { cwd: this.tree });
    if (fetched.exitCode === 0 || target.kind !== "commit") return;
    // Not every server gives a commit by its id: then it is looked for in the whole history of the branch.
    await git(this.#fetchArguments([], [branchRef(target.branch)]), this.#parts.remote, { cwd: this.tree });
    await this.#git(["update-ref", baseRef, source]);
  }

  async #fetch(refspecs: readonly string[]): Promise<void> {
    await git(this.#fetchArguments(["--depth=1"], refspecs), this.#parts.remote, { cwd: this.tree });
  }

  #fetchArguments(flags: readonly string[], refspecs: readonly string[]): readonly string[] {
    // Files are fetched with the checkout, and only those that it needs; servers that cannot do so send all.
    const filter = this.updatePath === "." ? [] : ["--filter=blob:none"];
    return ["fetch", "--quiet", "--no-tags", ...flags, ...filter, "--end-of-options", "origin", ...refspecs];
  }

  /** Leaves all but the folder that is updated out of the tree, where it is a folder. */
  async #narrow(): Promise<void> {
    if (this.updatePath === ".") return;
    const listed = await this.#git(["ls-tree", "-d", "-z", "--end-of-options", baseRef, this.updatePath]);
    // What is reached through a link needs the whole tree.
    if (listed === "" || /["\n]/u.test(this.updatePath)) await this.#git(["sparse-checkout", "disable"]);
    else await this.#git(["sparse-checkout", "set", "--cone", "--stdin"], { stdin: `${this.updatePath}\n` });
  }

  async #commitId(ref: string): Promise<string> {
    const id = await this.#git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
    return id.trim();
  }

  async #git(args: readonly string[], options: { readonly stdin?: string } = {}): Promise<string> {
    // A checkout may have to fetch files: all but commits have the server's context.
    return git(args, this.#parts.remote, { ...options, cwd: this.tree });
  }
}

function patternsOf(target: CheckoutTarget): readonly string[] {
  if (target.kind === "commit") return [];
  if (target.kind === "semver") return ["refs/tags/*"];
  return [target.ref, `${target.ref}^{}`];
}

/** A revision as Flux's source objects have it (RFC-0005 of Flux 2.0): the short name of the ref and the commit. */
function revisionOf(commit: string, ref?: string): string {
  const digest = `${commit.length === 64 ? "sha256" : "sha1"}:${commit}`;
  return ref === undefined ? digest : `${ref.replace(/^refs\/(?:heads|tags)\//u, "")}@${digest}`;
}
