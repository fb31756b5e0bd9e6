/** Controllers that work together in one process. */
export interface ControllerGroup {
  /** Such as `image-reflector`. */
  readonly name: string;
  /** Begins to watch; nothing is changed yet. */
  watch(): void;
  /** Settles when all that was there at the beginning is known. */
  readonly synced: Promise<void>;
  readonly hasSynced: boolean;
  /** Begins to reconcile: this process is the one to do it. */
  start(): void;
  /** Waits for what is under way, and ends. @param graceMs what takes longer is broken off */
  stop(graceMs: number): Promise<void>;
}
