import type { ObjectMeta } from "./object-meta.ts";

/** A Kubernetes Secret; its texts must reach no message, log or argument. */
export interface Secret {
  readonly kind: "Secret";
  readonly meta: ObjectMeta;
  /** Such as `kubernetes.io/dockerconfigjson`; default: `Opaque`. */
  readonly type: string;
  /** `data` decoded, `stringData` over it. */
  readonly data: Readonly<Record<string, Uint8Array>>;
}
