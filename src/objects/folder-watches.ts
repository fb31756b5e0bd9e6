import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../core/error.ts";
import type { Logger } from "../core/log.ts";

/** The system has a limit of its own. */
const maxWatches = 1_000;

/**
 * Has the system tell of changes in the folders of some files. Each folder is watched by itself: Node's recursive watch
 * loses a file once another one has taken its name (Linux, Node 24).
 */
export class FolderWatches {
  readonly #paths: readonly string[];
  readonly #onEvent: () => void;
  readonly #log: Logger;
  readonly #watchers = new Map<string, FSWatcher>();
  #hasFailed = false;

  /** @param paths files and folders, which may be replaced as a whole */
  constructor(paths: readonly string[], log: Logger, onEvent: () => void) {
    this.#paths = paths.map((path) => resolve(path));
    this.#log = log;
    this.#onEvent = onEvent;
  }

  /**
   * Watches the folders of these files from now on, and no others.
   * @returns whether some are watched only now, so that what happened before may have been missed
   */
  follow(files: Iterable<string>): boolean {
    const folders = this.#foldersOf(files);
    for (const folder of this.#watchers.keys()) {
      if (!folders.has(folder)) this.#drop(folder);
    }
    const added = [...folders].filter((folder) => !this.#watchers.has(folder));
    for (const folder of added.slice(0, maxWatches - this.#watchers.size)) this.#watch(folder);
    return added.some((folder) => this.#watchers.has(folder));
  }

  /** Watches no longer. */
  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** The paths and what they are in, and all folders between them and the files. */
  #foldersOf(files: Iterable<string>): ReadonlySet<string> {
    const folders = new Set([...this.#paths, ...this.#paths.map((path) => dirname(path))]);
    for (const file of files) {
      for (let folder = dirname(resolve(file)); !folders.has(folder); folder = dirname(folder)) {
        folders.add(folder);
      }
    }
    return folders;
  }

  #watch(folder: string): void {
    const isWithin = this.#paths.some((path) => folder === path || folder.startsWith(join(path, "/")));
    const wanted = new Set(
      this.#paths.filter((path) => dirname(path) === folder).map((path) => basename(path)),
    );
    try {
      const watcher = watch(folder, (_event, name) => {
        if (!isWithin && name !== null && !wanted.has(name)) return;
        if (name !== null) this.#dropAll(join(folder, name));
        this.#onEvent();
      });
      // Where the system cannot watch, looking now and then has to do.
      watcher.on("error", () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if (!this.#hasFailed) {
        this.#log.debug("changes are looked for, not told", { path: folder, reason: messageOf(error) });
      }
      this.#hasFailed = true;
    }
  }

  /** A folder that took another's place is another one, with all that is in it. */
  #dropAll(folder: string): void {
    if (!this.#watchers.has(folder)) return;
    for (const each of this.#watchers.keys()) {
      if (each === folder || each.startsWith(join(folder, "/"))) this.#drop(each);
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
