import { createHash } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh folder that nobody else can read, for work that leaves nothing behind. */
export interface PrivateFolder {
  readonly path: string;
  /** Makes a folder in it. */
  folder(name: string): Promise<string>;
  /** Writes a file that only its owner can read, and gives its path. */
  file(name: string, text: string): Promise<string>;
  /** Writes a shell script that prints a file of this folder. */
  printer(name: string, file: string): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a private folder where temporary files are, and removes those of processes that were killed. */
export async function createPrivateFolder(): Promise<PrivateFolder> {
  const parent = await realpath(tmpdir());
  const prefix = `fairlead-${await worldOfProcesses()}-`;
  await (cleaned ??= removeAbandoned(parent, prefix));
  // Short: the sockets of gpg's agent have paths of at most 103 bytes.
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  const write = async (name: string, text: string, mode: number): Promise<string> => {
    const file = join(path, name);
    await writeFile(file, text, { mode, flag: "wx" });
    await chmod(file, mode);
    return file;
  };
  return {
    path,
    folder: async (name) => {
      const folder = join(path, name);
      await mkdir(folder, { mode: 0o700 });
      return folder;
    },
    file: (name, text) => write(name, text, 0o600),
    printer: (name, file) => write(name, `#!/bin/sh\nexec cat ${quoteShell(file)}\n`, 0o700),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** A text as one word of a shell. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Once for each process. */
let cleaned: Promise<void> | undefined;

async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    // Those of other users stay theirs.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Tells apart those who count their processes apart but may share temporary files: hosts, and their containers. */
async function worldOfProcesses(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => hostname()),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return createHash("sha256")
    .update(boot + namespace)
    .digest("hex")
    .slice(0, 6);
}
