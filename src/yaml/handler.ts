/** How deep collections may nest, aliases included: more than any chart needs, and safe to walk recursively. */
export const maxYamlDepth = 1000;

/** What stands before a node's content. */
export interface NodeProperties {
  readonly anchor: string | undefined;
  /** The whole tag, such as `tag:yaml.org,2002:str`. */
  readonly tag: string | undefined;
}

/** Receives a document's nodes in their order; offsets are those of the nodes' content. */
export interface YamlHandler {
  /** @param end the offset after the scalar and the blanks that follow it */
  scalar(text: string, plain: boolean, properties: NodeProperties, offset: number, end: number): void;
  alias(name: string, offset: number): void;
  /** A list or a map begins; a map's keys and values follow in turns, up to `close`. */
  open(kind: "list" | "map", properties: NodeProperties, offset: number): void;
  close(): void;
}
