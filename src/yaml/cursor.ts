import type { ErrorCode, FairleadError, Where } from "../core/error.ts";
import { YamlError, type GoProblem } from "./problem.ts";

export interface YamlSourceOptions {
  /** The file's name for messages. */
  readonly file?: string;
  /** The code of the errors thrown for malformed text; default: `values-invalid`. */
  readonly code?: ErrorCode;
  /** Filled, where it is given, with the comments that are passed, in their order. */
  readonly comments?: YamlComment[];
}

/** Offsets of a comment: of its `#`, and after its last character. */
export interface YamlComment {
  readonly start: number;
  readonly end: number;
}

/** What libyaml's reader refuses wherever it stands, comments included (YAML 1.1, 4.1.1). */
const unprintable =
  /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ufffd]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Quick to look for, and in most texts nowhere. */
const unusual = /[^\t\n\r\u0020-\u007e]/;

/** A place in a YAML text. Offsets and columns are UTF-16 units; the text ends with a NUL that it cannot hold. */
export class Cursor {
  readonly text: string;
  position = 0;
  /** How many line ends have been passed; it only serves to tell lines apart. */
  line = 0;
  lineStart = 0;
  private readonly options: YamlSourceOptions;
  private lineStarts: readonly number[] | undefined;

  constructor(text: string, options: YamlSourceOptions) {
    this.text = `${text}\0`;
    this.options = options;
    if (text.startsWith("\ufeff")) this.position = this.lineStart = 1;
    const control = unusual.test(text) ? text.search(unprintable) : -1;
    if (control >= 0) {
      throw this.fail(
        control,
        "control characters are not allowed",
        "yaml: control characters are not allowed",
      );
    }
  }

  get column(): number {
    return this.position - this.lineStart;
  }

  /** The UTF-16 unit at the position, or a number of units after it. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.position + ahead);
  }

  /** Passes a line end and gives what stands for it in a scalar: `\n`, but U+2028 and U+2029 as themselves. */
  takeBreak(): string {
    const code = this.peek();
    this.position += code === 0x0d && this.peek(1) === 0x0a ? 2 : 1;
    this.line++;
    this.lineStart = this.position;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : "\n";
  }

  /** At the end of the text, as libyaml does: a line that is open ends there. */
  closeLine(): void {
    if (this.column === 0) return;
    this.line++;
    this.lineStart = this.position;
  }

  skipComment(): void {
    if (this.peek() !== 0x23) return;
    const start = this.position;
    while (!isBreakOrEnd(this.peek())) this.position++;
    this.options.comments?.push({ start, end: this.position });
  }

  skipBlanks(): void {
    while (isBlank(this.peek())) this.position++;
  }

  /** Whether `---` or `...` stands here at the beginning of a line, followed by a blank or a line end. */
  atDocumentMarker(marker: "---" | "..."): boolean {
    return (
      this.position === this.lineStart &&
      this.text.startsWith(marker, this.position) &&
      isBlankOrEnd(this.peek(3))
    );
  }

  /** Line and column of an offset, both from 1, with the file's name. */
  where(offset: number): Where {
    this.lineStarts ??= lineStartsOf(this.text);
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const { file } = this.options;
    const position = { line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
    return file === undefined ? position : { file, ...position };
  }

  /**
   * The error for malformed text at an offset.
   * @param problem what Go says of it
   */
  fail(offset: number, message: string, problem?: GoProblem): FairleadError {
    const where = this.where(offset);
    return new YamlError(this.options.code ?? "values-invalid", message, problem, { where });
  }

  /** The error of libyaml's scanner, which tells the line it has come to, from 1, but not the first. */
  failToScan(offset: number, message: string, problem: string): FairleadError {
    return this.fail(offset, message, `yaml: ${this.line === 0 ? "" : `line ${this.line + 1}: `}${problem}`);
  }

  /** The error of libyaml's parser, which tells the line of a token, from 0, but not the first. */
  failToParse(token: { readonly start: number }, message: string, problem: string): FairleadError {
    const before = this.text.slice(0, token.start);
    const breaks = before.match(/\r\n?|[\n\u0085\u2028\u2029]/gu)?.length ?? 0;
    // At its end the text has one more line, unless the last one is closed.
    const isOpenEnd = this.text.charCodeAt(token.start) === 0 && /[^\r\n\u0085\u2028\u2029]$/u.test(before);
    const line = isOpenEnd ? breaks + 1 : breaks;
    return this.fail(token.start, message, `yaml: ${line === 0 ? "" : `line ${line}: `}${problem}`);
  }

  /** The error for a text that is too large or too deep. */
  exceed(offset: number, message: string, problem?: string): FairleadError {
    return new YamlError("limit-exceeded", message, problem, { where: this.where(offset) });
  }
}

/** Where lines begin, as editors count them: after CR, LF and CRLF. */
function lineStartsOf(text: string): number[] {
  const starts = [0];
  const lineEnd = /\r\n?|\n/gu;
  while (lineEnd.test(text)) starts.push(lineEnd.lastIndex);
  return starts;
}

/** Whether a UTF-16 unit is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** YAML 1.1 has five line ends: CR, LF, NEL, LS and PS. */
export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** Whether a unit ends a line, or is the NUL that ends the text. */
export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code);
}

/** Whether a unit ends a word: a blank, a line end or the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0 || code === 0x09 || isBreak(code);
}

/** Whether a unit is one of 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
