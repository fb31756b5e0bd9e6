import type { BlockLayout } from "./token.ts";

/** How deep collections may nest, aliases included: more than any chart needs, and safe to walk recursively. */
export const maxYamlDepth = 1000;

/** What stands before a node's content. */
export interface NodeProperties {
  readonly anchor: string | undefined;
  /** The whole tag, such as `tag:yaml.org,2002:str`. */
  readonly tag: string | undefined;
  /** The offset after them. */
  readonly end: number | undefined;
}

/** How a scalar is written, where its offsets do not tell it. */
export interface ScalarLayout {
  readonly block?: BlockLayout | undefined;
  /** Of an empty scalar: where its text would go, after the indicator or the properties that announce it. */
  readonly place?: number;
}

/** Receives a document's nodes in their order; offsets are those of the nodes' content. */
export interface YamlHandler {
  /** @param end the offset after the scalar and the blanks that follow it */
  scalar(
    text: string,
    plain: boolean,
    properties: NodeProperties,
    offset: number,
    end: number,
    layout: ScalarLayout | undefined,
  ): void;
  alias(name: string, offset: number): void;
  /** A list or a map begins; a map's keys and values follow in turns, up to `close`. */
  open(kind: "list" | "map", properties: NodeProperties, offset: number): void;
  /** @param end the offset after the `]` or `}` that ends it, undefined for a block */
  close(end: number | undefined): void;
}
