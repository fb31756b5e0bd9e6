import type { NotificationEvent, ObjectReference } from "../event.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";

/** What an alert that matches makes of an event. */
export interface PlannedDelivery {
  readonly alert: { readonly namespace: string; readonly name: string; readonly uid?: string | undefined };
  /** `namespace/name` of the Provider. */
  readonly destination: string;
  /** As RFC-0008 combines it, without prefixes. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The message by the alert's own template, where it has one. */
  readonly text?: string | undefined;
}

/** What is written for an event, at once or not at all. */
export interface OutboxEntry {
  readonly event: NotificationEvent;
  readonly deliveries: readonly PlannedDelivery[];
  readonly kubernetesEvents: readonly KubernetesEvent[];
  /** Events of one key are duplicates until the window that the first opened is over. */
  readonly window?: { readonly key: string; readonly durationMs: number } | undefined;
}

/** A window in which events of one key are duplicates. */
export interface DedupeWindow {
  /** When it is over, in milliseconds since 1970. */
  readonly resetMs: number;
}

export type Acceptance =
  | {
      readonly kind: "accepted";
      readonly id: number;
      readonly destinations: readonly string[];
      /** When the window that it opened is over. */
      readonly resetMs?: number;
    }
  | { readonly kind: "duplicate"; readonly resetMs: number };

/** A delivery that is due, with all that sending it takes. */
export interface DueDelivery {
  readonly id: number;
  readonly destination: string;
  readonly event: NotificationEvent;
  readonly alert: { readonly namespace: string; readonly name: string; readonly uid?: string };
  readonly metadata: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly idempotencyKey: string;
  /** Attempts made before. */
  readonly attempts: number;
}

/** The object of an event as it is told: `Kind/namespace/name`. */
export function objectKeyOf({ kind, namespace, name }: ObjectReference): string {
  return `${kind}/${namespace}/${name}`;
}
