import { watch, type FSWatcher } from "node:fs";
import { stat } from "node:fs/promises";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { mapConcurrent } from "../../core/pool.ts";
import { findManifestFiles } from "../../objects/manifest-files.ts";
import { loadNotificationObjects } from "../objects/load-notification-objects.ts";
import { folderSnapshot } from "../objects/folder-snapshot.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import { keepBroken } from "./keep-broken.ts";
import type { ConfigListener, NotificationConfig } from "./notification-config.ts";

export interface FolderConfigOptions {
  /** Files and folders with Alerts, Providers, Receivers, Secrets and the objects that they name. */
  readonly paths: readonly string[];
  /** How often files are looked at, besides what the system tells of changes. */
  readonly pollMs: number;
  /** Told what is wrong with files, whenever they are loaded. */
  readonly onDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
  readonly log: Logger;
}

/** An editor writes a file in several steps. */
const settleMs = 200;

/** The objects of some files and folders, loaded again when they change. */
export class FolderConfig implements NotificationConfig {
  readonly #options: FolderConfigOptions;
  readonly #watchers: FSWatcher[] = [];
  #listener: ConfigListener | undefined;
  #objects: NotificationObjects | undefined;
  #fingerprint = "";
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: FolderConfigOptions) {
    this.#options = options;
  }

  /** Loads the objects and watches for changes. @throws FairleadError as loading does */
  async start(listener: ConfigListener): Promise<void> {
    this.#listener = listener;
    await this.#load(await this.#fingerprintNow());
    for (const path of this.#options.paths) this.#watch(path);
    this.#schedule(this.#options.pollMs);
  }

  /** Watches no longer; resolves when nothing is being loaded. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#loading;
  }

  #watch(path: string): void {
    try {
      const watcher = watch(path, { recursive: true }, () => this.#schedule(settleMs));
      // Where the system cannot watch, looking now and then has to do.
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch (error) {
      this.#options.log.debug("changes are looked for, not told", { path, reason: messageOf(error) });
    }
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#loading = this.#reload().finally(() => this.#schedule(this.#options.pollMs));
    }, delayMs);
    this.#timer.unref();
  }

  async #reload(): Promise<void> {
    // A change while loading is seen by the next look.
    await this.#loading;
    try {
      const fingerprint = await this.#fingerprintNow();
      if (fingerprint !== this.#fingerprint) await this.#load(fingerprint);
    } catch (error) {
      this.#listener?.failed(error);
    }
  }

  async #load(fingerprint: string): Promise<void> {
    const { paths, onDiagnostics } = this.#options;
    const { objects, diagnostics } = await loadNotificationObjects(paths);
    onDiagnostics(diagnostics);
    const kept = this.#objects === undefined ? objects : keepBroken(this.#objects, objects, diagnostics);
    await this.#listener?.loaded(folderSnapshot(kept));
    this.#objects = kept;
    this.#fingerprint = fingerprint;
  }

  /** What tells one state of the files from another. @throws FairleadError as finding files does */
  async #fingerprintNow(): Promise<string> {
    const { files } = await findManifestFiles(this.#options.paths);
    const told = await mapConcurrent(files, 16, async ({ name, path }) => {
      const info = await stat(path).catch(() => undefined);
      return `${name}\0${info?.ino}\0${info?.size}\0${info?.mtimeMs}`;
    });
    return told.join("\n");
  }
}
