import type { ObjectReference } from "../event.ts";

/** A core/v1 Event, as far as its author decides: what `kubectl describe` shows of an object. */
export interface KubernetesEvent {
  readonly involvedObject: ObjectReference;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Where Kubernetes Events go: to a cluster, or into what fairlead keeps itself. It must not block. */
export interface KubernetesEvents {
  record(event: KubernetesEvent): void;
}
