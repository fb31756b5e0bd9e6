import type { FieldProblem } from "../../objects/field-reader.ts";
import type { KubernetesObject, ObjectKind } from "../../objects/object-kind.ts";
import type { ApiObject, ResourceType } from "../api/api-object.ts";
import type { Condition, Finding } from "../conditions/conditions.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import type { ReconcileOutcome } from "../queue/controller.ts";

/** An object with a status, as the API server gives it. */
export interface StatusObject extends ApiObject {
  readonly status?: JsonObject & {
    readonly conditions?: readonly (Condition & JsonObject)[];
    readonly observedGeneration?: number;
    readonly lastHandledReconcileAt?: string;
  };
}

/** What happened to an object, for its Kubernetes Events and for notification. */
export interface ObjectOccurrence {
  /** A Trace is told to Kubernetes alone, as Normal. */
  readonly type: "Normal" | "Warning" | "Trace";
  readonly reason: string;
  readonly message: string;
  /** Keys with their prefixes. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What came of reconciling an object. */
export interface KindOutcome extends ReconcileOutcome {
  /** Those of the types that this controller looks after; what is absent is not so. */
  readonly findings: readonly Finding[];
  /**
   * The status fields that this controller looks after, whole: what is undefined or null in it is taken away. Without
   * `conditions`, `observedGeneration` and `lastHandledReconcileAt`, which are the same for every kind.
   */
  readonly status: JsonObject;
  readonly occurrences: readonly ObjectOccurrence[];
  /** Called once the status is written and the occurrences are told. */
  readonly told?: () => Promise<void>;
}

/** Sets an annotation of an object that is being reconciled, or takes it away. @throws FairleadError */
export type Annotate = (name: string, value: string | undefined) => Promise<void>;

/** How the objects of a kind are looked after. */
export interface KindReconciler<Read extends KubernetesObject> {
  readonly kind: string;
  readonly type: ResourceType;
  /** How objects are read. */
  readonly reads: ObjectKind<Read>;
  /** Whether objects carry Flux's finalizer, so that {@link forget} is called before they are gone; default: true. */
  readonly hasFinalizer?: boolean;
  /**
   * Looks after an object. What goes wrong with it is in the outcome; what is thrown is tried again.
   * @param raw as it was last seen, its status included
   */
  readonly reconcile: (
    object: Read,
    raw: StatusObject,
    signal: AbortSignal,
    annotate: Annotate,
  ) => Promise<KindOutcome>;
  /** Why an object that cannot be read is Stalled: the reason of its condition; default: `ValidationFailed`. */
  readonly invalidReason?: (problems: readonly FieldProblem[]) => string;
  /** Keys of what an object refers to, as {@link referenceKey} makes them: it is looked at again when they change. */
  readonly referencesOf?: (object: Read) => Iterable<string>;
  /** Cleans up after an object that is being deleted, or is gone. */
  readonly forget?: (name: { readonly namespace: string; readonly name: string }) => void | Promise<void>;
}

/** The key of an object that others refer to: `ImageRepository/apps/podinfo`. */
export function referenceKey(
  kind: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  return `${kind}/${namespace}/${name}`;
}

/** The finalizer of Flux's controllers. */
export const fluxFinalizer = "finalizers.fluxcd.io";
