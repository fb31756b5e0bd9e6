import type { LocalReference, ObjectMeta } from "../../objects/object-meta.ts";

/** Flux's GitRepository (`source.toolkit.fluxcd.io/v1`), as far as automation reads it. */
export interface GitRepository {
  readonly kind: "GitRepository";
  readonly meta: ObjectMeta;
  readonly spec: GitRepositorySpec;
}

export interface GitRepositorySpec {
  /** An http, https or ssh URL. */
  readonly url: string;
  readonly ref?: GitRef;
  readonly secretRef?: LocalReference;
  readonly proxySecretRef?: LocalReference;
  /** Default: one minute. */
  readonly timeoutMs: number;
  readonly provider: "generic" | "azure" | "github";
  /** Whose identity the provider azure takes; default: that of this process. */
  readonly serviceAccountName?: string;
}

/** What to check out; where several are given: commit before name, tag, semver and branch. */
export interface GitRef {
  readonly branch?: string;
  readonly tag?: string;
  readonly semver?: string;
  /** A whole ref, such as `refs/pull/420/head`. */
  readonly name?: string;
  readonly commit?: string;
}
