import { doubleQuoted, isPlainString } from "./dump.ts";
import type { BlockLayout } from "./token.ts";
import type { WrittenNode } from "./written-nodes.ts";

/** A part of a text and what takes its place; offsets are UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a scalar of any style can hold without more than quotes: printable ASCII on one line, without blanks. */
const writable = /^[!-~]*$/u;
/** What needs no quotes in flow collections either. */
const simple = /^[\w./](?:[\w./@:+-]*[\w./@+-])?$/u;

/** Whether {@link editScalar} can write a value. */
export function isWritableValue(value: string): boolean {
  return writable.test(value);
}

/**
 * The edit that gives a scalar another value and leaves how it is written: its quotes, or its indicator and
 * indentation. A value that would be read as something else without quotes, also by YAML 1.1, gets double quotes.
 * @param value one that {@link isWritableValue}
 * @returns undefined for an empty scalar that nothing announces, as that of `{key}`
 */
export function editScalar(text: string, scalar: WrittenNode, value: string): TextEdit | undefined {
  const { start, end, layout } = scalar;
  if (layout?.block !== undefined) return editBlock(text, start, layout.block, value);
  if (start === end && layout?.place === undefined) return undefined;
  if (start === end) {
    // A comment needs a blank before it.
    const after = text[end] === "#" ? " " : "";
    return { start, end, text: ` ${formatPlain(value)}${after}` };
  }
  return { start, end, text: formatLike(text[start], scalar.isPlain, value) };
}

function formatLike(first: string | undefined, isPlain: boolean, value: string): string {
  if (isPlain) return formatPlain(value);
  return first === "'" ? `'${value.replaceAll("'", "''")}'` : doubleQuoted(value);
}

function formatPlain(value: string): string {
  return simple.test(value) && isPlainString(value) ? value : doubleQuoted(value);
}

/** The lines of the content become one; those that end the scalar stay. */
function editBlock(text: string, start: number, block: BlockLayout, value: string): TextEdit {
  const { contentStart, contentEnd, indent } = block;
  const header = text.slice(start, contentStart);
  if (contentStart === contentEnd) {
    const lineEnd = /(?:\r\n|[\r\n\u0085\u2028\u2029])$/u.exec(header)?.[0];
    const isFixed = /^[|>][-+]?[1-9]/u.test(header);
    const line = " ".repeat(isFixed ? indent : indent + 1) + value;
    const inserted = lineEnd === undefined ? `\n${line}` : line + lineEnd;
    return { start: contentStart, end: contentStart, text: inserted };
  }
  const indentation = " ".repeat(indent);
  const first = contentStart + indent;
  const beginsThere =
    text.startsWith(indentation, contentStart) && !/[\r\n\u0085\u2028\u2029]/u.test(text.charAt(first));
  return beginsThere
    ? { start: first, end: contentEnd, text: value }
    : { start: contentStart, end: contentEnd, text: indentation + value };
}

/**
 * Makes edits in a text.
 * @param edits in the order of their places, none over another
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = "";
  let position = 0;
  for (const edit of edits) {
    edited += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return edited + text.slice(position);
}
