import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { type FileScan, scanFiles } from "./declared-files.ts";

export interface FileWatcherOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** How often files are looked at, besides what the system tells of changes. */
  readonly pollMs: number;
  /** How long files that have changed are left alone, as an editor writes in several steps; default: 200. */
  readonly settleMs?: number | undefined;
  /** Told of files that have changed, and have been left alone for a while since. */
  readonly onChange: (scan: FileScan) => Promise<void>;
  readonly log: Logger;
}

const standardSettleMs = 200;
/** Files that never cease to change are read as they are. */
const maxUnsettled = 25;

/** Looks whether the manifests of some paths change. */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #settleMs: number;
  readonly #watchers: FSWatcher[] = [];
  #seen: string;
  #pending: string | undefined;
  #unsettled = 0;
  #failure = "";
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Infinity;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param seen the fingerprint of what is known */
  constructor(seen: string, options: FileWatcherOptions) {
    this.#seen = seen;
    this.#options = options;
    this.#settleMs = options.settleMs ?? standardSettleMs;
  }

  /** Begins to look. */
  async start(): Promise<void> {
    for (const path of this.#options.paths) await this.#watch(path);
    this.#schedule(this.#options.pollMs);
  }

  /** Ends; resolves when nothing is being looked at. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#looking;
  }

  async #watch(path: string): Promise<void> {
    try {
      const isFolder = (await stat(path)).isDirectory();
      // A file that is replaced is another one, which its folder tells of.
      const watcher = watch(isFolder ? path : dirname(path), { recursive: isFolder }, () =>
        this.#schedule(this.#settleMs),
      );
      // Where the system cannot watch, looking now and then has to do.
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      this.#options.log.debug("changes are looked for, not told", { path, reason: messageOf(error) });
    }
  }

  /** Looks in a while, or before that where it would. */
  #schedule(delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (this.#isStopped || dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#dueMs = Infinity;
      this.#looking = this.#looking.then(async () => this.#look());
    }, delayMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    let nextMs = this.#options.pollMs;
    try {
      const scan = await scanFiles(this.#options.paths);
      if (scan.fingerprint === this.#seen) this.#pending = undefined;
      else if (scan.fingerprint !== this.#pending && this.#unsettled < maxUnsettled) {
        this.#pending = scan.fingerprint;
        this.#unsettled += 1;
        nextMs = this.#settleMs;
      } else {
        this.#unsettled = 0;
        await this.#options.onChange(scan);
        this.#seen = scan.fingerprint;
      }
      this.#failure = "";
    } catch (error) {
      this.#tell(error);
    }
    this.#schedule(nextMs);
  }

  #tell(error: unknown): void {
    const message = messageOf(error);
    if (message === this.#failure) return;
    this.#failure = message;
    const file = error instanceof FairleadError ? error.where.file : undefined;
    this.#options.log.error("the files cannot be loaded; the objects stay as they are", {
      file,
      error: message,
    });
  }
}
