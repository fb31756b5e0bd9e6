import { readFloat, readInt } from "./number.ts";
import { GoInteger, untracked, type GoValue } from "./value.ts";

const calendarTypes: ReadonlySet<string> = new Set(["time.Month", "time.Weekday"]);

/** A value as an int64 (cast.ToInt64): what cannot be one is 0, a float loses its fraction. */
export function toInt64(value: GoValue): bigint {
  const plain = untracked(value);
  if (plain instanceof GoInteger) return isCastable(plain) ? BigInt.asIntN(64, plain.value) : 0n;
  if (typeof plain === "number") return truncateFloat(plain);
  if (typeof plain === "boolean") return plain ? 1n : 0n;
  if (typeof plain !== "string") return 0n;
  const { value: integer, error } = readInt(withoutZeroFraction(plain), 0);
  return error === undefined ? integer : 0n;
}

/** A value as a float64 (cast.ToFloat64): what cannot be one is 0. */
export function toFloat64(value: GoValue): number {
  const plain = untracked(value);
  if (typeof plain === "number") return plain;
  if (plain instanceof GoInteger) return isCastable(plain) ? Number(plain.value) : 0;
  if (typeof plain === "boolean") return plain ? 1 : 0;
  if (typeof plain !== "string") return 0;
  const { value: float, error } = readFloat(plain);
  return error === undefined ? float : 0;
}

/** The library looks for the types by name: of those with names of their own it knows only two. */
function isCastable({ type }: GoInteger): boolean {
  return type.named !== true || calendarTypes.has(type.name);
}

const smallestInt64 = -(2n ** 63n);

/** Go's conversion on amd64: what does not fit is the smallest int64. */
function truncateFloat(value: number): bigint {
  const fits = value >= -(2 ** 63) && value < 2 ** 63;
  return fits ? BigInt(Math.trunc(value)) : smallestInt64;
}

/** `8080.0` is the integer 8080; other fractions stay, and are no integers. */
function withoutZeroFraction(text: string): string {
  return text.replace(/\.0+\.*$/u, "");
}
