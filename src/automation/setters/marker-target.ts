import type { YamlComment } from "../../yaml/cursor.ts";
import type { WrittenNode, WrittenText } from "../../yaml/written-nodes.ts";

/** The scalar that a marker stands for, or why there is none. */
export type MarkerTarget =
  | { readonly kind: "scalar"; readonly scalar: WrittenNode }
  | { readonly kind: "none"; readonly reason: string; readonly hint?: string };

/** More nodes than this in a flow collection are not looked through. */
const maxFlowNodes = 1000;

/** Between a comment and the scalar after it: blanks, and one dash, anchor and tag. */
const gapAbove = /^\s*(?:-\s+)?(?:[&!]\S*\s+)*$/u;
const gapBehind = /^\s*(?:[&!]\S*\s+)*$/u;
const blankLine = /^[ \t]*(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n]/u;
/** A gap has no reason to be longer. */
const maxGapLength = 2000;

/**
 * Finds scalars by the comments beside them. What Flux takes for a scalar's comment is the same here: the comment
 * behind it on its line (behind a block's indicator, and behind the comma in flow collections), else the one on the
 * line above a list item or above a value that begins on a line of its own. Here it may also stand behind an empty
 * value, behind a key whose value begins on the next line, and behind the end of a flow collection, where it means
 * the only scalar of it, or the only one whose key is the setter's part.
 */
export class MarkerTargets {
  readonly #text: string;
  readonly #nodes: readonly WrittenNode[];
  readonly #comments: readonly YamlComment[];

  constructor(text: string, { nodes, comments }: WrittenText) {
    this.#text = text;
    this.#nodes = nodes;
    this.#comments = comments;
  }

  /** @param part the part of the image that the marker names, empty for the whole image */
  find(comment: YamlComment, part: string): MarkerTarget {
    const before = this.#skipBlanksBack(comment.start);
    return this.#isLineStart(before) ? this.#below(comment) : this.#before(comment, before, part);
  }

  /** The target of a comment that has something before it on its line, which ends at the offset. */
  #before(comment: YamlComment, before: number, part: string): MarkerTarget {
    const index = this.#firstEndingFrom(before);
    const node = this.#nodes[index];
    if (node?.layout?.block !== undefined && node.start < before) return targetOf(node);
    if (node?.end === before) return this.#endingHere(index, part);
    const last = this.#text[before - 1];
    if (last === ",") {
      const item = this.#skipSpaceBack(before - 1);
      const itemIndex = this.#firstEndingFrom(item);
      return this.#nodes[itemIndex]?.end === item ? this.#endingHere(itemIndex, part) : nothing;
    }
    // The value that is announced here may begin on the next line.
    if (node === undefined || node.parent === undefined || last === "[" || last === "{") return nothing;
    return this.#isGap(comment.end, node.start, gapBehind) ? targetOf(node) : nothing;
  }

  #endingHere(index: number, part: string): MarkerTarget {
    const node = this.#nodes[index];
    if (node?.kind !== "flow-end") return targetOf(node);
    if (node.isKey) return targetOf(node);
    if (index - node.nodesBefore > maxFlowNodes) return ambiguous;
    const values = this.#nodes
      .slice(node.nodesBefore, index)
      .filter(({ kind, isKey }) => kind !== "flow-end" && !isKey);
    const named = values.filter(({ key }) => key !== undefined && keysOf(part).includes(key));
    const [only, ...others] = values.length === 1 ? values : named;
    if (only === undefined && values.length === 0) return nothing;
    return only === undefined || others.length > 0 ? ambiguous : targetOf(only);
  }

  /** The target of a comment on a line of its own: what begins on the next line. */
  #below(comment: YamlComment): MarkerTarget {
    const node = this.#nodes[this.#firstEndingFrom(comment.end)];
    if (node?.parent === undefined || node.isKey || node.kind === "flow-end") return aboveNothing;
    if (!this.#isGap(comment.end, node.start, gapAbove)) return aboveNothing;
    const target = targetOf(node);
    if (target.kind === "none") return target;
    const lineAbove = this.#lineAbove(comment.start);
    if (lineAbove.startsWith("#")) return joined;
    const isApart = blankLine.test(this.#text.slice(comment.end, node.start));
    if (isApart && node.index > 0 && lineAbove !== "") return apart;
    return this.#hasOwnComment(node) ? overruled : target;
  }

  /** Whether a comment stands behind a scalar, on its line or behind its block's indicator. */
  #hasOwnComment({ start, end, layout }: WrittenNode): boolean {
    const from = layout?.block === undefined ? end : start;
    const until = layout?.block?.contentStart;
    const index = lowerBound(this.#comments, from, (comment) => comment.start);
    const comment = this.#comments[index];
    if (comment === undefined) return false;
    if (until !== undefined) return comment.start < until;
    return /^[ \t]*(?:,[ \t]*)?$/u.test(this.#text.slice(from, Math.min(comment.start, from + maxGapLength)));
  }

  #isGap(from: number, until: number, pattern: RegExp): boolean {
    return until >= from && until - from <= maxGapLength && pattern.test(this.#text.slice(from, until));
  }

  #firstEndingFrom(offset: number): number {
    return lowerBound(this.#nodes, offset, ({ end }) => end);
  }

  #skipBlanksBack(from: number): number {
    let offset = from;
    while (offset > 0 && /[ \t]/u.test(this.#text.charAt(offset - 1))) offset--;
    return offset;
  }

  #skipSpaceBack(from: number): number {
    let offset = from;
    while (offset > 0 && /[\s\u0085]/u.test(this.#text.charAt(offset - 1))) offset--;
    return offset;
  }

  #isLineStart(offset: number): boolean {
    return offset === 0 || /[\r\n\u0085\u2028\u2029\ufeff]/u.test(this.#text.charAt(offset - 1));
  }

  /** The line above that of an offset, without the blanks around it. */
  #lineAbove(offset: number): string {
    const lineStart = this.#text.lastIndexOf("\n", offset - 1);
    if (lineStart < 0) return "";
    return this.#text.slice(this.#text.lastIndexOf("\n", lineStart - 1) + 1, lineStart).trim();
  }
}

const nothing: MarkerTarget = { kind: "none", reason: "the marker stands behind nothing that it could mean" };
const ambiguous: MarkerTarget = {
  kind: "none",
  reason: "the marker stands behind several values",
  hint: "write the values on lines of their own, and the marker behind one of them",
};
const aboveNothing: MarkerTarget = {
  kind: "none",
  reason: "a marker on a line of its own counts only above a list item",
  hint: "write it behind the value, on the same line",
};
const joined: MarkerTarget = {
  kind: "none",
  reason: "the marker is a line of a longer comment, which as a whole is no marker",
  hint: "write it behind the value, on the same line",
};
const apart: MarkerTarget = {
  kind: "none",
  reason: "a blank line parts the marker from the item below it",
  hint: "write it behind the value, on the same line",
};
const overruled: MarkerTarget = {
  kind: "none",
  reason: "the comment behind the item counts, not the marker above it",
  hint: "write the marker behind the value",
};

function targetOf(node: WrittenNode | undefined): MarkerTarget {
  if (node === undefined || node.kind === "flow-end") return nothing;
  if (node.isKey) return { kind: "none", reason: "the marker stands behind a key, not behind a value" };
  if (node.kind === "alias") {
    return {
      kind: "none",
      reason: "the marker stands behind an alias, whose value is written elsewhere",
      hint: `write it behind the value of the anchor &${node.text}`,
    };
  }
  return { kind: "scalar", scalar: node };
}

/** The keys whose value a part of an image is; kustomize has its own. */
function keysOf(part: string): readonly string[] {
  if (part === "") return ["image"];
  if (part === "tag") return ["tag", "newTag"];
  return part === "name" ? ["name", "newName"] : [part];
}

/** The first of the items, which are in order, that is at or behind an offset. */
function lowerBound<Item>(items: readonly Item[], offset: number, placeOf: (item: Item) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeOf(items[middle] as Item) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
