import { deepEqual } from "../go/deep-equal.ts";
import { untracked, type GoValue } from "../go/value.ts";

/** A collection that tells what is deeply equal to something in it; scalars are found without a search. */
export class DistinctItems {
  readonly #scalars = new Set<string | number | boolean | null>();
  readonly #others: GoValue[] = [];

  constructor(items: readonly GoValue[] = []) {
    for (const item of items) this.add(item);
  }

  has(item: GoValue): boolean {
    const plain = untracked(item);
    if (typeof plain === "object" && plain !== null) {
      return this.#others.some((other) => deepEqual(other, plain));
    }
    return !Number.isNaN(plain) && this.#scalars.has(plain);
  }

  add(item: GoValue): void {
    const plain = untracked(item);
    if (typeof plain === "object" && plain !== null) this.#others.push(plain);
    else this.#scalars.add(plain);
  }
}
