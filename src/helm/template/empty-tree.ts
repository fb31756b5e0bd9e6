import { isSpace } from "../go/rune.ts";
import { runes } from "../go/utf8.ts";
import type { ListNode } from "./node.ts";

/**
 * Whether a template has nothing but white space (Go's IsEmptyTree): it may be defined again, and never takes
 * the place of another. Definitions and comments leave nothing in a tree.
 */
export function isEmptyTree(root: ListNode): boolean {
  return root.nodes.every((node) => node.kind === "text" && isBlank(node.text));
}

function isBlank(text: string): boolean {
  for (const { code } of runes(text)) if (!isSpace(code)) return false;
  return true;
}
