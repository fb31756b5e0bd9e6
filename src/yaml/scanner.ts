import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, type Cursor } from "./cursor.ts";
import { scanAnchorName, scanDirective, scanTag } from "./property-scanner.ts";
import { scanBlockScalar, scanDoubleQuoted, scanPlainScalar, scanSingleQuoted } from "./scalar-scanner.ts";

export type TokenType =
  | "stream-end"
  | "version-directive"
  | "tag-directive"
  | "document-start"
  | "document-end"
  | "block-sequence-start"
  | "block-mapping-start"
  | "block-end"
  | "flow-sequence-start"
  | "flow-mapping-start"
  | "flow-sequence-end"
  | "flow-mapping-end"
  | "block-entry"
  | "flow-entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "plain"
  | "quoted";

export interface Token {
  readonly type: TokenType;
  /** Offset of its first character. */
  readonly start: number;
  /** A scalar's text, an anchor's name, a directive's version, or the handle of a tag or tag directive. */
  readonly text: string;
  /** A tag's suffix or a tag directive's prefix. */
  readonly suffix: string;
}

/** A token that turns out to be a key if `:` follows it on its line within 1,024 characters. */
interface SimpleKey {
  readonly tokenNumber: number;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  /** It stands where nothing but a key can. */
  readonly required: boolean;
}

const maxSimpleKeyLength = 1024;

/**
 * Splits a YAML 1.1 text into tokens as libyaml does, whose Go port Helm reads its values with: block
 * structure becomes start and end tokens by indentation, and a key is recognised only at its `:`.
 */
export class Scanner {
  readonly cursor: Cursor;
  private readonly queue: Token[] = [];
  private head = 0;
  /** How many tokens have been handed out. */
  private taken = 0;
  /** The column of the innermost block collection, -1 outside of any. */
  private indent = -1;
  private readonly indents: number[] = [];
  /** What may become a key: one for the block level and one for each open flow collection. */
  private readonly simpleKeys: (SimpleKey | undefined)[] = [undefined];
  private readonly simpleKeysByToken = new Map<number, SimpleKey>();
  /** For each open flow collection that nothing could be a key in so far, the number of its first token. */
  private readonly keylessOpenings: (number | undefined)[] = [];
  private simpleKeyAllowed = true;
  private ended = false;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  /** The next token, left in place; `stream-end` again and again at the end. */
  peek(): Token {
    while (this.needsMore()) this.fetch();
    return this.queue[this.head] as Token;
  }

  /** Takes the token that {@link peek} gave. */
  skip(): void {
    if (this.queue[this.head]?.type === "stream-end") return;
    this.simpleKeysByToken.delete(this.taken);
    this.head++;
    this.taken++;
    if (this.head === this.queue.length) {
      this.queue.length = 0;
      this.head = 0;
    }
  }

  private get inFlow(): boolean {
    return this.simpleKeys.length > 1;
  }

  /** The first token cannot be handed out while a `key` token might have to go before it. */
  private needsMore(): boolean {
    if (this.head === this.queue.length) return true;
    const key = this.simpleKeysByToken.get(this.taken);
    return key !== undefined && this.isUsable(key);
  }

  private fetch(): void {
    const { cursor } = this;
    this.skipToToken();
    if (!this.inFlow) this.unroll(cursor.column);
    const code = cursor.peek();
    if (code === 0) return this.fetchStreamEnd();
    if (cursor.column === 0) {
      if (code === 0x25) return this.fetchDirective();
      if (cursor.atDocumentMarker("---")) return this.fetchDocumentMarker("document-start");
      if (cursor.atDocumentMarker("...")) return this.fetchDocumentMarker("document-end");
    }
    switch (String.fromCharCode(code)) {
      case "[":
        return this.fetchFlowStart("flow-sequence-start");
      case "{":
        return this.fetchFlowStart("flow-mapping-start");
      case "]":
        return this.fetchFlowEnd("flow-sequence-end");
      case "}":
        return this.fetchFlowEnd("flow-mapping-end");
      case ",":
        return this.fetchIndicator("flow-entry", true);
      case "-":
        if (isBlankOrEnd(cursor.peek(1))) return this.fetchBlockEntry();
        break;
      case "?":
        if (this.inFlow || isBlankOrEnd(cursor.peek(1))) return this.fetchKey();
        break;
      case ":":
        if (this.inFlow || isBlankOrEnd(cursor.peek(1))) return this.fetchValue();
        break;
      case "*":
        return this.fetchProperty("alias");
      case "&":
        return this.fetchProperty("anchor");
      case "!":
        return this.fetchProperty("tag");
      case "'":
        return this.fetchScalar("quoted", scanSingleQuoted);
      case '"':
        return this.fetchScalar("quoted", scanDoubleQuoted);
      case "|":
      case ">":
        if (!this.inFlow) return this.fetchBlockScalar();
        break;
      default:
        break;
    }
    if (canStartPlain(code)) return this.fetchPlain();
    throw cursor.fail(cursor.position, "this character cannot start a value; quote the value");
  }

  private skipToToken(): void {
    const { cursor } = this;
    for (;;) {
      let code = cursor.peek();
      // A tab may not indent what could be a key.
      while (code === 0x20 || (code === 0x09 && (this.inFlow || !this.simpleKeyAllowed))) {
        cursor.position++;
        code = cursor.peek();
      }
      cursor.skipComment();
      if (!isBreak(cursor.peek())) return;
      cursor.takeBreak();
      if (!this.inFlow) this.simpleKeyAllowed = true;
    }
  }

  private push(type: TokenType, start: number, text = "", suffix = ""): void {
    this.queue.push({ type, start, text, suffix });
  }

  /** Puts a token before the one that was the given number in the stream. */
  private insert(tokenNumber: number, type: TokenType, start: number): void {
    this.queue.splice(this.head + tokenNumber - this.taken, 0, { type, start, text: "", suffix: "" });
  }

  private get nextTokenNumber(): number {
    return this.taken + this.queue.length - this.head;
  }

  private roll(column: number, tokenNumber: number, type: TokenType, start: number): void {
    if (this.inFlow || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    this.insert(tokenNumber, type, start);
  }

  private unroll(column: number): void {
    while (this.indent > column) {
      this.push("block-end", this.cursor.position);
      this.indent = this.indents.pop() ?? -1;
    }
  }

  private isUsable(key: SimpleKey): boolean {
    const { cursor } = this;
    const isStale = key.line < cursor.line || key.start + maxSimpleKeyLength < cursor.position || this.ended;
    if (isStale && key.required) throw cursor.fail(key.start, "expected ':' after this key");
    return !isStale;
  }

  private saveSimpleKey(): void {
    if (!this.simpleKeyAllowed) return;
    this.removeSimpleKey();
    const { cursor } = this;
    const key: SimpleKey = {
      tokenNumber: this.nextTokenNumber,
      start: cursor.position,
      line: cursor.line,
      column: cursor.column,
      required: !this.inFlow && this.indent === cursor.column,
    };
    this.simpleKeys[this.simpleKeys.length - 1] = key;
    if (this.inFlow) this.keylessOpenings[this.keylessOpenings.length - 1] = undefined;
    this.simpleKeysByToken.set(key.tokenNumber, key);
  }

  private removeSimpleKey(): void {
    const key = this.simpleKeys.at(-1);
    if (key === undefined) return;
    // One that is stale and not required was passed over already.
    if (key.required) throw this.cursor.fail(key.start, "expected ':' after this key");
    this.forgetSimpleKey(key);
  }

  private forgetSimpleKey(key: SimpleKey): void {
    this.simpleKeysByToken.delete(key.tokenNumber);
    this.simpleKeys[this.simpleKeys.length - 1] = undefined;
  }

  private fetchStreamEnd(): void {
    this.ended = true;
    this.unroll(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.push("stream-end", this.cursor.position);
  }

  private fetchDirective(): void {
    this.unroll(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.queue.push(scanDirective(this.cursor));
  }

  private fetchDocumentMarker(type: TokenType): void {
    this.unroll(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.push(type, this.cursor.position);
    this.cursor.position += 3;
  }

  private fetchFlowStart(type: TokenType): void {
    this.saveSimpleKey();
    this.keylessOpenings.push(this.nextTokenNumber);
    this.simpleKeys.push(undefined);
    this.simpleKeyAllowed = true;
    this.push(type, this.cursor.position++);
  }

  private fetchFlowEnd(type: TokenType): void {
    this.removeSimpleKey();
    if (this.inFlow) this.simpleKeys.pop();
    // As in Go's port, `[]` and `{}` are handed out at once: what follows at the root, as in `{}: a`, is not read.
    const opening = this.keylessOpenings.pop();
    if (opening !== undefined) this.simpleKeysByToken.delete(opening);
    this.simpleKeyAllowed = false;
    this.push(type, this.cursor.position++);
  }

  private fetchIndicator(type: TokenType, simpleKeyAllowed: boolean): void {
    this.removeSimpleKey();
    this.simpleKeyAllowed = simpleKeyAllowed;
    this.push(type, this.cursor.position++);
  }

  private fetchBlockEntry(): void {
    this.startBlock("block-sequence-start", "a list item is not allowed here");
    this.fetchIndicator("block-entry", true);
  }

  private fetchKey(): void {
    this.startBlock("block-mapping-start", "a key is not allowed here");
    this.fetchIndicator("key", !this.inFlow);
  }

  private fetchValue(): void {
    const key = this.simpleKeys.at(-1);
    if (key !== undefined && this.isUsable(key)) {
      this.insert(key.tokenNumber, "key", key.start);
      this.roll(key.column, key.tokenNumber, "block-mapping-start", key.start);
      this.forgetSimpleKey(key);
      this.simpleKeyAllowed = false;
    } else {
      this.startBlock(
        "block-mapping-start",
        "a value is not allowed here: is the value before it to be quoted?",
      );
      this.simpleKeyAllowed = !this.inFlow;
    }
    this.push("value", this.cursor.position++);
  }

  private startBlock(type: TokenType, problem: string): void {
    if (this.inFlow) return;
    const { cursor } = this;
    if (!this.simpleKeyAllowed) throw cursor.fail(cursor.position, problem);
    this.roll(cursor.column, this.nextTokenNumber, type, cursor.position);
  }

  private fetchProperty(type: "alias" | "anchor" | "tag"): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const start = this.cursor.position;
    if (type === "tag") this.queue.push(scanTag(this.cursor));
    else this.push(type, start, scanAnchorName(this.cursor));
  }

  private fetchScalar(type: TokenType, scan: (cursor: Cursor) => string): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    const start = this.cursor.position;
    this.push(type, start, scan(this.cursor));
  }

  private fetchBlockScalar(): void {
    this.removeSimpleKey();
    this.simpleKeyAllowed = true;
    const start = this.cursor.position;
    this.push("quoted", start, scanBlockScalar(this.cursor, this.indent));
  }

  private fetchPlain(): void {
    this.saveSimpleKey();
    const start = this.cursor.position;
    const { text, atLineStart } = scanPlainScalar(this.cursor, this.indent, this.inFlow);
    this.simpleKeyAllowed = atLineStart;
    this.push("plain", start, text);
  }
}

/** What is left after the indicators above: `-`, `?` and `:` come here only where a blank does not follow. */
function canStartPlain(code: number): boolean {
  return !isBlank(code) && !isBreakOrEnd(code) && !"#|>%@`".includes(String.fromCharCode(code));
}
