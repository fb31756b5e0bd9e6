import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Diagnostic } from "../core/diagnostic.ts";
import { FairleadError } from "../core/error.ts";
import { describeFileFailure } from "../core/file-failure.ts";

/** A file that may hold manifests. */
export interface ManifestFile {
  /** As the user would write it. */
  readonly name: string;
  /** Without links. */
  readonly path: string;
  readonly sizeBytes: number;
}

export interface FoundFiles {
  readonly files: readonly ManifestFile[];
  /** `file-refused` for links that leave their folder. */
  readonly diagnostics: readonly Diagnostic[];
}

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

const maxFiles = 100_000;
const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 256 * 1024 * 1024;
const manifestName = /\.(?:ya?ml|json)$/u;

/**
 * Finds the files that paths name: a file itself, and of a folder every `.yaml`, `.yml` and `.json` file below it,
 * by name. Folders that begin with a dot are passed over, as are links to what is found anyway.
 * @throws FairleadError `input-unreadable`, `limit-exceeded`, `aborted`
 */
export async function findManifestFiles(
  paths: readonly string[],
  { signal }: ReadOptions = {},
): Promise<FoundFiles> {
  const walk = new Walk(signal);
  for (const path of paths) await walk.visitRoot(path);
  return walk;
}

class Walk implements FoundFiles {
  readonly files: ManifestFile[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Real paths of files and folders that were come to. */
  readonly #seen = new Set<string>();
  readonly #signal: AbortSignal | undefined;
  #bytes = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  async visitRoot(name: string): Promise<void> {
    const path = await attempt(name, () => realpath(name));
    const info = await attempt(name, () => stat(path));
    if (info.isDirectory()) await this.#visitFolder(name, path, path);
    else if (info.isFile()) this.#take(name, path, info.size);
    else
      throw new FairleadError("input-unreadable", "this is no file and no folder", { where: { file: name } });
  }

  async #visitFolder(name: string, path: string, root: string): Promise<void> {
    if (!this.#isFirst(path, name)) return;
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      this.diagnostics.push(unparsable(name, describeFileFailure(error)));
      return [];
    });
    for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const entryName = join(name, entry.name);
      if (entry.isSymbolicLink()) await this.#visitLink(entryName, join(path, entry.name), root);
      else if (entry.isDirectory() && !entry.name.startsWith(".")) {
        await this.#visitFolder(entryName, join(path, entry.name), root);
      } else if (entry.isFile() && manifestName.test(entry.name)) {
        const file = join(path, entry.name);
        const info = await stat(file).catch(() => undefined);
        this.#take(entryName, file, info?.size ?? 0);
      }
    }
  }

  /** Links are how Kubernetes mounts a ConfigMap: `objects.yaml` → `..data/objects.yaml`. */
  async #visitLink(name: string, path: string, root: string): Promise<void> {
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined) return;
    const info = await stat(target).catch(() => undefined);
    const isWanted = info?.isDirectory() === true || (info?.isFile() === true && manifestName.test(name));
    if (info === undefined || !isWanted) return;
    if (target !== root && !target.startsWith(root.endsWith(sep) ? root : root + sep)) {
      this.diagnostics.push({
        code: "file-refused",
        severity: "warning",
        message: "the link leads out of its folder and is not followed",
        where: { file: name },
      });
    } else if (info.isFile()) this.#take(name, target, info.size);
  }

  #take(name: string, path: string, sizeBytes: number): void {
    if (!this.#isFirst(path, name)) return;
    this.#bytes += sizeBytes;
    if (this.#bytes > maxTotalBytes) {
      throw new FairleadError(
        "limit-exceeded",
        `the manifests are larger than ${maxTotalBytes} bytes in all`,
        {
          where: { file: name },
          hint: "name the folder that holds the objects, not one that holds much else",
        },
      );
    }
    this.files.push({ name, path, sizeBytes });
  }

  #isFirst(path: string, name: string): boolean {
    if (this.#signal?.aborted === true) throw new FairleadError("aborted", "loading was stopped");
    if (this.#seen.has(path)) return false;
    this.#seen.add(path);
    if (this.#seen.size <= maxFiles) return true;
    throw new FairleadError("limit-exceeded", `there are more than ${maxFiles} files and folders`, {
      where: { file: name },
      hint: "name the folder that holds the objects, not one that holds much else",
    });
  }
}

/**
 * The text of a file, without a byte order mark, or why it cannot be had.
 * @throws FairleadError `aborted`
 */
export async function readManifestFile(
  { name, path }: ManifestFile,
  { signal }: ReadOptions = {},
): Promise<{ readonly text: string } | { readonly diagnostic: Diagnostic }> {
  if (signal?.aborted === true) throw new FairleadError("aborted", "loading was stopped");
  try {
    const bytes = await readAtMost(path, maxFileBytes + 1);
    if (bytes.length > maxFileBytes) {
      return { diagnostic: unparsable(name, `the file is larger than ${maxFileBytes} bytes`) };
    }
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    const message = error instanceof TypeError ? "the file is not UTF-8 text" : describeFileFailure(error);
    return { diagnostic: unparsable(name, message) };
  }
}

/** A link or a pipe that took the file's place is not followed and does not block. */
async function readAtMost(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(maxBytes, size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function attempt<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    throw new FairleadError("input-unreadable", describeFileFailure(cause), { where: { file: name }, cause });
  }
}

function unparsable(file: string, message: string): Diagnostic {
  return { code: "file-unparsable", severity: "warning", message, where: { file } };
}
