/** The variables that may be used where the parser stands. */
export class VariableScope {
  readonly #declared: string[] = ["$"];
  /** How often each name is declared. */
  readonly #counts = new Map<string, number>([["$", 1]]);

  /** What to go back to with {@link leave}. */
  get mark(): number {
    return this.#declared.length;
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  declare(name: string): void {
    this.#declared.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Forgets what was declared since the mark. */
  leave(mark: number): void {
    for (const name of this.#declared.splice(mark)) {
      const count = this.#counts.get(name) ?? 0;
      if (count > 1) this.#counts.set(name, count - 1);
      else this.#counts.delete(name);
    }
  }
}
