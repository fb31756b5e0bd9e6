import { excerpt } from "../../core/escape.ts";
import type { ObjectReference } from "../event.ts";
import type { ObjectSelection } from "../objects/alert.ts";
import type { ProviderType } from "../providers/provider.ts";

/** Why an event is not for an Alert, in the order in which it is asked. */
export type Mismatch =
  | { readonly kind: "alert-suspended" }
  | { readonly kind: "no-source"; readonly sources: readonly SourceMismatch[] }
  | { readonly kind: "not-included" }
  | { readonly kind: "excluded"; readonly expression: string }
  | { readonly kind: "access-denied" }
  | { readonly kind: "provider-missing"; readonly provider: string }
  | { readonly kind: "provider-suspended"; readonly provider: string }
  | { readonly kind: "commit-status-update"; readonly type: ProviderType }
  | { readonly kind: "commit-missing"; readonly type: ProviderType }
  | { readonly kind: "change-request-missing"; readonly type: ProviderType };

/** Why one of an Alert's sources does not select an object. */
export interface SourceMismatch {
  readonly source: ObjectSelection;
  readonly reason: "namespace" | "kind" | "severity" | "name" | "object-unknown" | "labels";
}

/** One sentence that tells why an event is not for an Alert. */
export function describeMismatch(mismatch: Mismatch): string {
  switch (mismatch.kind) {
    case "alert-suspended":
      return "the Alert is suspended";
    case "no-source":
      return mismatch.sources.length === 0
        ? "the Alert has no event sources"
        : `no event source selects it: ${mismatch.sources.map(describeSource).join("; ")}`;
    case "not-included":
      return "no expression of spec.inclusionList matches the message";
    case "excluded":
      return `an expression of spec.exclusionList matches the message: '${excerpt(mismatch.expression)}'`;
    case "access-denied":
      return "the object is in another namespace, and cross-namespace references have been blocked";
    case "provider-missing":
      return `there is no valid Provider ${excerpt(mismatch.provider)}`;
    case "provider-suspended":
      return `the Provider ${excerpt(mismatch.provider)} is suspended`;
    case "commit-status-update":
      return `it updates a commit status, which Providers of type ${mismatch.type} do not`;
    case "commit-missing":
      return `it has no metadata key event.toolkit.fluxcd.io/commit, which Providers of type ${mismatch.type} need but for errors`;
    default:
      return `it has no metadata key event.toolkit.fluxcd.io/change_request, which Providers of type ${mismatch.type} need`;
  }
}

const sourceReasons: Readonly<Record<SourceMismatch["reason"], string>> = {
  namespace: "another namespace",
  kind: "another kind",
  severity: "not an error",
  name: "another name",
  "object-unknown": "its labels are not known",
  labels: "other labels",
};

function describeSource({ source, reason }: SourceMismatch): string {
  const { kind, namespace, name } = source;
  const shown = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
  return `${excerpt(shown)} (${sourceReasons[reason]})`;
}

/** An object as Flux's messages name it. */
export function involvedObjectText({ kind, namespace, name }: ObjectReference): string {
  return `${kind}/${namespace}/${name}`;
}
