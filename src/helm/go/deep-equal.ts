import { FairleadError } from "../../core/error.ts";
import type { RenderBudget } from "./context.ts";
import { maxEncodingDepth } from "./encoding-depth.ts";
import {
  GoBytes,
  GoComplex,
  GoInteger,
  GoMap,
  GoSlice,
  GoStruct,
  typeOf,
  untracked,
  type GoValue,
} from "./value.ts";

/** Which containers have been compared with which, or are being compared: what is shared is compared once. */
type Compared = Map<object, Set<object>>;

/**
 * Whether two values are of the same types and hold the same (reflect.DeepEqual): an int is no int64, a nil
 * slice no empty one, NaN not itself. Where the values come from does not matter.
 * @throws FairleadError `limit-exceeded`
 */
export function deepEqual(left: GoValue, right: GoValue, budget: RenderBudget): boolean {
  return new Comparison(budget).areEqual(left, right, 0);
}

/** So many bytes of two texts are compared in a step. */
const bytesPerStep = 1024;

class Comparison {
  readonly #budget: RenderBudget;
  readonly #compared: Compared = new Map();

  constructor(budget: RenderBudget) {
    this.#budget = budget;
  }

  areEqual(tracked: GoValue, trackedOther: GoValue, depth: number): boolean {
    const left = untracked(tracked);
    const right = untracked(trackedOther);
    if (typeof left === "string" && typeof right === "string") return this.#areEqualTexts(left, right);
    this.#budget.spendStep();
    if (left === null || right === null || typeof left !== "object") return left === right;
    if (typeof right !== "object" || typeOf(left)?.name !== typeOf(right)?.name) return false;
    if (left === right) return true;
    if (left instanceof GoInteger) return right instanceof GoInteger && left.value === right.value;
    if (left instanceof GoBytes)
      return right instanceof GoBytes && this.#areEqualTexts(left.text, right.text);
    if (left instanceof GoComplex) {
      return right instanceof GoComplex && left.real === right.real && left.imaginary === right.imaginary;
    }
    return this.#areEqualContainers(left, right, depth);
  }

  #areEqualTexts(left: string, right: string): boolean {
    this.#budget.spendSteps(1 + Math.floor(Math.min(left.length, right.length) / bytesPerStep));
    return left === right;
  }

  #areEqualContainers(left: Container, right: object, depth: number): boolean {
    if (depth > maxEncodingDepth) {
      throw new FairleadError("limit-exceeded", `maps and lists nest deeper than ${maxEncodingDepth} levels`);
    }
    if (this.#hasCompared(left, right)) return true;
    const areEqualItems = (one: GoValue, other: GoValue): boolean => this.areEqual(one, other, depth + 1);
    if (left instanceof GoSlice) {
      return right instanceof GoSlice && areEqualSlices(left, right, areEqualItems);
    }
    if (left instanceof GoMap) {
      return (
        right instanceof GoMap &&
        left.isNil === right.isNil &&
        areEqualEntries(left.entries, right.entries, areEqualItems)
      );
    }
    if (!(right instanceof GoStruct)) return false;
    return left.text() === right.text() && areEqualEntries(left.fields, right.fields, areEqualItems);
  }

  /** Notes the pair, as Go does: while it is being compared it counts as equal, and so do cycles. */
  #hasCompared(left: object, right: object): boolean {
    const others = this.#compared.get(left);
    if (others === undefined) this.#compared.set(left, new Set([right]));
    else if (others.has(right)) return true;
    else others.add(right);
    return false;
  }
}

type Container = GoSlice | GoMap | GoStruct;
type Equality = (left: GoValue, right: GoValue) => boolean;

function areEqualSlices(left: GoSlice, right: GoSlice, areEqualItems: Equality): boolean {
  return (
    left.isNil === right.isNil &&
    left.items.length === right.items.length &&
    left.items.every((item, index) => areEqualItems(item, right.items[index] ?? null))
  );
}

function areEqualEntries(
  left: ReadonlyMap<string, GoValue>,
  right: ReadonlyMap<string, GoValue>,
  areEqualItems: Equality,
): boolean {
  if (left.size !== right.size) return false;
  for (const [key, item] of left) {
    const other = right.get(key);
    if (other === undefined || !areEqualItems(item, other)) return false;
  }
  return true;
}
