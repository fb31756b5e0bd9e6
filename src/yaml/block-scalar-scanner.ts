import { isBlank, isBreak, isBreakOrEnd, isDigit, type Cursor } from "./cursor.ts";
import type { BlockLayout } from "./token.ts";

export interface ScannedBlockScalar {
  readonly text: string;
  readonly block: BlockLayout;
}

/**
 * Scans a literal (`|`) or folded (`>`) scalar, the cursor on its indicator.
 * @param parentIndent the column of the collection it stands in, -1 at the root
 */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): ScannedBlockScalar {
  const start = cursor.position;
  const literal = cursor.peek() === 0x7c;
  cursor.position++;
  const { chomping, increment } = scanBlockHeader(cursor, start);
  let indent = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  const least = indent === 0 ? Math.max(parentIndent + 1, 1) : indent;
  let text = "";
  let lineBreak = "";
  let previousIsIndented = false;
  const contentStart = cursor.position;
  let contentEnd = contentStart;
  const takeBreaks = (): string => {
    const taken = takeIndentedBreaks(cursor, indent, start);
    if (indent === 0) indent = Math.max(taken.maxColumn, least);
    return taken.breaks;
  };
  let blankLines = takeBreaks();
  while (cursor.column === indent && cursor.peek() !== 0) {
    const isIndented = isBlank(cursor.peek());
    if (!literal && lineBreak === "\n" && !previousIsIndented && !isIndented) {
      text += blankLines === "" ? " " : blankLines;
    } else text += lineBreak + blankLines;
    previousIsIndented = isIndented;
    const lineStart = cursor.position;
    while (!isBreakOrEnd(cursor.peek())) cursor.position++;
    text += cursor.text.slice(lineStart, cursor.position);
    contentEnd = cursor.position;
    lineBreak = isBreak(cursor.peek()) ? cursor.takeBreak() : "";
    blankLines = takeBreaks();
  }
  if (chomping !== "-") text += lineBreak;
  if (chomping === "+") text += blankLines;
  // Where the text ends behind the header, the column is that of the header.
  const isHeaderLast = cursor.lineStart <= start;
  return { text, block: { contentStart, contentEnd, indent: isHeaderLast ? least : indent } };
}

function scanBlockHeader(cursor: Cursor, start: number): { chomping: string; increment: number } {
  let chomping = "";
  let increment = 0;
  for (let part = 0; part < 2; part++) {
    const code = cursor.peek();
    if (chomping === "" && (code === 0x2b || code === 0x2d)) chomping = String.fromCharCode(code);
    else if (increment === 0 && isDigit(code)) increment = code - 0x30;
    else break;
    if (code === 0x30) {
      throw cursor.failToScan(
        start,
        "a block scalar's indentation cannot be 0",
        "found an indentation indicator equal to 0",
      );
    }
    cursor.position++;
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) {
    throw cursor.failToScan(
      cursor.position,
      "expected a comment or a line end",
      "did not find expected comment or line break",
    );
  }
  if (isBreak(cursor.peek())) cursor.takeBreak();
  return { chomping, increment };
}

/** Passes blank lines and indentation up to `indent`, or up to any column while that is not known (0). */
function takeIndentedBreaks(
  cursor: Cursor,
  indent: number,
  scalarStart: number,
): { breaks: string; maxColumn: number } {
  const limit = indent === 0 ? Number.POSITIVE_INFINITY : indent;
  let breaks = "";
  let maxColumn = 0;
  for (;;) {
    while (cursor.peek() === 0x20 && cursor.column < limit) cursor.position++;
    maxColumn = Math.max(maxColumn, cursor.column);
    if (cursor.peek() === 0x09 && cursor.column < limit) {
      throw cursor.failToScan(
        scalarStart,
        "found a tab where a block scalar's indentation is expected",
        "found a tab character where an indentation space is expected",
      );
    }
    if (!isBreak(cursor.peek())) return { breaks, maxColumn };
    breaks += cursor.takeBreak();
  }
}
