import type { Text } from "../go/value.ts";

/** The text that a tree was parsed from; errors name it and count lines and columns in it. */
export interface TemplateSource {
  /** The name under which the text was parsed (Go's ParseName), such as `shop/templates/web.yaml`. */
  readonly name: string;
  /** The whole text; tracked where it comes from values, as with `tpl`. */
  readonly text: Text;
}

/** A named template of a source: the source itself, or what a `define` or `block` in it makes. */
export interface TemplateTree {
  readonly name: string;
  readonly source: TemplateSource;
  readonly root: ListNode;
}

interface Positioned {
  /** Byte offset in the source, as Go's parser sets it. */
  readonly position: number;
  readonly source: TemplateSource;
}

export interface ListNode extends Positioned {
  readonly kind: "list";
  readonly nodes: readonly StatementNode[];
}

/** Literal text; `position` is the offset of its first byte after trimming. */
export interface TextNode extends Positioned {
  readonly kind: "text";
  readonly text: string;
}

export interface ActionNode extends Positioned {
  readonly kind: "action";
  readonly pipe: PipeNode;
}

interface BranchNode extends Positioned {
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}

export interface IfNode extends BranchNode {
  readonly kind: "if";
}

export interface WithNode extends BranchNode {
  readonly kind: "with";
}

export interface RangeNode extends BranchNode {
  readonly kind: "range";
}

/** `{{template "name" pipe}}`. */
export interface TemplateNode extends Positioned {
  readonly kind: "template";
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

export interface BreakNode extends Positioned {
  readonly kind: "break";
}

export interface ContinueNode extends Positioned {
  readonly kind: "continue";
}

export type StatementNode =
  | TextNode
  | ActionNode
  | IfNode
  | WithNode
  | RangeNode
  | TemplateNode
  | BreakNode
  | ContinueNode;

export interface PipeNode extends Positioned {
  readonly kind: "pipe";
  readonly isAssign: boolean;
  readonly declarations: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
}

export interface CommandNode extends Positioned {
  readonly kind: "command";
  readonly args: readonly ArgumentNode[];
}

export interface IdentifierNode extends Positioned {
  readonly kind: "identifier";
  readonly name: string;
}

/** `$x.Field.Chain`; the first identifier is the variable with its `$`. */
export interface VariableNode extends Positioned {
  readonly kind: "variable";
  readonly identifiers: readonly string[];
}

export interface DotNode extends Positioned {
  readonly kind: "dot";
}

export interface NilNode extends Positioned {
  readonly kind: "nil";
}

/** `.Field.Chain`, without the dots. */
export interface FieldNode extends Positioned {
  readonly kind: "field";
  readonly identifiers: readonly string[];
}

/** `(pipeline).Field.Chain`. */
export interface ChainNode extends Positioned {
  readonly kind: "chain";
  readonly node: ArgumentNode;
  readonly fields: readonly string[];
}

export interface BoolNode extends Positioned {
  readonly kind: "bool";
  readonly value: boolean;
}

/** A constant: each reading that Go's parser finds for it, as strconv gives it. */
export interface NumberNode extends Positioned {
  readonly kind: "number";
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex: { readonly real: number; readonly imaginary: number } | undefined;
}

export interface StringNode extends Positioned {
  readonly kind: "string";
  /** With its quotes, as written. */
  readonly quoted: string;
  readonly text: string;
}

export type ArgumentNode =
  | IdentifierNode
  | VariableNode
  | DotNode
  | NilNode
  | FieldNode
  | ChainNode
  | BoolNode
  | NumberNode
  | StringNode
  | PipeNode;

export type TemplateSyntaxNode = StatementNode | ListNode | CommandNode | ArgumentNode;
