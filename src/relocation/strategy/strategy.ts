import type { ImageReference } from "../../reference/reference.ts";
import type { LibraryRule } from "./library.ts";

/** `prefix-source-registry` is the default (document 002, §8). */
export type StrategyName = "prefix-source-registry" | "flat" | "keep-registry";

interface StrategyOptions {
  readonly library: LibraryRule;
}

/** How a source's registry and path become the path under the target's base path. */
export interface Strategy {
  readonly name: StrategyName;
  /** One line for the help, with an example. */
  readonly description: string;
  readonly targetPath: (reference: ImageReference, options: StrategyOptions) => string;
}
