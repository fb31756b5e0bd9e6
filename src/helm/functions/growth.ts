import type { GoContext } from "../go/context.ts";
import { countIn } from "../go/escape.ts";
import { plainText } from "../go/text.ts";
import type { Text } from "../go/value.ts";

/** Texts that grow by less than this are not counted exactly beforehand. */
const negligibleBytes = 4096;

/**
 * Called before each of something that stands in a text is replaced by something longer.
 * @throws FairleadError `limit-exceeded`
 */
export function spendReplacements(
  context: GoContext,
  text: string,
  search: string,
  replacementLength: number,
): void {
  spendSearch(context, text, search);
  const growth = replacementLength - search.length;
  const most = search === "" ? text.length + 1 : Math.floor(text.length / search.length);
  if (growth <= 0 || most * growth < negligibleBytes) return;
  const count = search === "" ? most : countIn(text, search);
  context.budget.spendBytes(text.length + count * growth);
}

/** So many comparisons of characters take about as long as a step. */
const comparisonsPerStep = 4096;

/**
 * Called before a text is searched for another, which in the worst case compares each character of the one with
 * each of the other.
 * @throws FairleadError `limit-exceeded`
 */
export function spendSearch(context: GoContext, text: string, search: string): void {
  context.budget.spendSteps(Math.floor((text.length * search.length) / comparisonsPerStep));
}

/** Called before the texts become one. @throws FairleadError `limit-exceeded` */
export function spendTexts(context: GoContext, texts: readonly Text[], separatorLength = 1): void {
  let length = 0;
  for (const text of texts) length += plainText(text).length + separatorLength;
  context.budget.spendBytes(length);
}

/** The text that a function has made, which is not much longer than what it was made from. */
export function spent<Made extends Text>(context: GoContext, text: Made): Made {
  context.budget.spendBytes(plainText(text).length);
  return text;
}
