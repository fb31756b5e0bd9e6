import { bytesOfItem, type GoContext } from "../go/context.ts";
import { goTypes } from "../go/type.ts";
import { GoBytes, GoError, GoInteger, GoSlice, typeOf, untracked, type GoValue } from "../go/value.ts";

/** What Go says where a function asks nil for its type. */
const nilError = "runtime error: invalid memory address or nil pointer dereference";

/**
 * What is in a list of any type, paid for as if it were copied.
 * @param complaint what to say of another kind of value: `Cannot find first on type string`
 * @throws GoError; FairleadError `limit-exceeded`
 */
export function itemsOf(
  value: GoValue,
  context: GoContext,
  complaint: (kind: string) => string,
): readonly GoValue[] {
  const plain = untracked(value);
  if (plain instanceof GoSlice) {
    context.budget.spendCopies(plain.items.length);
    return plain.items;
  }
  if (plain instanceof GoBytes) {
    context.budget.spendBytes(bytesOfItem * plain.text.length);
    return Array.from(plain.text, (byte) => new GoInteger(BigInt(byte.charCodeAt(0)), goTypes.uint8));
  }
  const kind = typeOf(plain)?.kind;
  throw new GoError(kind === undefined ? nilError : complaint(kind));
}
