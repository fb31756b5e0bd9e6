import { bytesOfItem, type GoContext } from "../go/context.ts";
import { countIn } from "../go/escape.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { joinTexts, plainText, sliceText, splitText } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import { runeAt } from "../go/utf8.ts";
import { GoMap, GoSlice, stringsOf, untracked, type GoValue, type Text } from "../go/value.ts";
import { spendSearch, spendTexts } from "./growth.ts";
import { isStringSlice, stringItems } from "./string-value.ts";

/** Sprig's functions between texts and lists of texts; the parts keep their spans. */
export const splitFunctions: FunctionTable = {
  split: define([parameters.string, parameters.text], ([separator, text], context) =>
    numbered(split(context, text, separator)),
  ),
  splitn: define(
    [parameters.string, parameters.int, parameters.text],
    ([separator, { value }, text], context) => numbered(split(context, text, separator, Number(value))),
  ),
  splitList: define([parameters.string, parameters.text], ([separator, text], context) =>
    stringsOf(split(context, text, separator)),
  ),
  join: define([parameters.text, parameters.value], ([separator, value], context) => {
    const parts = stringItems(value, context);
    spendTexts(context, parts, plainText(separator).length);
    return joinTexts(parts, separator);
  }),
  toStrings: define([parameters.value], ([value], context) => toStrings(value, context)),
  sortAlpha: define([parameters.value], ([value], context) => {
    const strings = untracked(value) === null ? stringsOf(["<nil>"]) : toStrings(value, context);
    context.budget.spendSteps(strings.items.length);
    // A []string is sorted where it stands: whoever else holds it sees it sorted too.
    strings.items.sort(compareTexts);
    return strings;
  }),
};

/** What each part costs is paid before there are any. @throws FairleadError `limit-exceeded` */
function split(context: GoContext, text: Text, separator: string, limit = -1): Text[] {
  const plain = plainText(text);
  spendSearch(context, plain, separator);
  const most = separator === "" ? plain.length : countIn(plain, separator);
  context.budget.spendBytes(bytesOfItem * (limit < 0 ? most : Math.min(most, limit)));
  return splitString(text, separator, limit);
}

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
