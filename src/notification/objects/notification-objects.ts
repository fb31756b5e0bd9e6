import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { Alert } from "./alert.ts";
import type { Provider } from "./provider.ts";
import type { Receiver } from "./receiver.ts";
import type { SourceKind } from "./source-kinds.ts";

/** The objects that notification works from; by `namespace/name`, in the order of files. */
export interface NotificationObjects {
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly secrets: ReadonlyMap<string, Secret>;
  /** Objects that events are about, by `Kind/namespace/name`. */
  readonly sources: ReadonlyMap<string, SourceObject>;
}

/** An object that sends events, for its labels and annotations. */
export interface SourceObject {
  readonly kind: SourceKind;
  readonly apiVersion: string;
  readonly meta: ObjectMeta;
}

export type NotificationObject = Alert | Provider | Receiver | Secret | SourceObject;
