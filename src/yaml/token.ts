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

/** How a literal or folded scalar is written; offsets are those of its text. */
export interface BlockLayout {
  /** Where the line after its header begins. */
  readonly contentStart: number;
  /** After the last line that has content, its line end left out; `contentStart` where none has. */
  readonly contentEnd: number;
  /** The column of its content; where it has none, the least it could have. */
  readonly indent: number;
}

export interface Token {
  readonly type: TokenType;
  /** Offset of its first character. */
  readonly start: number;
  /** Of a scalar: the offset after it and the blanks that follow it. */
  readonly end: number;
  /** A scalar's text, an anchor's name, a directive's version, or the handle of a tag or tag directive. */
  readonly text: string;
  /** A tag's suffix or a tag directive's prefix. */
  readonly suffix: string;
  /** Of a literal or folded scalar. */
  readonly block: BlockLayout | undefined;
}
