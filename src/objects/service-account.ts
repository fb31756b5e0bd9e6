import type { ObjectMeta } from "./object-meta.ts";

/** A Kubernetes ServiceAccount, for its pull secrets. */
export interface ServiceAccount {
  readonly kind: "ServiceAccount";
  readonly meta: ObjectMeta;
  readonly imagePullSecrets: readonly string[];
}
