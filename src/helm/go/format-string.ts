import { Buffer } from "node:buffer";
import { bytesOfItem, type RenderBudget } from "./context.ts";
import { madeFrom } from "./cover.ts";
import type { Directive } from "./directive.ts";
import { canBackquote, quoteText, quoteToAscii } from "./quote.ts";
import { concatTexts, plainText, sliceText } from "./text.ts";
import { isAscii, runes } from "./utf8.ts";
import type { Text } from "./value.ts";

/**
 * A string under a verb of fmt, without padding. As it is or quoted it keeps its exact spans.
 * @returns undefined where the verb is not for strings
 * @throws FairleadError `limit-exceeded`
 */
export function formatString(
  text: Text,
  verb: string,
  directive: Directive,
  budget: RenderBudget,
): Text | undefined {
  switch (verb) {
    case "s":
      return truncated(text, directive);
    case "v":
      return directive.sharpV ? quoted(text, directive, budget) : truncated(text, directive);
    case "q":
      return quoted(text, directive, budget);
    case "x":
      return madeFrom(hexadecimal(plainText(text), directive, budget), text);
    case "X":
      return madeFrom(hexadecimal(plainText(text), directive, budget).toUpperCase(), text);
    default:
      return undefined;
  }
}

/** The precision is the most runes that are shown. */
function truncated(text: Text, { precision }: Directive): Text {
  if (precision === undefined) return text;
  const plain = plainText(text);
  if (isAscii(plain)) return sliceText(text, 0, precision);
  let count = 0;
  for (const { offset } of runes(plain)) {
    if (count === precision) return sliceText(text, 0, offset);
    count += 1;
  }
  return text;
}

function quoted(text: Text, directive: Directive, budget: RenderBudget): Text {
  const shown = truncated(text, directive);
  const plain = plainText(shown);
  if (directive.sharp && canBackquote(plain)) return concatTexts(["`", shown, "`"]);
  return directive.plus ? madeFrom(quoteToAscii(plain), shown) : quoteText(shown, budget);
}

/** The precision is the most bytes that are shown. */
function hexadecimal(text: string, directive: Directive, budget: RenderBudget): string {
  const { precision, sharp, space } = directive;
  const prefix = sharp ? "0x" : "";
  const digits = Buffer.from(text.slice(0, precision), "latin1").toString("hex");
  if (digits === "") return "";
  if (!space) return prefix + digits;
  budget.spendBytes(bytesOfItem * digits.length);
  return prefix + (digits.match(/../gu) ?? []).join(` ${prefix}`);
}
