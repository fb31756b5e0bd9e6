const none: ReadonlySet<string> = new Set();

/** Which objects refer to which, both by their keys. */
export class ReferenceIndex {
  readonly #references = new Map<string, ReadonlySet<string>>();
  readonly #referrers = new Map<string, Set<string>>();

  /** Takes down what an object refers to, instead of what it did before. */
  set(key: string, references: Iterable<string>): void {
    const before = this.#references.get(key) ?? none;
    const now = new Set(references);
    for (const reference of before) this.#remove(reference, key);
    for (const reference of now) {
      const referrers = this.#referrers.get(reference);
      if (referrers === undefined) this.#referrers.set(reference, new Set([key]));
      else referrers.add(key);
    }
    if (now.size === 0) this.#references.delete(key);
    else this.#references.set(key, now);
  }

  /** Those that refer to an object, whether that is there or not. */
  referrersOf(reference: string): readonly string[] {
    return [...(this.#referrers.get(reference) ?? none)];
  }

  #remove(reference: string, key: string): void {
    const referrers = this.#referrers.get(reference);
    referrers?.delete(key);
    if (referrers?.size === 0) this.#referrers.delete(reference);
  }
}
