/** A kind of objects by the path that the API server has it under. */
export interface ResourceType {
  /** Empty: the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, in lower case. */
  readonly resource: string;
  readonly namespaced: boolean;
}

/** An object of any kind, as the API server gives it. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMetadata;
}

export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  /** Opaque, but for being the same or not. */
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
}

/** Which object of a kind; objects of kinds without namespaces have none. */
export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** One page of a list. */
export interface ApiList<Item extends ApiObject> {
  readonly items: readonly Item[];
  /** A watch from here misses nothing. */
  readonly resourceVersion: string;
  /** For the next page; undefined: this is the last. */
  readonly continueToken: string | undefined;
}

export type WatchEvent<Item extends ApiObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: Item }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };
