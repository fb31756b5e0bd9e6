/** A map of bounded size, from which the value goes that was not asked for the longest. */
export class RecentMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The value of a key, which is made where there is none. */
  of(key: string, make: () => Value): Value {
    const value = this.#values.has(key) ? (this.#values.get(key) as Value) : make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#maxSize) {
      const [oldest = key] = this.#values.keys();
      this.#values.delete(oldest);
    }
    return value;
  }
}
