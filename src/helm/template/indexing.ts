import { sliceText } from "../go/text.ts";
import { goTypes, type GoType } from "../go/type.ts";
import {
  GoBytes,
  GoError,
  GoInteger,
  GoMap,
  GoSlice,
  GoStruct,
  nilMap,
  nilSlice,
  Tracked,
  typeOf,
  untracked,
  type GoValue,
  type Text,
} from "../go/value.ts";
import type { Source } from "../provenance/span.ts";

type Plain = Exclude<GoValue, Tracked>;

/**
 * What stands in maps and slices at the indexes, one after another, tracked as it is (funcs.go, index).
 * @throws GoError where an index does not fit
 */
export function indexInto(value: GoValue, indexes: readonly Plain[]): GoValue {
  if (untracked(value) === null) throw new GoError("index of untyped nil");
  return indexes.reduce<GoValue>(elementAt, value);
}

function elementAt(container: GoValue, index: Plain): GoValue {
  const plain = untracked(container);
  if (plain === null) throw new GoError("index of nil pointer");
  if (plain instanceof GoMap) return entryOf(plain, index);
  if (plain instanceof GoSlice) return plain.items[checkedIndex(index, plain.items.length, "slice")] ?? null;
  if (plain instanceof GoBytes) return byteAt(plain.text, checkedIndex(index, plain.text.length, "slice"));
  if (typeof plain === "string") return byteAt(plain, checkedIndex(index, plain.length, "string"));
  throw new GoError(`can't index item of type ${pointedTypeName(plain)}`);
}

function byteAt(text: string, index: number): GoInteger {
  return new GoInteger(BigInt(text.charCodeAt(index)), goTypes.uint8);
}

function entryOf({ entries, type, origin }: GoMap, key: Plain): GoValue {
  if (key === null) throw new GoError("value is nil; should be of type string");
  if (typeof key !== "string") {
    throw new GoError(`value has type ${typeOf(key)?.name ?? ""}; should be string`);
  }
  const entry = entries.get(key);
  if (entry !== undefined) return entry;
  const zero = zeroOf(type.element ?? goTypes.any);
  if (zero !== null || origin === undefined) return zero;
  const source: Source = { origins: [{ kind: "value", path: [...origin.path, key] }], exact: false };
  return new Tracked(null, [{ start: 0, end: 0, source, offset: 0 }]);
}

/** The value that a map gives for a key that it does not have. */
function zeroOf(type: GoType): GoValue {
  if (type.kind === "string") return "";
  if (type.kind === "bool") return false;
  if (type.kind === "float64") return 0;
  if (type.name === goTypes.bytes.name) return new GoBytes("");
  if (type.kind === "slice") return nilSlice(type);
  if (type.kind === "map") return nilMap(type);
  return /^u?int(?!erface)/u.test(type.kind) ? new GoInteger(0n, type) : null;
}

/** Go lets the length itself pass, and then panics. */
function checkedIndex(index: Plain, length: number, container: "slice" | "string"): number {
  const position = indexArgument(index, length);
  if (position === length) throw new GoError(`reflect: ${container} index out of range`);
  return position;
}

function indexArgument(index: Plain, largest: number): number {
  if (index === null) throw new GoError("cannot index slice/array with nil");
  if (!(index instanceof GoInteger)) {
    throw new GoError(`cannot index slice/array with type ${typeOf(index)?.name ?? ""}`);
  }
  const value = BigInt.asIntN(64, index.value);
  if (value < 0n || value > BigInt(largest)) throw new GoError(`index out of range: ${value}`);
  return Number(value);
}

/**
 * A part of a string or slice, with its spans (funcs.go, slice).
 * @throws GoError where an index does not fit
 */
export function sliceOf(value: GoValue, indexes: readonly Plain[]): GoValue {
  const plain = untracked(value);
  if (plain === null) throw new GoError("slice of untyped nil");
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  const isString = typeof plain === "string";
  if (isString && indexes.length === 3) throw new GoError("cannot 3-index slice a string");
  const length = lengthOrUndefined(plain);
  if (length === undefined || plain instanceof GoMap) {
    throw new GoError(`can't slice item of type ${pointedTypeName(plain)}`);
  }
  const [start = 0, end = length, capacity] = indexes.map((index) => indexArgument(index, length));
  if (start > end) throw new GoError(`invalid slice index: ${start} > ${end}`);
  if (capacity !== undefined && end > capacity) {
    throw new GoError(`invalid slice index: ${end} > ${capacity}`);
  }
  if (plain instanceof GoSlice) return new GoSlice(plain.items.slice(start, end), plain.type, plain.isNil);
  if (plain instanceof GoBytes) return new GoBytes(plain.text.slice(start, end));
  return sliceText(value as Text, start, end);
}

/**
 * How many bytes, elements or entries a value has (funcs.go, length).
 * @throws GoError for values without a length
 */
export function lengthOf(value: Plain): number {
  if (value === null) throw new GoError("len of nil pointer");
  const length = lengthOrUndefined(value);
  if (length === undefined) throw new GoError(`len of type ${pointedTypeName(value)}`);
  return length;
}

function lengthOrUndefined(value: Plain): number | undefined {
  if (typeof value === "string") return value.length;
  if (value instanceof GoSlice) return value.items.length;
  if (value instanceof GoMap) return value.entries.size;
  return value instanceof GoBytes ? value.text.length : undefined;
}

function pointedTypeName(value: Plain): string {
  const name = typeOf(value)?.name ?? "";
  return value instanceof GoStruct ? name.replace(/^\*/u, "") : name;
}
