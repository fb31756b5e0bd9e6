import type { LocalReference, ObjectMeta } from "../../objects/object-meta.ts";
import type { ObjectSelection } from "./alert.ts";

/** Flux's Receiver (`notification.toolkit.fluxcd.io/v1`): a webhook that asks for objects to be looked at. */
export interface Receiver {
  readonly kind: "Receiver";
  readonly meta: ObjectMeta;
  readonly spec: ReceiverSpec;
}

export const receiverTypes = [
  "generic",
  "generic-hmac",
  "generic-oidc",
  "github",
  "gitlab",
  "bitbucket",
  "harbor",
  "dockerhub",
  "quay",
  "gcr",
  "nexus",
  "acr",
  "cdevents",
] as const;

export type ReceiverType = (typeof receiverTypes)[number];

export interface ReceiverSpec {
  readonly type: ReceiverType;
  readonly intervalMs: number;
  /** Names of events that count; empty: all. */
  readonly events: readonly string[];
  readonly resources: readonly ReceiverResource[];
  /** A CEL expression over `res`, `req` and, of generic-oidc, `claims`. */
  readonly resourceFilter?: string;
  /** Given for every type but generic-oidc. */
  readonly secretRef?: LocalReference;
  readonly oidcProviders: readonly OidcProvider[];
  readonly suspend: boolean;
}

export interface ReceiverResource extends ObjectSelection {
  /** A CEL expression, which must hold besides the Receiver's own. */
  readonly filter?: string;
}

export interface OidcProvider {
  readonly issuerUrl: string;
  readonly audience: string;
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}
