import { FairleadError, type ErrorCode, type Where } from "../core/error.ts";

export interface YamlSourceOptions {
  /** The file's name for messages. */
  readonly file?: string;
  /** The code of the errors thrown for malformed text; default: `values-invalid`. */
  readonly code?: ErrorCode;
}

/** What libyaml's reader refuses wherever it stands, comments included (YAML 1.1, 4.1.1). */
const unprintable =
  /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ufffd]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

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
    const control = text.search(unprintable);
    if (control >= 0) throw this.fail(control, "control characters are not allowed");
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

  skipComment(): void {
    if (this.peek() !== 0x23) return;
    while (!isBreakOrEnd(this.peek())) this.position++;
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
    this.lineStarts ??= [
      0,
      ...Array.from(this.text.matchAll(/\r\n?|\n/gu), (end) => end.index + end[0].length),
    ];
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

  /** The error for malformed text at an offset. */
  fail(offset: number, message: string): FairleadError {
    return new FairleadError(this.options.code ?? "values-invalid", message, { where: this.where(offset) });
  }

  /** The error for a text that is too large or too deep. */
  exceed(offset: number, message: string): FairleadError {
    return new FairleadError("limit-exceeded", message, { where: this.where(offset) });
  }
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
