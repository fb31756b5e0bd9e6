import { accessSync, constants } from "node:fs";
import path from "node:path";
import { describe, test } from "vitest";
import { FairleadError, messageOf } from "../../src/core/error.ts";
import { run } from "../../src/core/process.ts";
import type { ToolName } from "../../tools/catalog.ts";
import { installTool } from "../../tools/install.ts";
import { withFileLock } from "../../tools/lock.ts";
import { leftOutPrefix } from "./left-out.ts";

type DebianProgram =
  | "chromium"
  | "zsh"
  | "fish"
  | "docker-registry"
  | "openssl"
  | "sshd"
  | "gpg"
  | "go"
  | "nats-server"
  | "containerd"
  | "skopeo"
  | "umoci"
  | "tini";

/** Real components a test may need: the Go programs of `tools/`, and programs of Debian's. */
export type ComponentName = ToolName | DebianProgram;

/** The names under which the programs are looked for; the first is mostly their Debian package too. */
const debianPrograms: Readonly<Record<DebianProgram, readonly string[]>> = {
  chromium: ["chromium", "chromium-browser", "google-chrome"],
  zsh: ["zsh"],
  fish: ["fish"],
  "docker-registry": ["docker-registry"],
  openssl: ["openssl"],
  "nats-server": ["nats-server"],
  containerd: ["containerd"],
  skopeo: ["skopeo"],
  umoci: ["umoci"],
  tini: ["tini"],
  sshd: ["sshd"],
  gpg: ["gpg"],
  go: ["go"],
};
const debianPackages: Readonly<Partial<Record<DebianProgram, string>>> = {
  sshd: "openssh-server",
  gpg: "gnupg",
  go: "golang-go",
};
const aptTimeoutMs = 10 * 60_000;

/**
 * The absolute path of a component's program, set up on first use and kept (see `tools/install.ts`).
 * @throws FairleadError `tool-missing`, `tool-failed` or `timeout` when it cannot be had.
 */
async function requireTool(name: ComponentName): Promise<string> {
  return isDebianProgram(name) ? requireDebianProgram(name) : (await installTool(name)).path;
}

/**
 * A `describe` whose tests get the paths of the components they need; call it with top-level `await`.
 * Where a component cannot be had, the block is left out with its reason; with `CI=true` it fails.
 */
export async function describeWithTools<Name extends ComponentName>(
  names: readonly Name[],
  title: string,
  body: (paths: Readonly<Record<Name, string>>) => void,
): Promise<void> {
  const paths: Partial<Record<Name, string>> = {};
  for (const name of names) {
    try {
      paths[name] = await requireTool(name);
    } catch (error) {
      leaveOut(title, `${leftOutPrefix}${title} because ${name} cannot be had: ${messageOf(error)}`);
      return;
    }
  }
  describe(title, () => body(paths as Readonly<Record<Name, string>>));
}

function leaveOut(title: string, note: string): void {
  test(title, ({ skip }) => {
    if (process.env["CI"] === "true") throw new Error(note);
    skip(note);
  });
}

function isDebianProgram(name: ComponentName): name is DebianProgram {
  return Object.hasOwn(debianPrograms, name);
}

/** Finds a program on PATH, or installs Debian's where this process may. */
async function requireDebianProgram(name: DebianProgram): Promise<string> {
  const found = tryFindProgram(debianPrograms[name]);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || tryFindProgram(["apt-get"]) === undefined) {
    throw new FairleadError("tool-missing", `${name} is not on PATH`, {
      hint: `install your system's ${name} package`,
    });
  }
  return withFileLock(path.join(import.meta.dirname, "../../.tools/debian.lock"), async () => {
    const earlier = tryFindProgram(debianPrograms[name]);
    if (earlier !== undefined) return earlier;
    await runApt(["update"]);
    await runApt(["install", "-y", "--no-install-recommends", debianPackages[name] ?? name]);
    const installed = tryFindProgram(debianPrograms[name]);
    if (installed === undefined) throw new FairleadError("tool-missing", `apt-get installed no ${name}`);
    return installed;
  });
}

async function runApt(args: readonly string[]): Promise<void> {
  const result = await run("apt-get", args, {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeoutMs: aptTimeoutMs,
  });
  if (result.exitCode === 0) return;
  const reason = result.stderr.trim().split("\n").at(-1) ?? "";
  throw new FairleadError("tool-failed", `apt-get ${args[0] ?? ""} failed: ${reason}`);
}

function tryFindProgram(names: readonly string[]): string | undefined {
  const searched = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  // Where servers are, which the PATH of a plain user does not name.
  const folders = [...searched, "/usr/sbin"];
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
