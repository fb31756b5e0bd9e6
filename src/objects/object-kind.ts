import type { FieldReader } from "./field-reader.ts";
import type { ObjectMeta } from "./object-meta.ts";
import { readSecret } from "./read-secret.ts";
import type { Secret } from "./secret.ts";

/** An object of any kind. */
export interface KubernetesObject {
  readonly kind: string;
  readonly meta: ObjectMeta;
}

/** How objects of a kind are told and read. */
export interface ObjectKind<Read extends KubernetesObject> {
  /** Empty: the core group. */
  readonly group: string;
  /** Undefined: any. */
  readonly versions?: readonly string[];
  readonly read: (fields: FieldReader, meta: ObjectMeta) => Read;
  /** No value is quoted in a message; default: false. */
  readonly isSecret?: boolean;
  /** Default: true. */
  readonly isNamespaced?: boolean;
}

/** The kinds that are read, by `kind`. */
export type ObjectKinds<Read extends KubernetesObject> = ReadonlyMap<string, ObjectKind<Read>>;

/** A Kubernetes Secret. */
export const secretKind: ObjectKind<Secret> = {
  group: "",
  versions: ["v1"],
  read: readSecret,
  isSecret: true,
};
