/** A Kubernetes ObjectReference, as far as events use it. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export type EventSeverity = "trace" | "info" | "error";

/** A Flux event, of the v1beta1 or the v1 body. */
export interface NotificationEvent {
  readonly involvedObject: ObjectReference;
  readonly severity: EventSeverity;
  /** RFC 3339, to the second, as it came. */
  readonly timestamp: string;
  readonly message: string;
  readonly reason: string;
  readonly action?: string;
  readonly relatedObject?: ObjectReference;
  /** Keys with their prefixes, as they came. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly reportingController: string;
  readonly reportingInstance?: string;
}

/** An event as one alert sends it: its metadata is what RFC-0008 combines, without prefixes. */
export interface Notification {
  readonly event: NotificationEvent;
  readonly metadata: Readonly<Record<string, string>>;
  /** `namespace/name` and UID of the alert. */
  readonly alert: { readonly namespace: string; readonly name: string; readonly uid?: string };
  /** The message by the alert's own template, where it has one. */
  readonly text?: string;
  /** Stays the same for every attempt to deliver this notification to this destination. */
  readonly idempotencyKey: string;
}
