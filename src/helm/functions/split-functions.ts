import type { GoContext } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { joinTexts, plainText, sliceText, splitText } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import { runeAt } from "../go/utf8.ts";
import { GoMap, GoSlice, stringsOf, untracked, type GoValue, type Text } from "../go/value.ts";
import { spendTexts } from "./growth.ts";
import { isStringSlice, stringItems } from "./string-value.ts";

/** Sprig's functions between texts and lists of texts; the parts keep their spans. */
export const splitFunctions: FunctionTable = {
  split: define([parameters.string, parameters.text], ([separator, text]) =>
    numbered(splitString(text, separator)),
  ),
  splitn: define([parameters.string, parameters.int, parameters.text], ([separator, { value }, text]) =>
    numbered(splitString(text, separator, Number(value))),
  ),
  splitList: define([parameters.string, parameters.text], ([separator, text]) =>
    stringsOf(splitString(text, separator)),
  ),
  join: define([parameters.text, parameters.value], ([separator, value], context) => {
    const parts = stringItems(value, context);
    spendTexts(context, parts, plainText(separator).length);
    return joinTexts(parts, separator);
  }),
  toStrings: define([parameters.value], ([value], context) => toStrings(value, context)),
  sortAlpha: define([parameters.value], ([value], context) => {
    const strings = untracked(value) === null ? stringsOf(["<nil>"]) : toStrings(value, context);
    // A []string is sorted where it stands: whoever else holds it sees it sorted too.
    strings.items.sort(compareTexts);
    return strings;
  }),
};

/** Go's strings.SplitN: a negative limit is none, an empty separator parts the runes. */
export function splitString(text: Text, separator: string, limit = -1): Text[] {
  if (limit === 0) return [];
  const most = limit < 0 ? Infinity : limit;
  return separator === "" ? splitRunes(text, most) : splitText(text, separator, most);
}

function splitRunes(text: Text, limit: number): Text[] {
  const plain = plainText(text);
  const parts: Text[] = [];
  let position = 0;
  while (position < plain.length && parts.length + 1 < limit) {
    const end = position + runeAt(plain, position).width;
    parts.push(sliceText(text, position, end));
    position = end;
  }
  if (position < plain.length) parts.push(sliceText(text, position));
  return parts;
}

/** The parts under `_0`, `_1` and so on, since a template can name a field but not index a literal. */
function numbered(parts: readonly Text[]): GoMap {
  return new GoMap(
    parts.map((part, index) => [`_${index}`, part]),
    goTypes.stringMap,
  );
}

function toStrings(value: GoValue, context: GoContext): GoSlice {
  const plain = untracked(value);
  return plain instanceof GoSlice && isStringSlice(plain) ? plain : stringsOf(stringItems(value, context));
}

function compareTexts(left: GoValue, right: GoValue): number {
  const [first, second] = [untracked(left) as string, untracked(right) as string];
  return first < second ? -1 : first > second ? 1 : 0;
}
