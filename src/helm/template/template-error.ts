/** A template that Go's parser refuses; the message is its own, as bytes (see go/utf8.ts). */
export class TemplateParseError extends Error {
  override readonly name = "TemplateParseError";
  /** The name of the source. */
  readonly source: string;
  /** Counted from 1. */
  readonly line: number;

  constructor(source: string, line: number, problem: string) {
    super(`template: ${source}:${line}: ${problem}`);
    this.source = source;
    this.line = line;
  }
}
