import { isTimestamp, tryResolveScalar } from "../../yaml/scalar.ts";

/** How a string is written. */
export type ScalarStyle = "plain" | "single-quoted" | "double-quoted" | "literal";

/** Printable ASCII that means nothing to YAML where it stands. */
const harmful = /[^ -~]|^[ #,[\]{}&*!|>'"%@`]|^[?:-](?: |$)|^---|^\.\.\.|: | #|:$| $/;
/** What go-yaml's emitter takes for a line end. */
export const lineEnd: RegExp = /[\n\r]|\u00c2\u0085|\u00e2\u0080[\u00a8\u00a9]/;
/** What go-yaml's emitter does not write as it is: everything beyond the basic plane too. */
const special =
  /[\u0000-\u0008\u000b-\u001f\u007f]|\u00c2[\u0080-\u009f]|[\u00f0-\u00f7]|\u00ef(?:\u00bb\u00bf|\u00bf[\u00be\u00bf])/;
const indicator = /^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|^---|^\.\.\.|:(?:[ \t]|$)|[ \t]#/;
const spaceBeforeLineEnd = / (?:[\n\r]|\u00c2\u0085|\u00e2\u0080[\u00a8\u00a9])/;
const spaceAfterLineEnd = /(?:[\n\r]|\u00c2\u0085|\u00e2\u0080[\u00a8\u00a9]) /;

/** Whether a string is written as it is in every version: most are. */
export function isPlainWord(text: string): boolean {
  return text !== "" && !harmful.test(text) && !resolves(text) && !signedOctal.test(text);
}

/**
 * The style that go-yaml's encoder and emitter choose for a string in a block.
 * @param text UTF-8
 * @param version of go-yaml: 3 lets a tab stand in a literal
 * @param isTagged whether a tag says what it is, so that it need not read as a string
 */
export function chooseScalarStyle(text: string, version: 2 | 3, isTagged: boolean): ScalarStyle {
  const isString = isTagged || !(resolves(text) || (version === 3 && signedOctal.test(text)));
  const hasTab = text.includes("\t");
  const isSpecial = special.test(text) || spaceBeforeLineEnd.test(text);
  if (text.includes("\n")) {
    const canBeLiteral = !isSpecial && !(hasTab && version === 2) && !text.endsWith(" ");
    return canBeLiteral ? "literal" : "double-quoted";
  }
  if (!isString || isSpecial || hasTab || spaceAfterLineEnd.test(text)) return "double-quoted";
  const needsQuotes =
    lineEnd.test(text) || text.startsWith(" ") || text.endsWith(" ") || indicator.test(text);
  return needsQuotes ? "single-quoted" : "plain";
}

/** Numbers of YAML 1.1 in base 60, which go-yaml does not read but quotes for others. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Version 3 lets a parser of signed numbers read what follows `0o`. */
const signedOctal = /^0o[-+][0-7]+$/;

/** Whether a text without quotes would be read as something else than a string. */
function resolves(text: string): boolean {
  const first = text.charCodeAt(0);
  const isNumeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
  if (!isNumeric) return tryResolveScalar(text) !== undefined;
  return (
    tryResolveScalar(text) !== undefined ||
    (text.includes(":") && base60.test(text)) ||
    (text.charCodeAt(4) === 0x2d && isTimestamp(text))
  );
}
