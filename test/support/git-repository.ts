import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../../src/core/process.ts";

export type Files = Readonly<Record<string, string>>;

/** A bare repository of a test, and the rest of the world that commits to it. */
export interface BareRepository {
  readonly path: string;
  /** Runs git in the repository and gives its trimmed output. */
  git(...args: readonly string[]): Promise<string>;
  /** Commits files on top of a branch, which is made where it is missing, and gives the commit. */
  commit(branch: string, files: Files, options?: CommitOptions): Promise<string>;
  /** A file's bytes as text. */
  read(ref: string, file: string): Promise<string>;
  /** Makes a hook of shell text. */
  hook(name: string, script: string): Promise<void>;
  /** The subjects of a ref's commits, the last first. */
  subjects(ref: string): Promise<readonly string[]>;
}

type ObjectFormat = "sha1" | "sha256";

export interface CommitOptions {
  readonly message?: string;
  /** A ref that the branch begins at where it is missing; default: no commit. */
  readonly from?: string;
}

const identity = {
  GIT_AUTHOR_NAME: "Somebody",
  GIT_AUTHOR_EMAIL: "somebody@example.com",
  GIT_COMMITTER_NAME: "Somebody",
  GIT_COMMITTER_EMAIL: "somebody@example.com",
};

/** Makes a bare repository whose branch `main` holds files. It takes filters and push options. */
export async function createBareRepository(
  place: string,
  files: Files,
  { objectFormat = "sha1" }: { readonly objectFormat?: ObjectFormat } = {},
): Promise<BareRepository> {
  await mkdir(place, { recursive: true });
  const git = (...args: readonly string[]): Promise<string> => runGit(place, args);
  await git("init", "--quiet", "--bare", "--initial-branch=main", `--object-format=${objectFormat}`);
  for (const key of ["uploadpack.allowFilter", "receive.advertisePushOptions", "http.receivepack"]) {
    await git("config", key, "true");
  }
  const repository: BareRepository = {
    path: place,
    git,
    commit: async (branch, changed, options = {}) =>
      commitFiles(place, branch, changed, { ...options, objectFormat }),
    hook: async (name, script) => {
      await writeFile(path.join(place, "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    },
    read: (ref, file) => runGit(place, ["show", `${ref}:${file}`], false),
    subjects: async (ref) => (await git("log", "--format=%s", ref)).split("\n"),
  };
  await repository.commit("main", files);
  return repository;
}

async function commitFiles(
  repository: string,
  branch: string,
  files: Files,
  { message = "Change by somebody", from, objectFormat }: CommitOptions & { objectFormat: ObjectFormat },
): Promise<string> {
  const tree = await mkdtemp(path.join(path.dirname(repository), "tree-"));
  try {
    await runGit(tree, ["init", "--quiet", `--initial-branch=${branch}`, `--object-format=${objectFormat}`]);
    // Bytes are committed as they are given, whatever the attributes among the files say.
    await writeFile(path.join(tree, ".git/info/attributes"), "* -text !filter -ident\n");
    await runGit(tree, ["fetch", "--quiet", repository, "+refs/*:refs/remotes/origin/*"]);
    const known = await runGit(tree, [
      "for-each-ref",
      "--format=%(refname)",
      `refs/remotes/origin/heads/${branch}`,
    ]);
    const base = known === "" ? from : known;
    if (base !== undefined && base !== "") await runGit(tree, ["checkout", "--quiet", "-B", branch, base]);
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
      await writeFile(path.join(tree, file), text);
    }
    await runGit(tree, ["add", "--all"]);
    await runGit(tree, ["commit", "--quiet", "--allow-empty", "-m", message]);
    await runGit(tree, ["push", "--quiet", repository, `HEAD:refs/heads/${branch}`]);
    return await runGit(tree, ["rev-parse", "HEAD"]);
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function runGit(cwd: string, args: readonly string[], trim = true): Promise<string> {
  const result = await run("git", args, {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      ...identity,
    },
  });
  if (result.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
  return trim ? result.stdout.trim() : result.stdout;
}
