import type { LocalReference, ObjectMeta } from "../../objects/object-meta.ts";

/** Where Flux's ImageRepository (`image.toolkit.fluxcd.io/v1`) says to list tags. */
export interface ImageRepository {
  readonly kind: "ImageRepository";
  readonly meta: ObjectMeta;
  readonly spec: ImageRepositorySpec;
}

export interface ImageRepositorySpec {
  /** Host and path, without scheme, tag or digest. */
  readonly image: string;
  readonly intervalMs: number;
  /** Default: the interval; at least one second. */
  readonly timeoutMs: number;
  readonly secretRef?: LocalReference;
  readonly proxySecretRef?: LocalReference;
  readonly certSecretRef?: LocalReference;
  readonly serviceAccountName?: string;
  readonly suspend: boolean;
  /** Plain http, or a certificate that nobody vouches for. */
  readonly insecure: boolean;
  /** Namespaces whose policies may use this repository: labels, any of which sets matches; undefined: only its own. */
  readonly accessFrom?: readonly Readonly<Record<string, string>>[];
  /** Expressions by RE2; tags that one of them matches do not exist. Default: `["^.*\\.sig$"]`. */
  readonly exclusionList: readonly string[];
  readonly provider: "generic" | "aws" | "azure" | "gcp";
}
