import type { GoContext } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import {
  isDigit,
  isLetter,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  mapRunes,
  toLower,
  toTitle,
  toUpper,
} from "../go/rune.ts";
import { plainText } from "../go/text.ts";
import { isAscii, toBytes } from "../go/utf8.ts";
import type { GoFunction, Text } from "../go/value.ts";
import { spent } from "./growth.ts";
import { toPascalCase, toSeparatedWords } from "./word-case.ts";

const byteSpaces = /[\t-\r \u0085\u00a0]+/u;

/** Sprig's functions that change the case of letters; a text that has it already is handed on as it is. */
export const caseFunctions: FunctionTable = {
  upper: changing((text) => (isAscii(text) ? text.toUpperCase() : mapRunes(text, toUpper))),
  lower: changing((text) => (isAscii(text) ? text.toLowerCase() : mapRunes(text, toLower))),
  title: changing((text) =>
    isAscii(text)
      ? text.replaceAll(/\b[a-z]/gu, (letter) => letter.toUpperCase())
      : mapRunes(text, titleMapping()),
  ),
  untitle: changing((text) => mapRunes(text, untitleMapping())),
  swapcase: changing((text) => mapRunes(text, swapMapping())),
  camelcase: changing(toPascalCase),
  snakecase: changing((text) => toSeparatedWords(text, "_")),
  kebabcase: changing((text) => toSeparatedWords(text, "-")),
  // Goutils takes each byte for a rune, so that what is not ASCII is encoded twice.
  initials: changing((text) =>
    toBytes(
      text
        .split(byteSpaces)
        .map((word) => word.slice(0, 1))
        .join(""),
    ),
  ),
};

function changing(change: (text: string) => string): GoFunction {
  return define([parameters.text], ([text], context) => unlessEqual(context, text, change(plainText(text))));
}

function unlessEqual(context: GoContext, text: Text, changed: string): Text {
  return changed === plainText(text) ? text : spent(context, changed);
}

/** Go's strings.Title: what follows a letter, a digit or an underscore is left alone. */
function titleMapping(): (code: number) => number {
  let isInWord = false;
  return (code) => {
    const mapped = isInWord ? code : toTitle(code);
    isInWord = !isSeparator(code);
    return mapped;
  };
}

function isSeparator(code: number): boolean {
  if (isLetter(code) || isDigit(code) || code === 0x5f) return false;
  return code < 0x80 || isSpace(code);
}

function untitleMapping(): (code: number) => number {
  let isInWord = false;
  return (code) => {
    if (isSpace(code)) isInWord = false;
    else if (!isInWord) {
      isInWord = true;
      return toLower(code);
    }
    return code;
  };
}

/** Small letters become capitals, and title case at the start of a word. */
function swapMapping(): (code: number) => number {
  let isAfterSpace = true;
  return (code) => {
    if (isUpper(code) || isTitle(code)) {
      isAfterSpace = false;
      return toLower(code);
    }
    if (isLower(code)) {
      const mapped = isAfterSpace ? toTitle(code) : toUpper(code);
      isAfterSpace = false;
      return mapped;
    }
    isAfterSpace = isSpace(code);
    return code;
  };
}
