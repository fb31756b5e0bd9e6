import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, type Cursor } from "./cursor.ts";
import { scanAnchorName, scanDirective, scanTag } from "./property-scanner.ts";
import { SimpleKeys } from "./simple-keys.ts";
import type { Token, TokenType } from "./token.ts";
import { scanBlockScalar } from "./block-scalar-scanner.ts";
import { scanDoubleQuoted, scanPlainScalar, scanSingleQuoted } from "./scalar-scanner.ts";

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
  private readonly keys: SimpleKeys;
  private simpleKeyAllowed = true;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
    this.keys = new SimpleKeys(cursor);
  }

  /** The next token, left in place; `stream-end` again and again at the end. */
  peek(): Token {
    while (this.needsMore()) this.fetch();
    return this.queue[this.head] as Token;
  }

  /** Takes the token that {@link peek} gave. */
  skip(): void {
    if (this.queue[this.head]?.type === "stream-end") return;
    this.keys.forgetToken(this.taken);
    this.head++;
    this.taken++;
    if (this.head === this.queue.length) {
      this.queue.length = 0;
      this.head = 0;
    }
  }

  /** The first token cannot be handed out while a `key` token might have to go before it. */
  private needsMore(): boolean {
    return this.head === this.queue.length || this.keys.mayPrecede(this.taken);
  }

  private fetch(): void {
    const { cursor } = this;
    this.skipToToken();
    if (!this.keys.inFlow) this.unroll(cursor.column);
    const code = cursor.peek();
    if (code === 0) {
      cursor.closeLine();
      return this.fetchBoundary("stream-end", 0);
    }
    if (cursor.column === 0) {
      if (code === 0x25) return this.fetchDirective();
      if (cursor.atDocumentMarker("---")) return this.fetchBoundary("document-start", 3);
      if (cursor.atDocumentMarker("...")) return this.fetchBoundary("document-end", 3);
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
        if (this.keys.inFlow || isBlankOrEnd(cursor.peek(1))) return this.fetchKey();
        break;
      case ":":
        if (this.keys.inFlow || isBlankOrEnd(cursor.peek(1))) return this.fetchValue();
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
        if (!this.keys.inFlow) return this.fetchBlockScalar();
        break;
      default:
        break;
    }
    if (canStartPlain(code)) return this.fetchPlain();
    const isTab = code === 0x09;
    throw cursor.failToScan(
      cursor.position,
      isTab ? "a tab cannot indent; use blanks" : "this character cannot start a value; quote the value",
      "found character that cannot start any token",
    );
  }

  private skipToToken(): void {
    const { cursor } = this;
    for (;;) {
      let code = cursor.peek();
      // A tab may not indent what could be a key.
      while (code === 0x20 || (code === 0x09 && (this.keys.inFlow || !this.simpleKeyAllowed))) {
        cursor.position++;
        code = cursor.peek();
      }
      cursor.skipComment();
      if (!isBreak(cursor.peek())) return;
      cursor.takeBreak();
      if (!this.keys.inFlow) this.simpleKeyAllowed = true;
    }
  }

  private push(type: TokenType, start: number, text = ""): void {
    this.queue.push({ type, start, end: this.cursor.position, text, suffix: "", block: undefined });
  }

  /** Puts a token before the one that was the given number in the stream. */
  private insert(tokenNumber: number, type: TokenType, start: number): void {
    this.queue.splice(this.head + tokenNumber - this.taken, 0, {
      type,
      start,
      end: start,
      text: "",
      suffix: "",
      block: undefined,
    });
  }

  private get nextTokenNumber(): number {
    return this.taken + this.queue.length - this.head;
  }

  private roll(column: number, tokenNumber: number, type: TokenType, start: number): void {
    if (this.keys.inFlow || this.indent >= column) return;
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

  private saveSimpleKey(): void {
    if (!this.simpleKeyAllowed) return;
    const { cursor } = this;
    this.keys.save({
      tokenNumber: this.nextTokenNumber,
      start: cursor.position,
      line: cursor.line,
      column: cursor.column,
      required: !this.keys.inFlow && this.indent === cursor.column,
    });
  }

  /** A directive, a document marker or the end of the text: every block ends before it. */
  private endBlocks(): void {
    this.unroll(-1);
    this.keys.refuseRequired();
    this.simpleKeyAllowed = false;
  }

  private fetchDirective(): void {
    this.endBlocks();
    this.queue.push(scanDirective(this.cursor));
  }

  private fetchBoundary(type: TokenType, length: number): void {
    this.endBlocks();
    this.push(type, this.cursor.position);
    this.cursor.position += length;
  }

  private fetchFlowStart(type: TokenType): void {
    this.saveSimpleKey();
    this.keys.openFlow(this.nextTokenNumber);
    this.simpleKeyAllowed = true;
    this.push(type, this.cursor.position++);
  }

  private fetchFlowEnd(type: TokenType): void {
    this.keys.refuseRequired();
    this.keys.closeFlow();
    this.simpleKeyAllowed = false;
    this.push(type, this.cursor.position++);
  }

  private fetchIndicator(type: TokenType, simpleKeyAllowed: boolean): void {
    this.keys.refuseRequired();
    this.simpleKeyAllowed = simpleKeyAllowed;
    this.push(type, this.cursor.position++);
  }

  private fetchBlockEntry(): void {
    this.startBlock(
      "block-sequence-start",
      "a list item is not allowed here",
      "block sequence entries are not allowed in this context",
    );
    this.fetchIndicator("block-entry", true);
  }

  private fetchKey(): void {
    this.startBlock(
      "block-mapping-start",
      "a key is not allowed here",
      "mapping keys are not allowed in this context",
    );
    this.fetchIndicator("key", !this.keys.inFlow);
  }

  private fetchValue(): void {
    const key = this.keys.current;
    if (key !== undefined && this.keys.isUsable(key)) {
      this.insert(key.tokenNumber, "key", key.start);
      this.roll(key.column, key.tokenNumber, "block-mapping-start", key.start);
      this.keys.forget(key);
      this.simpleKeyAllowed = false;
    } else {
      this.startBlock(
        "block-mapping-start",
        "a value is not allowed here: is the value before it to be quoted?",
        "mapping values are not allowed in this context",
      );
      this.simpleKeyAllowed = !this.keys.inFlow;
    }
    this.push("value", this.cursor.position++);
  }

  private startBlock(type: TokenType, message: string, problem: string): void {
    if (this.keys.inFlow) return;
    const { cursor } = this;
    if (!this.simpleKeyAllowed) throw cursor.failToScan(cursor.position, message, problem);
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
    this.keys.refuseRequired();
    this.simpleKeyAllowed = true;
    const start = this.cursor.position;
    const { text, block } = scanBlockScalar(this.cursor, this.indent);
    this.queue.push({ type: "quoted", start, end: this.cursor.position, text, suffix: "", block });
  }

  private fetchPlain(): void {
    this.saveSimpleKey();
    const start = this.cursor.position;
    const { text, atLineStart } = scanPlainScalar(this.cursor, this.indent, this.keys.inFlow);
    this.simpleKeyAllowed = atLineStart;
    this.push("plain", start, text);
  }
}

/** What is left after the indicators above: `-`, `?` and `:` come here only where a blank does not follow. */
function canStartPlain(code: number): boolean {
  return !isBlank(code) && !isBreakOrEnd(code) && !"#|>%@`".includes(String.fromCharCode(code));
}
