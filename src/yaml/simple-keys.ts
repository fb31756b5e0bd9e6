import type { Cursor } from "./cursor.ts";

/** A token that turns out to be a key if `:` follows it on its line within 1,024 characters. */
export interface SimpleKey {
  /** Where the token is in the stream of tokens. */
  readonly tokenNumber: number;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  /** It stands where nothing but a key can. */
  readonly required: boolean;
}

const maxSimpleKeyLength = 1024;

/** What may become a key: at most one token at the block level and one in each open flow collection. */
export class SimpleKeys {
  private readonly cursor: Cursor;
  private readonly levels: (SimpleKey | undefined)[] = [undefined];
  private readonly byToken = new Map<number, SimpleKey>();
  /** For each open flow collection that nothing could be a key in so far, the number of its first token. */
  private readonly keylessOpenings: (number | undefined)[] = [];

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  get inFlow(): boolean {
    return this.levels.length > 1;
  }

  /** The token that may be a key in the innermost collection. */
  get current(): SimpleKey | undefined {
    return this.levels.at(-1);
  }

  /** Whether a `key` token might yet have to go before the token of this number. */
  mayPrecede(tokenNumber: number): boolean {
    const key = this.byToken.get(tokenNumber);
    return key !== undefined && this.isUsable(key);
  }

  /** Whether a `:` at the cursor makes the token a key. */
  isUsable(key: SimpleKey): boolean {
    const { cursor } = this;
    const isStale = key.line < cursor.line || key.start + maxSimpleKeyLength < cursor.position;
    if (isStale && key.required) throw this.missingColon(key);
    return !isStale;
  }

  save(key: SimpleKey): void {
    this.refuseRequired();
    this.levels[this.levels.length - 1] = key;
    this.byToken.set(key.tokenNumber, key);
    if (this.inFlow) this.keylessOpenings[this.keylessOpenings.length - 1] = undefined;
  }

  /** Something came that cannot follow a key: the current token is none. */
  refuseRequired(): void {
    const key = this.current;
    if (key === undefined) return;
    if (key.required) throw this.missingColon(key);
    this.forget(key);
  }

  forget(key: SimpleKey): void {
    this.byToken.delete(key.tokenNumber);
    this.levels[this.levels.length - 1] = undefined;
  }

  /** The token has been handed out, so that nothing can go before it. */
  forgetToken(tokenNumber: number): void {
    this.byToken.delete(tokenNumber);
  }

  openFlow(tokenNumber: number): void {
    this.keylessOpenings.push(tokenNumber);
    this.levels.push(undefined);
  }

  closeFlow(): void {
    if (!this.inFlow) return;
    this.levels.pop();
    // As in Go's port, `[]` and `{}` are handed out at once: what follows at the root, as in `{}: a`, is not read.
    const opening = this.keylessOpenings.pop();
    if (opening !== undefined) this.byToken.delete(opening);
  }

  private missingColon(key: SimpleKey): Error {
    return this.cursor.failToScan(key.start, "expected ':' after this key", "could not find expected ':'");
  }
}
