import type { GoContext } from "../go/context.ts";
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
  const growth = replacementLength - search.length;
  const most = search === "" ? text.length + 1 : Math.floor(text.length / search.length);
  if (growth <= 0 || most * growth < negligibleBytes) return;
  const count = search === "" ? most : countOf(text, search);
  context.budget.spendBytes(text.length + count * growth);
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

function countOf(text: string, search: string): number {
  let count = 0;
  for (let found = text.indexOf(search); found !== -1; found = text.indexOf(search, found + search.length)) {
    count += 1;
  }
  return count;
}
