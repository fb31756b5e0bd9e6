import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
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

/** Makes a private folder where temporary files are. */
export async function createPrivateFolder(): Promise<PrivateFolder> {
  // Short: the sockets of gpg's agent have paths of at most 107 bytes.
  const path = await mkdtemp(join(await realpath(tmpdir()), "fairlead-"));
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
