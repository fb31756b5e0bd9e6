import { bytesOfItem, type GoContext } from "../go/context.ts";
import { formatGo, printValue } from "../go/format.ts";
import { goTypes } from "../go/type.ts";
import { GoBytes, GoInteger, GoSlice, Tracked, untracked, type GoValue, type Text } from "../go/value.ts";

/** A value as `%v` prints it. @throws FairleadError `limit-exceeded` */
export function printedValue(value: GoValue, context: GoContext): Text {
  const isScalar = value === null || typeof value !== "object" || value instanceof GoInteger;
  return isScalar || value instanceof Tracked ? printValue(value) : formatGo("%v", [value], context);
}

/** A value as text, as most of Sprig sees it: strings and bytes as they are, all else as `%v` prints it. */
export function stringValue(value: GoValue, context: GoContext): Text {
  if (typeof value === "string") return value;
  return value instanceof GoBytes ? value.text : printedValue(value, context);
}

/** The items of a list as texts, without nil; anything else is a list of one, and nil a list of none. */
export function stringItems(value: GoValue, context: GoContext): readonly Text[] {
  const plain = untracked(value);
  if (plain === null) return [];
  if (plain instanceof GoBytes) {
    context.budget.spendBytes(bytesOfItem * plain.text.length);
    return Array.from(plain.text, (byte) => String(byte.charCodeAt(0)));
  }
  if (!(plain instanceof GoSlice)) return [stringValue(value, context)];
  context.budget.spendCopies(plain.items.length);
  if (isStringSlice(plain)) return plain.items as readonly Text[];
  const items: Text[] = [];
  for (const item of plain.items) if (untracked(item) !== null) items.push(stringValue(item, context));
  return items;
}

/** Whether a list is Go's []string, which functions hand on as it is. */
export function isStringSlice(list: GoSlice): boolean {
  return list.type.name === goTypes.stringSlice.name;
}
