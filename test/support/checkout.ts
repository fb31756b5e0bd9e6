import { chmod, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { FairleadError } from "../../src/core/error.ts";
import { run, type RunResult } from "../../src/core/process.ts";
import { createTempDir } from "./temp-dir.ts";

export const repositoryRoot: string = path.resolve(import.meta.dirname, "../..");

const shellTimeoutMs = 300_000;

/** A scratch copy of the repository in which shell text can be run as a user would run it. */
export interface Checkout {
  /** The copy's root. */
  readonly path: string;
  /** The environment of {@link Checkout.shell}: `fairlead`, `helm-image-override` and `helm` are on its PATH. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs text with `sh -e` in `cwd`, by default the root. */
  shell(
    text: string,
    options?: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
  ): Promise<RunResult>;
  remove(): Promise<void>;
}

/**
 * Copies what git tracks or would track, and the freshly built commands, without `node_modules`. The built tools
 * are shared with this checkout. `helm` is the path of the helm that the copy's PATH offers.
 * @throws FairleadError `tool-failed` when the commands cannot be built.
 */
export async function createCheckout(helm: string): Promise<Checkout> {
  const folder = await createTempDir("checkout");
  const root = path.join(folder.path, "fairlead");
  const bin = path.join(folder.path, "bin");
  await expectSuccess(process.execPath, [path.join(repositoryRoot, "scripts/build.ts")], repositoryRoot);
  await copyTracked(root);
  await cp(path.join(repositoryRoot, "dist"), path.join(root, "dist"), { recursive: true });
  await mkdir(path.join(repositoryRoot, ".tools"), { recursive: true });
  await symlink(path.join(repositoryRoot, ".tools"), path.join(root, ".tools"));
  await mkdir(bin);
  await symlink(helm, path.join(bin, "helm"));
  for (const command of ["fairlead", "helm-image-override"]) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/${command}.js' "$@"\n`;
    await writeFile(path.join(bin, command), script);
    await chmod(path.join(bin, command), 0o755);
  }
  const env = scratchEnvironment(folder.path, bin);
  return {
    path: root,
    env,
    shell: (text, options = {}) =>
      run("sh", ["-e", "-c", text], {
        cwd: options.cwd ?? root,
        env: { ...env, ...options.env },
        timeoutMs: shellTimeoutMs,
      }),
    remove: () => folder.remove(),
  };
}

/** Keeps what helm, npm and git write for themselves inside the scratch folder. */
function scratchEnvironment(folder: string, bin: string): NodeJS.ProcessEnv {
  const searchPath = [bin, path.join(folder, "npm", "bin"), process.env["PATH"] ?? ""];
  return {
    ...process.env,
    PATH: searchPath.join(path.delimiter),
    HELM_CONFIG_HOME: path.join(folder, "helm", "config"),
    HELM_CACHE_HOME: path.join(folder, "helm", "cache"),
    HELM_DATA_HOME: path.join(folder, "helm", "data"),
    npm_config_prefix: path.join(folder, "npm"),
    npm_config_prefer_offline: "true",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
}

async function copyTracked(root: string): Promise<void> {
  const listed = await expectSuccess(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    repositoryRoot,
  );
  const deleted = await expectSuccess("git", ["ls-files", "-z", "--deleted"], repositoryRoot);
  const gone = new Set(deleted.split("\0"));
  for (const file of listed.split("\0")) {
    if (gone.has(file)) continue;
    await cp(path.join(repositoryRoot, file), path.join(root, file), { verbatimSymlinks: true });
  }
  await expectSuccess("git", ["init", "--quiet"], root);
  await expectSuccess("git", ["add", "--all"], root);
}

async function expectSuccess(program: string, args: readonly string[], cwd: string): Promise<string> {
  const result = await run(program, args, { cwd });
  if (result.exitCode === 0) return result.stdout;
  throw new FairleadError("tool-failed", `${program} ${args[0] ?? ""} failed: ${result.stderr.trim()}`);
}
