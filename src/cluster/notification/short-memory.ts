export interface ShortMemoryOptions {
  /** How old a value may be, from when it was asked for. */
  readonly maxAgeMs: number;
  readonly nowMs: () => number;
  /** Default: 10,000; beyond, what is too old is forgotten, and then all. */
  readonly maxEntries?: number;
}

interface Entry<Value> {
  readonly askedMs: number;
  readonly value: Promise<Value>;
  maxAgeMs: number;
  last: Value | undefined;
}

/** What failed is asked for again sooner. */
const maxFailureAgeMs = 1_000;

/** Remembers values for a moment, and asks once for all who want one at a time. */
export class ShortMemory<Value> {
  readonly #options: ShortMemoryOptions;
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: ShortMemoryOptions) {
    this.#options = options;
  }

  /** A value that is not too old. @param make gets what was there before */
  async get(key: string, make: (last: Value | undefined) => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    return known !== undefined && !this.#isOld(known) ? known.value : this.renew(key, make);
  }

  /** A value that was asked for now. @param make as of {@link get} */
  async renew(key: string, make: (last: Value | undefined) => Promise<Value>): Promise<Value> {
    const last = this.#entries.get(key)?.last;
    const { maxAgeMs, nowMs } = this.#options;
    const entry: Entry<Value> = { askedMs: nowMs(), value: make(last), maxAgeMs, last };
    this.#makeRoom();
    this.#entries.set(key, entry);
    try {
      entry.last = await entry.value;
      return entry.last;
    } catch (error) {
      entry.maxAgeMs = Math.min(maxAgeMs, maxFailureAgeMs);
      throw error;
    }
  }

  #isOld({ askedMs, maxAgeMs }: Entry<Value>): boolean {
    return this.#options.nowMs() - askedMs >= maxAgeMs;
  }

  #makeRoom(): void {
    const { maxEntries = 10_000 } = this.#options;
    if (this.#entries.size < maxEntries) return;
    for (const [key, entry] of this.#entries) {
      if (this.#isOld(entry)) this.#entries.delete(key);
    }
    if (this.#entries.size >= maxEntries) this.#entries.clear();
  }
}
