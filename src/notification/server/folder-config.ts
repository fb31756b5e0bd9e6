import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Logger } from "../../core/log.ts";
import { scanFiles } from "../../objects/file-scan.ts";
import { FileWatcher } from "../../objects/file-watcher.ts";
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

/** The objects of some files and folders, loaded again when they change. */
export class FolderConfig implements NotificationConfig {
  readonly #options: FolderConfigOptions;
  #watcher: FileWatcher | undefined;
  #objects: NotificationObjects | undefined;

  constructor(options: FolderConfigOptions) {
    this.#options = options;
  }

  /** Loads the objects and watches for changes. @throws FairleadError as loading does */
  async start(listener: ConfigListener): Promise<void> {
    const { paths, pollMs, log } = this.#options;
    const scan = await scanFiles(paths);
    await this.#load(listener);
    this.#watcher = FileWatcher.start(scan, {
      paths,
      pollMs,
      log,
      onChange: async () => this.#load(listener),
      onFailure: (error) => listener.failed(error),
    });
  }

  /** Watches no longer; resolves when nothing is being loaded. */
  async stop(): Promise<void> {
    await this.#watcher?.stop();
  }

  async #load(listener: ConfigListener): Promise<void> {
    const { paths, onDiagnostics } = this.#options;
    const { objects, diagnostics } = await loadNotificationObjects(paths);
    onDiagnostics(diagnostics);
    const kept = this.#objects === undefined ? objects : keepBroken(this.#objects, objects, diagnostics);
    await listener.loaded(folderSnapshot(kept));
    this.#objects = kept;
  }
}
