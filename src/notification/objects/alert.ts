import type { LocalReference, ObjectMeta } from "../../objects/object-meta.ts";
import type { SourceKind } from "./source-kinds.ts";

/** Flux's Alert (`notification.toolkit.fluxcd.io/v1beta3`): which events go to which Provider. */
export interface Alert {
  readonly kind: "Alert";
  readonly apiVersion: string;
  readonly meta: ObjectMeta;
  readonly spec: AlertSpec;
}

export interface AlertSpec {
  /** In the Alert's namespace. */
  readonly providerRef: LocalReference;
  readonly eventSources: readonly ObjectSelection[];
  /** `info` takes every event, `error` those of errors alone. */
  readonly eventSeverity: "info" | "error";
  /** Expressions by RE2; where there are some, one of them must match the message. */
  readonly inclusionList: readonly string[];
  /** Expressions by RE2, none of which may match the message. */
  readonly exclusionList: readonly string[];
  readonly eventMetadata: Readonly<Record<string, string>>;
  /** Deprecated for `eventMetadata.summary`. */
  readonly summary?: string;
  readonly suspend: boolean;
}

/** Objects of a kind (CrossNamespaceObjectReference): those that events are about, or that a Receiver triggers. */
export interface ObjectSelection {
  readonly apiVersion?: string;
  readonly kind: SourceKind;
  /** `*` is every name. */
  readonly name: string;
  /** Default: the namespace of the object that selects. */
  readonly namespace?: string;
  readonly matchLabels?: Readonly<Record<string, string>>;
}
