import { quoteGo } from "../go/quote.ts";
import { plainText } from "../go/text.ts";
import type {
  ArgumentNode,
  ChainNode,
  IfNode,
  PipeNode,
  RangeNode,
  TemplateSyntaxNode,
  WithNode,
} from "./node.ts";

/** A node as template text again, as Go's `Node.String` prints it. */
export function formatNode(node: TemplateSyntaxNode): string {
  switch (node.kind) {
    case "list":
      return node.nodes.map(formatNode).join("");
    case "text":
    case "number":
      return node.text;
    case "action":
      return `{{${formatPipe(node.pipe)}}}`;
    case "if":
    case "with":
    case "range":
      return formatBranch(node);
    case "template":
      return `{{template ${quoteGo(node.name)}${node.pipe === undefined ? "" : ` ${formatPipe(node.pipe)}`}}}`;
    case "break":
    case "continue":
      return `{{${node.kind}}}`;
    case "pipe":
      return formatPipe(node);
    case "command":
      return node.args.map(formatInside).join(" ");
    case "identifier":
      return node.name;
    case "variable":
      return node.identifiers.join(".");
    case "field":
      return `.${node.identifiers.join(".")}`;
    case "chain":
      return formatChain(node);
    case "dot":
      return ".";
    case "nil":
      return "nil";
    case "bool":
      return String(node.value);
    case "string":
      return node.quoted;
    default:
      return node satisfies never;
  }
}

/** Where a node stands and what it says, as Go's `Tree.ErrorContext` gives it for errors. */
export function locateNode(node: TemplateSyntaxNode): {
  readonly location: string;
  readonly context: string;
} {
  const { position, source } = node;
  const before = plainText(source.text).slice(0, position).split("\n");
  // The column is the number of bytes before the node in its line.
  const column = before.at(-1)?.length ?? 0;
  return { location: `${source.name}:${before.length}:${column}`, context: formatNode(node) };
}

function formatPipe({ declarations, isAssign, commands }: PipeNode): string {
  const variables = declarations.map(formatNode).join(", ");
  const declared = variables === "" ? "" : `${variables} ${isAssign ? "=" : ":="} `;
  return declared + commands.map(formatNode).join(" | ");
}

function formatBranch({ kind, pipe, list, elseList }: IfNode | WithNode | RangeNode): string {
  const otherwise = elseList === undefined ? "" : `{{else}}${formatNode(elseList)}`;
  return `{{${kind} ${formatPipe(pipe)}}}${formatNode(list)}${otherwise}{{end}}`;
}

function formatChain({ node, fields }: ChainNode): string {
  return `${formatInside(node)}.${fields.join(".")}`;
}

/** A pipeline inside an expression stands in parentheses. */
function formatInside(node: ArgumentNode): string {
  return node.kind === "pipe" ? `(${formatPipe(node)})` : formatNode(node);
}
