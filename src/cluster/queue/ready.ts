/** Since when a key waits, and whether somebody waits for it. */
export interface Turn {
  readonly addedMs: number;
  readonly isRequested: boolean;
}

/** So many requested keys in a row are taken while others wait. */
const maxRequestedInARow = 8;

/** Keys that wait for their turn, each once: requested ones first, and first come, first served among each. */
export class Ready {
  readonly #requested = new Map<string, number>();
  readonly #others = new Map<string, number>();
  #requestedInARow = 0;

  get size(): number {
    return this.#requested.size + this.#others.size;
  }

  /** Whether a key waits. */
  has(key: string): boolean {
    return this.#requested.has(key) || this.#others.has(key);
  }

  /** Lets a key wait, or go on waiting, now as a requested one. */
  add(key: string, { addedMs, isRequested }: Turn): void {
    if (this.#requested.has(key)) return;
    const knownMs = this.#others.get(key);
    if (isRequested) {
      this.#others.delete(key);
      this.#requested.set(key, knownMs ?? addedMs);
    } else if (knownMs === undefined) {
      this.#others.set(key, addedMs);
    }
  }

  /** Takes the next key; every so often it is one that nobody asked for, so that those get their turn as well. */
  take(): { readonly key: string; readonly addedMs: number } | undefined {
    const isOthersTurn = this.#requestedInARow >= maxRequestedInARow && this.#others.size > 0;
    const isRequested = this.#requested.size > 0 && !isOthersTurn;
    const keys = isRequested ? this.#requested : this.#others;
    const [first] = keys;
    if (first === undefined) return undefined;
    this.#requestedInARow = isRequested && this.#others.size > 0 ? this.#requestedInARow + 1 : 0;
    const [key, addedMs] = first;
    keys.delete(key);
    return { key, addedMs };
  }

  /** Drops all. */
  clear(): void {
    this.#requested.clear();
    this.#others.clear();
  }
}
