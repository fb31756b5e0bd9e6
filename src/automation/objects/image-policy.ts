import type { NamespacedReference, ObjectMeta } from "../../objects/object-meta.ts";

/** Flux's ImagePolicy (`image.toolkit.fluxcd.io/v1`): which of a repository's tags is the latest. */
export interface ImagePolicy {
  readonly kind: "ImagePolicy";
  readonly meta: ObjectMeta;
  readonly spec: ImagePolicySpec;
  /** What the object says was chosen, with RFC-0005's attributes; undefined where it says nothing. */
  readonly latestRef?: LatestReference;
  readonly observedGeneration?: number;
}

export interface ImagePolicySpec {
  readonly imageRepositoryRef: NamespacedReference;
  readonly choice: PolicyChoice;
  readonly filterTags?: TagFilter;
  readonly suspend: boolean;
  readonly digestReflectionPolicy: "Never" | "IfNotPresent" | "Always";
  /** Given if and only if the digest is always reflected. */
  readonly intervalMs?: number;
}

/** How the latest tag is chosen; semver goes before alphabetical before numerical where several are given. */
export type PolicyChoice =
  | { readonly kind: "semver"; readonly range: string }
  | { readonly kind: "alphabetical"; readonly order: Order }
  | { readonly kind: "numerical"; readonly order: Order };

export type Order = "asc" | "desc";

export interface TagFilter {
  /** An expression by RE2, not anchored. */
  readonly pattern: string;
  /** A template by Go's `Regexp.Expand`; empty: the whole tag is compared. */
  readonly extract: string;
}

/** The chosen image: `status.latestRef` of an ImagePolicy, with the attributes of RFC-0005. */
export interface LatestReference {
  /** The image without tag and digest. */
  readonly name: string;
  readonly tag: string;
  readonly digest?: string;
  /** The named groups of the filter's pattern that took part in the match of the tag. */
  readonly attributes: Readonly<Record<string, string>>;
}
