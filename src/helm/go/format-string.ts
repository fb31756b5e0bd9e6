import { madeFrom } from "./cover.ts";
import type { Directive } from "./directive.ts";
import { canBackquote, quoteText, quoteToAscii } from "./quote.ts";
import { concatTexts, plainText, sliceText } from "./text.ts";
import { isAscii, runes } from "./utf8.ts";
import type { Text } from "./value.ts";

/**
 * A string under a verb of fmt, without padding. As it is or quoted it keeps its exact spans.
 * @returns undefined where the verb is not for strings
 */
export function formatString(text: Text, verb: string, directive: Directive): Text | undefined {
  switch (verb) {
    case "s":
      return truncated(text, directive);
    case "v":
      return directive.sharpV ? quoted(text, directive) : truncated(text, directive);
    case "q":
      return quoted(text, directive);
    case "x":
      return madeFrom(hexadecimal(plainText(text), directive), text);
    case "X":
      return madeFrom(hexadecimal(plainText(text), directive).toUpperCase(), text);
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

function quoted(text: Text, directive: Directive): Text {
  const shown = truncated(text, directive);
  const plain = plainText(shown);
  if (directive.sharp && canBackquote(plain)) return concatTexts(["`", shown, "`"]);
  return directive.plus ? madeFrom(quoteToAscii(plain), shown) : quoteText(shown);
}

/** The precision is the most bytes that are shown. */
function hexadecimal(text: string, { precision, sharp, space }: Directive): string {
  const prefix = sharp ? "0x" : "";
  const bytes = Array.from(text.slice(0, precision), (byte) =>
    byte.charCodeAt(0).toString(16).padStart(2, "0"),
  );
  if (bytes.length === 0) return "";
  return prefix + bytes.join(space ? ` ${prefix}` : "");
}
