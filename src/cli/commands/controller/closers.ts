/** What is to be ended, the last that was begun first. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Takes down how something is ended. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Ends all of it, whatever fails. @throws the first failure */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
