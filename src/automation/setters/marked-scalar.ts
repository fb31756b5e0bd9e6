import type { WrittenNode } from "../../yaml/written-nodes.ts";

/** A scalar with a marker, and what the marker's policy says it should be. */
export interface MarkedScalar {
  readonly scalar: WrittenNode;
  /** From 1. */
  readonly line: number;
  readonly setter: string;
  /** `namespace/name`. */
  readonly policyKey: string;
  /** `tag`, `name`, `digest` or an attribute; empty for the whole image. */
  readonly part: string;
  /** Without the line ends of a block scalar. */
  readonly oldValue: string;
  readonly newValue: string;
}
