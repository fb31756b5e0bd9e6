import { messageOf } from "../core/error.ts";
import type { Logger } from "../core/log.ts";
import { type FileScan, scanFiles } from "./file-scan.ts";
import { FolderWatches } from "./folder-watches.ts";

export interface FileWatcherOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** How often files are looked at, besides what the system tells of changes. */
  readonly pollMs: number;
  /** How long files that have changed are left alone, as an editor writes in several steps; default: 200. */
  readonly settleMs?: number | undefined;
  /** Told of files that have changed, and have been left alone for a while since. */
  readonly onChange: (scan: FileScan) => Promise<void>;
  /** Told why files cannot be looked at or taken, when that changes; they are tried again. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Logger;
}

const standardSettleMs = 200;
/** Files that never cease to change are read as they are. */
const maxUnsettled = 25;

/** Looks whether the manifests of some paths change. */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #settleMs: number;
  readonly #watches: FolderWatches;
  #seen: string;
  #pending: string | undefined;
  #unsettled = 0;
  #failure = "";
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Infinity;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  private constructor({ fingerprint }: FileScan, options: FileWatcherOptions) {
    this.#seen = fingerprint;
    this.#options = options;
    this.#settleMs = options.settleMs ?? standardSettleMs;
    this.#watches = new FolderWatches(options.paths, options.log, () => this.#schedule(this.#settleMs));
  }

  /** Begins to look. @param known what is known of the files */
  static start(known: FileScan, options: FileWatcherOptions): FileWatcher {
    const watcher = new FileWatcher(known, options);
    watcher.#follow(known);
    watcher.#schedule(options.pollMs);
    return watcher;
  }

  /** Ends; resolves when nothing is being looked at. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#watches.close();
    await this.#looking;
  }

  #follow({ files }: FileScan): void {
    if (this.#isStopped) return;
    const isNew = this.#watches.follow(files.map(({ file }) => file.name));
    if (isNew) this.#schedule(this.#settleMs);
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
      this.#follow(scan);
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
    this.#options.onFailure(error);
  }
}
