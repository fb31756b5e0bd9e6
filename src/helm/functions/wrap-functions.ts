import type { GoContext } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { plainText, sliceText, TextBuilder } from "../go/text.ts";
import type { Text } from "../go/value.ts";

interface WrapOptions {
  readonly width: number;
  readonly newline: string;
  readonly breaksLongWords: boolean;
}

/** Sprig's functions that break lines at spaces (goutils' WrapCustom); widths are bytes. */
export const wrapFunctions: FunctionTable = {
  wrap: define([parameters.int, parameters.text], ([{ value }, text], context) =>
    wrap(context, text, { width: Number(value), newline: "\n", breaksLongWords: false }),
  ),
  wrapWith: define(
    [parameters.int, parameters.string, parameters.text],
    ([{ value }, newline, text], context) =>
      wrap(context, text, { width: Number(value), newline: newline || "\n", breaksLongWords: true }),
  ),
};

function wrap(context: GoContext, text: Text, options: WrapOptions): Text {
  const { newline, breaksLongWords } = options;
  const width = Math.max(1, options.width);
  const plain = plainText(text);
  const builder = new TextBuilder();
  let offset = 0;
  while (plain.length - offset > width) {
    if (plain[offset] === " ") {
      offset += 1;
      continue;
    }
    const space = plain.slice(offset, offset + width + 1).lastIndexOf(" ");
    let stop = space === -1 ? offset + width : offset + space;
    if (space === -1 && !breaksLongWords) {
      stop = plain.indexOf(" ", stop);
      if (stop === -1) break;
    }
    context.budget.spendBytes(stop - offset + newline.length);
    builder.append(sliceText(text, offset, stop));
    builder.append(newline);
    offset = plain[stop] === " " ? stop + 1 : stop;
  }
  builder.append(sliceText(text, offset));
  return builder.toText();
}
