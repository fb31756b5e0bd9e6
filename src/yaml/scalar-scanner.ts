import { isBlank, isBlankOrEnd, isBreak, type Cursor } from "./cursor.ts";

/** A scalar's text with escapes, folding and indentation resolved. */
export interface ScannedScalar {
  readonly text: string;
  /** Whether the cursor came to the beginning of a line, where a key may stand. */
  readonly atLineStart: boolean;
}

/** Line ends and blanks between two parts of a flow scalar. */
interface Gap {
  /** Empty where the parts stand on one line. */
  readonly firstBreak: string;
  readonly otherBreaks: string;
}

/**
 * Scans an unquoted scalar (YAML 1.1, 9.1.3, as libyaml reads it).
 * @param indent the column of the collection it stands in; a line at or left of it ends the scalar
 */
export function scanPlainScalar(cursor: Cursor, indent: number, inFlow: boolean): ScannedScalar {
  const start = cursor.position;
  let text = "";
  let partStart = start;
  let end = start;
  let gap: Gap | undefined;
  for (;;) {
    if (cursor.atDocumentMarker("---") || cursor.atDocumentMarker("...") || cursor.peek() === 0x23) break;
    const runStart = cursor.position;
    skipPlainRun(cursor, inFlow);
    if (cursor.position > runStart) {
      if (gap !== undefined && gap.firstBreak !== "") {
        text += cursor.text.slice(partStart, end) + fold(gap);
        partStart = runStart;
      }
      gap = undefined;
      end = cursor.position;
    }
    if (!isBlank(cursor.peek()) && !isBreak(cursor.peek())) break;
    gap = skipGap(cursor, start, indent + 1);
    if (!inFlow && cursor.column <= indent) break;
  }
  return {
    text: text + cursor.text.slice(partStart, end),
    atLineStart: gap !== undefined && gap.firstBreak !== "",
  };
}

function skipPlainRun(cursor: Cursor, inFlow: boolean): void {
  for (let code = cursor.peek(); !isBlankOrEnd(code); code = cursor.peek()) {
    if (code === 0x3a && isBlankOrEnd(cursor.peek(1))) return;
    if (inFlow && isFlowStop(code)) return;
    cursor.position++;
  }
}

/** `,`, `?`, `[`, `]`, `{` and `}` end an unquoted scalar in a flow collection. */
function isFlowStop(code: number): boolean {
  return code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

function skipGap(cursor: Cursor, scalarStart: number, minColumn: number): Gap {
  let firstBreak = "";
  let otherBreaks = "";
  for (let code = cursor.peek(); ; code = cursor.peek()) {
    if (isBlank(code)) {
      if (firstBreak !== "" && code === 0x09 && cursor.column < minColumn) {
        throw cursor.failToScan(
          scalarStart,
          "found a tab that violates indentation in a plain scalar",
          "found a tab character that violates indentation",
        );
      }
      cursor.position++;
    } else if (isBreak(code)) {
      if (firstBreak === "") firstBreak = cursor.takeBreak();
      else otherBreaks += cursor.takeBreak();
    } else return { firstBreak, otherBreaks };
  }
}

/** One line end becomes a space, more lose the first; U+2028 and U+2029 are kept. */
function fold({ firstBreak, otherBreaks }: Gap): string {
  if (firstBreak !== "\n") return firstBreak + otherBreaks;
  return otherBreaks === "" ? " " : otherBreaks;
}

/** Scans a single-quoted scalar, the cursor on its opening quote. */
export function scanSingleQuoted(cursor: Cursor): string {
  return scanQuoted(cursor, 0x27, (start) => {
    if (cursor.peek() !== 0x27 || cursor.peek(1) !== 0x27) return undefined;
    const before = cursor.text.slice(start, cursor.position);
    cursor.position += 2;
    return `${before}'`;
  });
}

/** Scans a double-quoted scalar, the cursor on its opening quote. */
export function scanDoubleQuoted(cursor: Cursor): string {
  const opening = cursor.position;
  return scanQuoted(cursor, 0x22, (start) => {
    if (cursor.peek() !== 0x5c || isBreak(cursor.peek(1))) return undefined;
    const before = cursor.text.slice(start, cursor.position);
    return before + takeEscape(cursor, opening);
  });
}

/**
 * @param takeSpecial where an escape begins: passes it and gives the text from `start` with it; else undefined
 */
function scanQuoted(
  cursor: Cursor,
  quote: number,
  takeSpecial: (start: number) => string | undefined,
): string {
  const opening = cursor.position;
  cursor.position++;
  let text = "";
  for (;;) {
    if (cursor.atDocumentMarker("---") || cursor.atDocumentMarker("...")) {
      throw cursor.failToScan(
        opening,
        "a document ends within this quoted scalar",
        "found unexpected document indicator",
      );
    }
    if (cursor.peek() === 0) {
      throw cursor.failToScan(opening, "this quoted scalar is not closed", "found unexpected end of stream");
    }
    let start = cursor.position;
    let escapedBreak = false;
    while (!isBlankOrEnd(cursor.peek())) {
      const special = takeSpecial(start);
      if (special !== undefined) {
        text += special;
        start = cursor.position;
      } else if (cursor.peek() === quote) {
        text += cursor.text.slice(start, cursor.position);
        cursor.position++;
        return text;
      } else if (quote === 0x22 && cursor.peek() === 0x5c) {
        escapedBreak = true;
        break;
      } else cursor.position++;
    }
    text += cursor.text.slice(start, cursor.position);
    text += takeQuotedGap(cursor, escapedBreak);
  }
}

/** Blanks and line ends within a quoted scalar; after an escaped line end none of them folds to a space. */
function takeQuotedGap(cursor: Cursor, escapedBreak: boolean): string {
  if (escapedBreak) {
    cursor.position++;
    cursor.takeBreak();
  }
  const start = cursor.position;
  cursor.skipBlanks();
  if (!isBreak(cursor.peek())) return escapedBreak ? "" : cursor.text.slice(start, cursor.position);
  const gap = skipGap(cursor, start, 0);
  return escapedBreak ? gap.firstBreak + gap.otherBreaks : fold(gap);
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "0": "\0",
    a: "\u0007",
    b: "\b",
    t: "\t",
    "\t": "\t",
    n: "\n",
    v: "\v",
    f: "\f",
    r: "\r",
    e: "\u001b",
    " ": " ",
    '"': '"',
    "'": "'",
    "\\": "\\",
    N: "\u0085",
    _: "\u00a0",
    L: "\u2028",
    P: "\u2029",
  }),
);
const escapeLengths: ReadonlyMap<string, number> = new Map(Object.entries({ x: 2, u: 4, U: 8 }));

function takeEscape(cursor: Cursor, opening: number): string {
  const letter = cursor.text.charAt(cursor.position + 1);
  const simple = escapes.get(letter);
  const length = escapeLengths.get(letter);
  if (simple === undefined && length === undefined) {
    throw cursor.failToScan(
      cursor.position,
      `unknown escape \\${letter.replace("\0", "")} in a quoted scalar`,
      "found unknown escape character",
    );
  }
  const digits = cursor.text.slice(cursor.position + 2, cursor.position + 2 + (length ?? 0));
  if (simple === undefined && (!/^[0-9a-fA-F]+$/u.test(digits) || digits.length !== length)) {
    throw cursor.failToScan(
      cursor.position,
      `an escape \\${letter} needs ${length} hexadecimal digits`,
      "did not find expected hexdecimal number",
    );
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw cursor.failToScan(
      opening,
      `\\${letter}${digits} is no Unicode character`,
      "found invalid Unicode character escape code",
    );
  }
  cursor.position += 2 + digits.length;
  return simple ?? String.fromCodePoint(code);
}
