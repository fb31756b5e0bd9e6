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
  /** Of a scalar: the offset after it and the blanks that follow it. */
  readonly end: number;
  /** A scalar's text, an anchor's name, a directive's version, or the handle of a tag or tag directive. */
  readonly text: string;
  /** A tag's suffix or a tag directive's prefix. */
  readonly suffix: string;
}
