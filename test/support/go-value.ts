import { toBytes } from "../../src/helm/go/utf8.ts";
import { GoMap, listOf, type GoValue } from "../../src/helm/go/value.ts";

/** A value as JSON spells it. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** A plain value as Helm has it: texts in bytes, maps and lists of anything, numbers float64. */
export function goValueOf(value: PlainValue): GoValue {
  if (typeof value === "string") return toBytes(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return listOf(value.map(goValueOf));
  return new GoMap(Object.entries(value).map(([key, item]) => [toBytes(key), goValueOf(item)]));
}

function isList(value: PlainValue): value is readonly PlainValue[] {
  return Array.isArray(value);
}
