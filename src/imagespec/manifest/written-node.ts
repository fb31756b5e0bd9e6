import type { NodeProperties, ScalarLayout, YamlHandler } from "../../yaml/handler.ts";

/** A node of a YAML or JSON text, and where it is written. Offsets are UTF-16 units. */
export type WrittenNode = WrittenScalar | WrittenAlias | WrittenList | WrittenMap;

interface Written {
  /** Of its content; of a block map, of its first key with what stands before that. */
  readonly start: number;
  /** After its last character; of an empty scalar, where its text would go. */
  readonly end: number;
  /** Whether an anchor or a tag stands before it. */
  readonly hasAnchor: boolean;
  readonly hasTag: boolean;
}

export interface WrittenScalar extends Written {
  readonly kind: "scalar";
  readonly text: string;
  readonly isPlain: boolean;
  /** Whether it is a literal or folded one. */
  readonly isBlock: boolean;
}

export interface WrittenAlias extends Written {
  readonly kind: "alias";
}

export interface WrittenList extends Written {
  readonly kind: "list";
  readonly isFlow: boolean;
  readonly items: readonly WrittenNode[];
}

export interface WrittenMap extends Written {
  readonly kind: "map";
  readonly isFlow: boolean;
  readonly entries: readonly WrittenEntry[];
}

export interface WrittenEntry {
  readonly key: WrittenNode;
  readonly value: WrittenNode;
}

/** The only entry of a map with a key; undefined where there is none, or more than one. */
export function findEntry(map: WrittenMap, key: string): WrittenEntry | undefined {
  const [entry, ...others] = map.entries.filter((each) => isKey(each.key, key));
  return others.length === 0 ? entry : undefined;
}

function isKey(node: WrittenNode, key: string): boolean {
  return node.kind === "scalar" && node.text === key && !node.hasTag;
}

/** Whether something in a node, or the node itself, is an alias or can be the target of one. */
export function hasReferences(node: WrittenNode): boolean {
  if (node.kind === "alias" || node.hasAnchor) return true;
  if (node.kind === "list") return node.items.some(hasReferences);
  return (
    node.kind === "map" && node.entries.some(({ key, value }) => hasReferences(key) || hasReferences(value))
  );
}

interface Frame {
  readonly kind: "list" | "map";
  readonly start: number;
  readonly properties: NodeProperties;
  readonly nodes: WrittenNode[];
}

/** Builds the nodes of one document. */
export class WrittenNodeBuilder implements YamlHandler {
  /** Undefined until the document is read. */
  root: WrittenNode | undefined;
  readonly #text: string;
  readonly #frames: Frame[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scalar(
    text: string,
    isPlain: boolean,
    properties: NodeProperties,
    offset: number,
    end: number,
    layout: ScalarLayout | undefined,
  ): void {
    this.#add({
      kind: "scalar",
      start: layout?.place ?? offset,
      end: layout?.place ?? layout?.block?.contentEnd ?? (isPlain ? this.#trim(offset, end) : end),
      text,
      isPlain,
      isBlock: layout?.block !== undefined,
      ...describe(properties),
    });
  }

  alias(name: string, offset: number): void {
    const end = offset + 1 + name.length;
    this.#add({ kind: "alias", start: offset, end, hasAnchor: false, hasTag: false });
  }

  open(kind: "list" | "map", properties: NodeProperties, offset: number): void {
    this.#frames.push({ kind, start: offset, properties, nodes: [] });
  }

  close(end: number | undefined): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { kind, start, properties, nodes } = frame;
    const written = { start, end: end ?? nodes.at(-1)?.end ?? start, ...describe(properties) };
    const isFlow = end !== undefined;
    if (kind === "list") this.#add({ kind, isFlow, items: nodes, ...written });
    else this.#add({ kind, isFlow, entries: pairUp(nodes), ...written });
  }

  #add(node: WrittenNode): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.root = node;
    else frame.nodes.push(node);
  }

  /** The end of a plain scalar without the blanks and line ends that were passed to find it. */
  #trim(start: number, end: number): number {
    let trimmed = end;
    while (trimmed > start && /[\s\u0085]/u.test(this.#text.charAt(trimmed - 1))) trimmed--;
    return trimmed;
  }
}

function describe({ anchor, tag }: NodeProperties): Pick<Written, "hasAnchor" | "hasTag"> {
  return { hasAnchor: anchor !== undefined, hasTag: tag !== undefined };
}

function pairUp(nodes: readonly WrittenNode[]): readonly WrittenEntry[] {
  const entries: WrittenEntry[] = [];
  for (let index = 0; index + 1 < nodes.length; index += 2) {
    entries.push({ key: nodes[index] as WrittenNode, value: nodes[index + 1] as WrittenNode });
  }
  return entries;
}
