import type { Where } from "../core/error.ts";

/** What every object of a folder of manifests has, whatever its kind. */
export interface ObjectMeta {
  /** Default: `default`, as kubectl takes it. */
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly generation: number;
  /** The file and line where the object begins. */
  readonly where: Where;
}

/** A reference to an object of a known kind; without a namespace, in the namespace of who refers. */
export interface NamespacedReference {
  readonly name: string;
  readonly namespace?: string;
}

/** A reference to an object of the same namespace. */
export interface LocalReference {
  readonly name: string;
}

/** The key of an object in maps and messages: `namespace/name`. */
export function objectKey({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${namespace}/${name}`;
}
