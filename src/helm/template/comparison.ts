import { deepEqual } from "../go/deep-equal.ts";
import { formatGo } from "../go/format.ts";
import { plainText } from "../go/text.ts";
import type { GoContext } from "../go/context.ts";
import {
  GoBytes,
  GoComplex,
  GoError,
  GoInteger,
  GoMap,
  GoSlice,
  GoStruct,
  typeOf,
  untracked,
  type GoValue,
  type Tracked,
} from "../go/value.ts";

type Plain = Exclude<GoValue, Tracked>;

/** The kinds that can be compared, as funcs.go groups them; undefined for all others. */
type BasicKind = "bool" | "complex" | "int" | "float" | "string" | "uint";

/**
 * Whether a value equals one of the others (funcs.go, eq).
 * @throws GoError for types that cannot be compared with each other
 */
export function equalsAny(value: Plain, others: readonly Plain[], context: GoContext): boolean {
  if (others.length === 0) throw new GoError("missing argument for comparison");
  return others.some((other) => equals(value, other, context));
}

/** @throws GoError for types that cannot be compared with each other */
export function equals(left: Plain, right: Plain, context: GoContext): boolean {
  if (typeof left === "string" && typeof right === "string") return left === right;
  const kind = basicKind(left);
  const otherKind = basicKind(right);
  if (kind !== otherKind) {
    if (left instanceof GoInteger && right instanceof GoInteger) return left.value === right.value;
    if (left === null || right === null) return false;
    throw incompatible(left, right);
  }
  if (left instanceof GoInteger && right instanceof GoInteger) return left.value === right.value;
  if (left instanceof GoComplex && right instanceof GoComplex) {
    return left.real === right.real && left.imaginary === right.imaginary;
  }
  return kind === undefined ? equalsOther(left, right, context) : left === right;
}

function equalsOther(left: Plain, right: Plain, context: GoContext): boolean {
  const format = (text: string, args: Plain[]): GoError =>
    new GoError(plainText(formatGo(text, args, context)));
  if (left !== null && right !== null && typeOf(left)?.kind !== typeOf(right)?.kind) {
    const args = [left, typeName(left), typeName(right), right];
    throw format("non-comparable types %s: %v, %s: %v", args);
  }
  if (isNil(left) || isNil(right)) return isNil(left) === isNil(right);
  if (!isComparable(right)) throw format("non-comparable type %s: %v", [right, typeName(right)]);
  return left === right || (typeOf(right)?.kind === "struct" && deepEqual(left, right, context.budget));
}

/** Pointers are, and structs without slices and maps. */
function isComparable(value: Plain): boolean {
  if (value instanceof GoSlice || value instanceof GoMap || value instanceof GoBytes) return false;
  if (!(value instanceof GoStruct) || value.type.kind === "ptr") return true;
  return [...value.fields.values()].every((field) => isComparable(untracked(field)));
}

function isNil(value: Plain): boolean {
  return value === null || ((value instanceof GoSlice || value instanceof GoMap) && value.isNil);
}

/**
 * Whether a value is less than another (funcs.go, lt).
 * @throws GoError for types that have no order
 */
export function isLess(left: Plain, right: Plain): boolean {
  const kind = basicKind(left);
  const otherKind = basicKind(right);
  if (kind === undefined || otherKind === undefined) throw new GoError("invalid type for comparison");
  if (left instanceof GoInteger && right instanceof GoInteger) return left.value < right.value;
  if (kind !== otherKind) throw incompatible(left, right);
  if (typeof left === "string" && typeof right === "string") return left < right;
  if (typeof left === "number" && typeof right === "number") return left < right;
  throw new GoError("invalid type for comparison");
}

function basicKind(value: Plain): BasicKind | undefined {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float";
  if (typeof value === "boolean") return "bool";
  if (value instanceof GoInteger) return value.type.kind.startsWith("int") ? "int" : "uint";
  return value instanceof GoComplex ? "complex" : undefined;
}

function incompatible(left: Plain, right: Plain): GoError {
  return new GoError(`incompatible types for comparison: ${typeName(left)} and ${typeName(right)}`);
}

function typeName(value: Plain): string {
  return typeOf(value)?.name ?? "";
}
