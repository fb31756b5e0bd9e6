/** Lets work on the same thing go on one after another, and on different things at once. */
export class Exclusive {
  readonly #last = new Map<string, Promise<void>>();

  /** Does work while no other work holds one of the keys. @throws what the work throws */
  async run<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    // All places are taken at once, so that nobody waits for one who waits for them.
    const distinct = [...new Set(keys)];
    const before = distinct.map((key) => this.#last.get(key) ?? Promise.resolve());
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const key of distinct) this.#last.set(key, promise);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      resolve();
      for (const key of distinct) if (this.#last.get(key) === promise) this.#last.delete(key);
    }
  }
}
