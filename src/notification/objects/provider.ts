import type { LocalReference, ObjectMeta } from "../../objects/object-meta.ts";
import type { ProviderType } from "../providers/provider.ts";

/** Flux's Provider (`notification.toolkit.fluxcd.io/v1beta3`): a system that notifications go to. */
export interface Provider {
  readonly kind: "Provider";
  readonly apiVersion: string;
  readonly meta: ObjectMeta;
  readonly spec: ProviderSpec;
}

export interface ProviderSpec {
  readonly type: ProviderType;
  readonly address: string;
  readonly channel: string;
  readonly username: string;
  /** For the whole delivery; default: 15 seconds. */
  readonly timeoutMs: number;
  /** Deprecated for `proxySecretRef`. */
  readonly proxy?: string;
  readonly proxySecretRef?: LocalReference;
  readonly secretRef?: LocalReference;
  readonly certSecretRef?: LocalReference;
  readonly serviceAccountName?: string;
  /** A CEL expression for the context of a commit status. */
  readonly commitStatusExpr?: string;
  readonly suspend: boolean;
}
