import type { ImageReference } from "../../reference/reference.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { VersionLeaves } from "./version-leaf.ts";

/** One string leaf that holds a part of a reference's name. */
export interface NameLeaf {
  readonly path: ValuePath;
  /** The part of the name as the leaf holds it; empty where the leaf is empty or null. */
  readonly text: string;
  /** What follows the name in the same leaf: `:tag`, `@digest`, both, a registry's last `/`, or nothing. */
  readonly suffix: string;
  /** What stands before the name in the same leaf, such as `--image=`. */
  readonly prefix: string;
  /** What the template puts between the leaf before and this one; default: `/`. */
  readonly joint?: string;
}

/**
 * A place in the values that makes one image. The name of the image is the texts of `name` with their joints,
 * empty ones left out, and `tail`; the first one carries the registry where there is more than one.
 */
export interface ImageSite {
  /** The map or the leaf that the image is. */
  readonly path: ValuePath;
  readonly name: readonly [NameLeaf, ...NameLeaf[]];
  /** What the template puts after the last leaf's part of the name; default: nothing. */
  readonly tail?: string;
  /** A leaf that is empty, and makes the whole image once it is set: for a name that the others cannot spell. */
  readonly whole?: NameLeaf;
  /** The leaves of its tag and digest, each set of them once. */
  readonly versions: readonly VersionLeaves[];
  /** The reference that those leaves and the tag and digest beside them spell. */
  readonly reference: ImageReference;
  /** The reference as the chart writes it, tag and digest included. */
  readonly text: string;
  /** False where the image belongs to a subchart that is switched off. */
  readonly enabled: boolean;
}
