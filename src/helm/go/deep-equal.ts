import { FairleadError } from "../../core/error.ts";
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
export function deepEqual(left: GoValue, right: GoValue): boolean {
  const one = untracked(left);
  const other = untracked(right);
  return typeof one === "object" ? areEqual(one, other, new Map(), 0) : one === other;
}

function areEqual(left: GoValue, right: GoValue, compared: Compared, depth: number): boolean {
  if (left === null || right === null || typeof left !== "object") return left === right;
  if (typeof right !== "object" || typeOf(left)?.name !== typeOf(right)?.name) return false;
  if (left === right) return true;
  if (left instanceof GoInteger) return right instanceof GoInteger && left.value === right.value;
  if (left instanceof GoBytes) return right instanceof GoBytes && left.text === right.text;
  if (left instanceof GoComplex) {
    return right instanceof GoComplex && left.real === right.real && left.imaginary === right.imaginary;
  }
  if (depth > maxEncodingDepth) {
    throw new FairleadError("limit-exceeded", `maps and lists nest deeper than ${maxEncodingDepth} levels`);
  }
  if (hasBeenCompared(left, right, compared)) return true;
  const areEqualItems = (one: GoValue, other: GoValue): boolean =>
    areEqual(untracked(one), untracked(other), compared, depth + 1);
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
  if (!(left instanceof GoStruct) || !(right instanceof GoStruct)) return false;
  return left.text() === right.text() && areEqualEntries(left.fields, right.fields, areEqualItems);
}

/** Notes the pair, as Go does: while it is being compared it counts as equal, and so do cycles. */
function hasBeenCompared(left: object, right: object, compared: Compared): boolean {
  const others = compared.get(left);
  if (others === undefined) compared.set(left, new Set([right]));
  else if (others.has(right)) return true;
  else others.add(right);
  return false;
}

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
