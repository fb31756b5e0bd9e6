import { goTypes } from "../go/type.ts";
import { GoBytes, GoError, GoInteger, GoSlice, typeOf, untracked, type GoValue } from "../go/value.ts";

/** What Go says where a function asks nil for its type. */
const nilError = "runtime error: invalid memory address or nil pointer dereference";

/**
 * What is in a list of any type.
 * @param complaint what to say of another kind of value: `Cannot find first on type string`
 * @throws GoError
 */
export function itemsOf(value: GoValue, complaint: (kind: string) => string): readonly GoValue[] {
  const items = tryItemsOf(value);
  if (items !== undefined) return items;
  const kind = typeOf(value)?.kind;
  throw new GoError(kind === undefined ? nilError : complaint(kind));
}

/** What is in a list of any type; undefined for what is no list. */
export function tryItemsOf(value: GoValue): readonly GoValue[] | undefined {
  const plain = untracked(value);
  if (plain instanceof GoSlice) return plain.items;
  if (!(plain instanceof GoBytes)) return undefined;
  return Array.from(plain.text, (byte) => new GoInteger(BigInt(byte.charCodeAt(0)), goTypes.uint8));
}
