import { FairleadError } from "../../core/error.ts";
import type { GoContext } from "../go/context.ts";
import { maxEncodingDepth } from "../go/encoding-depth.ts";
import { GoMap, GoSlice, type GoValue } from "../go/value.ts";

/**
 * A value of its own, of the same types (copystructure.Copy). What nothing can change is shared: scalars,
 * structs, and lists with methods.
 * @throws FairleadError `limit-exceeded`
 */
export function deepCopy(value: GoValue, context: GoContext, depth = 0): GoValue {
  if (!(value instanceof GoMap || (value instanceof GoSlice && value.methods === undefined))) return value;
  if (depth > maxEncodingDepth) {
    throw new FairleadError("limit-exceeded", `maps and lists nest deeper than ${maxEncodingDepth} levels`);
  }
  context.budget.spendItem();
  context.budget.spendCopies(value instanceof GoMap ? value.entries.size : value.items.length);
  if (value instanceof GoSlice) {
    const items = value.items.map((item) => deepCopy(item, context, depth + 1));
    return new GoSlice(items, value.type, value.isNil);
  }
  const entries = [...value.entries].map(([key, item]): readonly [string, GoValue] => [
    key,
    deepCopy(item, context, depth + 1),
  ]);
  return value.withEntries(entries);
}
