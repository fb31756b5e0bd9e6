import type { RenderBudget } from "../go/context.ts";
import { deepEqual } from "../go/deep-equal.ts";
import { GoInteger, untracked, type GoValue } from "../go/value.ts";

/**
 * A collection that tells what is deeply equal to something in it; only maps, lists and the like have to be
 * searched for.
 */
export class DistinctItems {
  readonly #budget: RenderBudget;
  readonly #scalars = new Set<string | number | boolean | null>();
  /** By their Go type. */
  readonly #integers = new Map<string, Set<bigint>>();
  readonly #others: GoValue[] = [];

  constructor(budget: RenderBudget, items: readonly GoValue[] = []) {
    this.#budget = budget;
    for (const item of items) this.add(item);
  }

  /** @throws FairleadError `limit-exceeded` */
  has(item: GoValue): boolean {
    const plain = untracked(item);
    this.#budget.spendStep();
    if (plain instanceof GoInteger) return this.#integers.get(plain.type.name)?.has(plain.value) === true;
    if (typeof plain === "object" && plain !== null) {
      return this.#others.some((other) => deepEqual(other, plain, this.#budget));
    }
    return !Number.isNaN(plain) && this.#scalars.has(plain);
  }

  /** @throws FairleadError `limit-exceeded` */
  add(item: GoValue): void {
    const plain = untracked(item);
    this.#budget.spendItem();
    if (plain instanceof GoInteger) {
      const integers = this.#integers.get(plain.type.name);
      if (integers === undefined) this.#integers.set(plain.type.name, new Set([plain.value]));
      else integers.add(plain.value);
    } else if (typeof plain === "object" && plain !== null) this.#others.push(plain);
    else this.#scalars.add(plain);
  }
}
