import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Diagnostic, DiagnosticCode, Severity } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { markerToken } from "./marker.ts";
import { describeTreeFailure } from "./file-failure.ts";

/** A file that holds the text of a marker. */
export interface MarkedFile {
  /** From the tree's root, with `/` between its steps. */
  readonly path: string;
  readonly text: string;
  readonly stats: Stats;
}

export interface WalkOptions {
  /** The folder or file in the tree below which files are looked at; default: the tree. */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const maxFileBytes = 16 * 1024 * 1024;
const maxMarkedBytes = 512 * 1024 * 1024;
const maxFiles = 1_000_000;
/** After so many files the rest of the program has its turn. */
const filesAtOnce = 500;
const token = Buffer.from(markerToken);
const dollar = token[0] ?? 0;
const yamlName = /\.ya?ml$|^Kustomization$/u;

/**
 * Visits the files of a tree that hold the text `$imagepolicy`, in no order: `*.yaml`, `*.yml` and `Kustomization`.
 * `.git` is not walked, and a link is followed to a file within the tree alone, which is visited once.
 * @param root the tree's folder
 * @returns findings `file-refused` for links out of the tree, pipes, devices and files of more than 16 MiB, and
 *   `file-unparsable` for what cannot be read or is not UTF-8
 * @throws FairleadError `input-invalid` for a path that leads out of the tree, `input-unreadable`,
 *   `limit-exceeded` for more than a million files, or 512 MiB of files with markers, `aborted`
 */
export async function visitMarkedFiles(
  root: string,
  { path = ".", signal }: WalkOptions,
  visit: (file: MarkedFile) => void,
): Promise<readonly Diagnostic[]> {
  const { tree, start, stats } = findStart(root, path);
  const walk = new TreeWalk(tree, start, signal, visit);
  if (stats.isDirectory()) await walk.visitFolder();
  else walk.visitFile(start, start);
  walk.visitLinkTargets();
  return walk.diagnostics;
}

function findStart(
  root: string,
  path: string,
): { readonly tree: string; readonly start: string; readonly stats: Stats } {
  let file = root;
  try {
    const tree = realpathSync(root);
    file = join(root, path);
    const start = realpathSync(join(tree, path));
    if (!isWithin(tree, start)) {
      throw new FairleadError("input-invalid", "the path leads out of the tree", { where: { file } });
    }
    return { tree, start, stats: statSync(start) };
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw new FairleadError("input-unreadable", describeTreeFailure(cause), { where: { file }, cause });
  }
}

class TreeWalk {
  readonly diagnostics: Diagnostic[] = [];
  readonly #tree: string;
  readonly #start: string;
  readonly #signal: AbortSignal | undefined;
  readonly #visit: (file: MarkedFile) => void;
  readonly #buffer = Buffer.allocUnsafe(64 * 1024);
  #visited = 0;
  /** The files that links lead to, with the link. */
  readonly #linkTargets = new Map<string, string>();
  #sinceTurn = 0;
  #markedBytes = 0;

  constructor(
    tree: string,
    start: string,
    signal: AbortSignal | undefined,
    visit: (file: MarkedFile) => void,
  ) {
    this.#tree = tree;
    this.#start = start;
    this.#signal = signal;
    this.#visit = visit;
  }

  async visitFolder(): Promise<void> {
    const folders = [this.#start];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of this.#list(folder)) {
        const path = folder + sep + entry.name;
        if (entry.isFile()) {
          if (yamlName.test(entry.name)) this.visitFile(path, path);
        } else if (entry.isDirectory()) {
          if (entry.name !== ".git") folders.push(path);
        } else if (entry.isSymbolicLink()) this.#noteLink(path, entry.name);
        else if (yamlName.test(entry.name))
          this.#tell("file-refused", path, "this is a device, pipe or socket");
        if (this.#sinceTurn >= filesAtOnce) await this.#giveTurn();
      }
    }
  }

  /** Visits what links lead to and the walk does not come to by itself. */
  visitLinkTargets(): void {
    for (const [target, link] of this.#linkTargets) this.visitFile(target, link);
  }

  /** @param named the path that is told if the file cannot be read */
  visitFile(path: string, named: string): void {
    this.#sinceTurn++;
    if (++this.#visited > maxFiles) {
      throw new FairleadError("limit-exceeded", `there are more than ${maxFiles} files`);
    }
    try {
      this.#readFile(path, named);
    } catch (error) {
      if (error instanceof FairleadError) throw error;
      const isText = !(error instanceof TypeError);
      this.#tell(
        "file-unparsable",
        named,
        isText ? describeTreeFailure(error) : "the file is not UTF-8 text",
      );
    }
  }

  #readFile(path: string, named: string): void {
    // A link or a pipe that took the file's place is not followed and does not block.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const length = readSync(file, this.#buffer, 0, this.#buffer.length, null);
      const isWhole = length < this.#buffer.length;
      const beginning = this.#buffer.subarray(0, length);
      if (isWhole && !isMarked(beginning)) return;
      const stats = fstatSync(file);
      if (!stats.isFile()) return this.#tell("file-refused", named, "this is not a file");
      if (stats.size > maxFileBytes) {
        return this.#tell("file-refused", named, `the file is larger than ${maxFileBytes} bytes`);
      }
      const bytes = isWhole ? beginning : readRest(file, beginning, stats.size);
      if (isMarked(bytes)) this.#take(path, bytes, stats);
    } finally {
      closeSync(file);
    }
  }

  #take(path: string, bytes: Uint8Array, stats: Stats): void {
    this.#markedBytes += bytes.length;
    if (this.#markedBytes > maxMarkedBytes) {
      throw new FairleadError(
        "limit-exceeded",
        `the files with markers are larger than ${maxMarkedBytes} bytes in all`,
      );
    }
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    this.#visit({ path: this.#nameOf(path), text, stats });
  }

  #list(folder: string): readonly Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      this.#tell("file-unparsable", folder, describeTreeFailure(error));
      return [];
    }
  }

  #noteLink(path: string, name: string): void {
    try {
      const target = realpathSync(path);
      const stats = statSync(target);
      if (stats.isDirectory()) {
        // A folder of the tree is walked where it is.
        if (!isWithin(this.#tree, target)) this.#tell("file-refused", path, linkLeavesTree, "info");
      } else if (yamlName.test(name)) {
        if (!isWithin(this.#tree, target)) this.#tell("file-refused", path, linkLeavesTree);
        else if (!this.#isWalked(target)) this.#linkTargets.set(target, path);
      }
    } catch {
      // It leads nowhere, and so to no marker.
    }
  }

  /** Whether the walk comes to a file by itself. */
  #isWalked(file: string): boolean {
    return yamlName.test(basename(file)) && isWithin(this.#start, file);
  }

  #tell(code: DiagnosticCode, path: string, message: string, severity: Severity = "warning"): void {
    this.diagnostics.push({ code, severity, message, where: { file: this.#nameOf(path) } });
  }

  #nameOf(path: string): string {
    return relative(this.#tree, path).replaceAll(sep, "/");
  }

  async #giveTurn(): Promise<void> {
    this.#sinceTurn = 0;
    await setImmediate();
    if (this.#signal?.aborted === true) throw new FairleadError("aborted", "looking for markers was stopped");
  }
}

const linkLeavesTree = "the link leads out of the tree and is not followed";

/** Whether a path without links is the tree or in it, and not in a `.git`. */
function isWithin(tree: string, path: string): boolean {
  const steps = relative(tree, path).split(sep);
  return steps[0] !== ".." && !steps.includes(".git");
}

/** A single byte is quick to look for, and most files have no `$` at all. */
function isMarked(bytes: Buffer): boolean {
  const first = bytes.indexOf(dollar);
  return first !== -1 && bytes.includes(token, first);
}

function readRest(file: number, beginning: Buffer, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.set(beginning.subarray(0, size));
  let length = Math.min(beginning.length, size);
  while (length < size) {
    const count = readSync(file, bytes, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
