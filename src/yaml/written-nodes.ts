import { isBlank, isBreak, type Cursor, type YamlComment, type YamlSourceOptions } from "./cursor.ts";
import type { NodeProperties, ScalarLayout, YamlHandler } from "./handler.ts";
import { YamlParser } from "./parser.ts";
import { shortTag } from "./tagged-scalar.ts";

/** A list or a map of a text. */
export interface WrittenCollection {
  readonly kind: "list" | "map";
  readonly parent: WrittenCollection | undefined;
  /** The key whose value it is; undefined in a list, at the root and behind a key that is no scalar. */
  readonly key: string | undefined;
  /** Its number among the values of its parent, from 0. */
  readonly index: number;
}

/** A scalar, an alias or the end of a flow collection, as it is written. */
export interface WrittenNode {
  readonly kind: "scalar" | "alias" | "flow-end";
  /** Offset of its first character, anchor and tag left out; of a flow collection, of its opening bracket. */
  readonly start: number;
  /** Offset after its last character; of an empty scalar, where its text would go. */
  readonly end: number;
  /** A scalar's text or an alias's name. */
  readonly text: string;
  readonly isPlain: boolean;
  /** Without the prefix of YAML's own tags. */
  readonly tag: string | undefined;
  readonly layout: ScalarLayout | undefined;
  /** Whether it is a key or a part of one. */
  readonly isKey: boolean;
  readonly parent: WrittenCollection | undefined;
  /** The key whose value it is, as of a {@link WrittenCollection}. */
  readonly key: string | undefined;
  /** Its number among the values of its parent, from 0. */
  readonly index: number;
  /** Of a flow collection: how many nodes of the text go before its first one. */
  readonly nodesBefore: number;
}

export interface WrittenText {
  /** By their ends. */
  readonly nodes: readonly WrittenNode[];
  readonly comments: readonly YamlComment[];
  readonly cursor: Cursor;
}

/**
 * Reads how the documents of a text are written, for edits of single scalars.
 * @throws FairleadError for malformed text, an alias without its anchor, and a key that a map holds twice
 */
export function readWrittenNodes(text: string, options: YamlSourceOptions = {}): WrittenText {
  const comments: YamlComment[] = [];
  const parser = new YamlParser(text, { ...options, comments });
  const nodes: WrittenNode[] = [];
  while (parser.parseDocument(new NodeCollector(parser.cursor, nodes)));
  // What follows the last document may be a comment.
  return { nodes, comments, cursor: parser.cursor };
}

interface Frame extends WrittenCollection {
  readonly isKey: boolean;
  readonly offset: number;
  readonly nodesBefore: number;
  /** The keys of a map so far. */
  readonly keys: Set<string> | undefined;
  /** How many nodes it has so far, keys and values alike. */
  size: number;
  /** The last key of a map, if it is a scalar. */
  lastKey: string | undefined;
}

const atRoot = { isKey: false, parent: undefined, key: undefined, index: 0 } as const;

class NodeCollector implements YamlHandler {
  readonly #cursor: Cursor;
  readonly #nodes: WrittenNode[];
  readonly #frames: Frame[] = [];
  readonly #anchors = new Set<string>();

  constructor(cursor: Cursor, nodes: WrittenNode[]) {
    this.#cursor = cursor;
    this.#nodes = nodes;
  }

  scalar(
    text: string,
    plain: boolean,
    properties: NodeProperties,
    offset: number,
    end: number,
    layout: ScalarLayout | undefined,
  ): void {
    this.#define(properties);
    const tag = shortTag(properties.tag);
    // Named one by one: to spread them takes as long as to parse them.
    const { isKey, parent, key, index } = this.#takePlace(text, plain && text === "<<", offset);
    const exactEnd = layout?.place ?? layout?.block?.contentEnd ?? (plain ? this.#trim(offset, end) : end);
    this.#nodes.push({
      kind: "scalar",
      start: layout?.place ?? offset,
      end: exactEnd,
      text,
      isPlain: plain,
      tag,
      layout,
      isKey,
      parent,
      key,
      index,
      nodesBefore: 0,
    });
  }

  alias(name: string, offset: number): void {
    if (!this.#anchors.has(name)) throw this.#cursor.fail(offset, `unknown anchor "${name}" referenced`);
    const { isKey, parent, key, index } = this.#takePlace(undefined, false, offset);
    this.#nodes.push({
      kind: "alias",
      start: offset,
      end: offset + 1 + name.length,
      text: name,
      isPlain: false,
      tag: undefined,
      layout: undefined,
      isKey,
      parent,
      key,
      index,
      nodesBefore: 0,
    });
  }

  open(kind: "list" | "map", properties: NodeProperties, offset: number): void {
    this.#define(properties);
    const { isKey, parent, key, index } = this.#takePlace(undefined, false, offset);
    this.#frames.push({
      kind,
      isKey,
      parent,
      key,
      index,
      offset,
      nodesBefore: this.#nodes.length,
      keys: kind === "map" ? new Set() : undefined,
      size: 0,
      lastKey: undefined,
    });
  }

  close(end: number | undefined): void {
    const frame = this.#frames.pop();
    if (frame === undefined || end === undefined) return;
    const { offset, isKey, parent, key, index, nodesBefore } = frame;
    this.#nodes.push({
      kind: "flow-end",
      start: offset,
      end,
      text: "",
      isPlain: false,
      tag: undefined,
      layout: undefined,
      isKey,
      parent,
      key,
      index,
      nodesBefore,
    });
  }

  #define({ anchor }: NodeProperties): void {
    if (anchor !== undefined) this.#anchors.add(anchor);
  }

  /**
   * Where the node that comes stands in its collection.
   * @param text a scalar's text, by which it counts as a key
   */
  #takePlace(
    text: string | undefined,
    isMerge: boolean,
    offset: number,
  ): Pick<Frame, "isKey" | "parent" | "key" | "index"> {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return atRoot;
    const number = frame.size++;
    if (frame.kind === "list") return { isKey: frame.isKey, parent: frame, key: undefined, index: number };
    const index = number >> 1;
    if (number % 2 === 1) return { isKey: frame.isKey, parent: frame, key: frame.lastKey, index };
    frame.lastKey = text;
    if (text !== undefined && !isMerge) {
      if (frame.keys?.has(text) === true) {
        throw this.#cursor.fail(offset, `the key ${JSON.stringify(text)} is given twice`);
      }
      frame.keys?.add(text);
    }
    return { isKey: true, parent: frame, key: undefined, index };
  }

  /** The end of a plain scalar without the blanks and line ends that were passed to find it. */
  #trim(start: number, end: number): number {
    const { text } = this.#cursor;
    let trimmed = end;
    while (trimmed > start && isSpace(text.charCodeAt(trimmed - 1))) trimmed--;
    return trimmed;
  }
}

function isSpace(code: number): boolean {
  return isBlank(code) || isBreak(code);
}
