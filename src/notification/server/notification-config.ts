import type { NotificationSnapshot } from "../objects/notification-snapshot.ts";

/** Told of a configuration. */
export interface ConfigListener {
  /** Takes what is in force from now on; told of one at a time. */
  loaded(snapshot: NotificationSnapshot): Promise<void>;
  /** Takes that a change cannot be loaded: what was loaded before stays in force. */
  failed(error: unknown): void;
}

/** Where Alerts, Providers and Receivers come from: files, or a cluster. */
export interface NotificationConfig {
  /** Tells what is there before it resolves, and from then on after each change. @throws FairleadError where nothing can be loaded */
  start(listener: ConfigListener): Promise<void>;
  /** Tells of nothing more; resolves when nobody is being told. */
  stop(): Promise<void>;
}
