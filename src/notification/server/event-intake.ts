import { messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { NotificationEvent } from "../event.ts";
import type { ServerMetrics } from "../metrics/server-metrics.ts";
import type { PlannedDelivery } from "../outbox/entry.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { KubernetesEvent, KubernetesEvents } from "../recorder/kubernetes-event.ts";

/** What alerts make of an event. */
export interface RoutedEvent {
  /** The event as it goes to providers. */
  readonly event: NotificationEvent;
  readonly deliveries: readonly PlannedDelivery[];
  readonly kubernetesEvents: readonly KubernetesEvent[];
}

/** What decides over an event that arrives. */
export interface EventRouter {
  /** Events of one key are duplicates within the window. */
  dedupeKey(event: NotificationEvent): string;
  /** Which alerts want the event. */
  route(event: NotificationEvent): Promise<RoutedEvent>;
}

export interface EventIntakeOptions {
  readonly outbox: Outbox;
  /** The one of the configuration that is in force. */
  readonly router: () => EventRouter;
  /** 0: nothing is a duplicate. */
  readonly dedupeWindowMs: number;
  /** Whether there is no room for more. */
  readonly isFull: () => boolean;
  /** Where Kubernetes Events go besides the outbox. */
  readonly kubernetesEvents: KubernetesEvents | undefined;
  readonly wake: (destinations: readonly string[]) => void;
  readonly metrics: ServerMetrics;
  readonly log: Logger;
}

export type IntakeOutcome =
  | { readonly kind: "accepted"; readonly resetMs?: number }
  | { readonly kind: "duplicate"; readonly resetMs: number }
  | { readonly kind: "unavailable" };

/** Takes events in: no more than once within a window, and onto the disk before anybody is told. */
export class EventIntake {
  readonly #options: EventIntakeOptions;

  constructor(options: EventIntakeOptions) {
    this.#options = options;
  }

  /** Takes an event; `accepted` means that it is on disk. Failures are told in the log, and are `unavailable`. */
  async take(event: NotificationEvent): Promise<IntakeOutcome> {
    const { metrics, log } = this.#options;
    const outcome = await this.#take(event).catch((error: unknown): IntakeOutcome => {
      log.error("an event cannot be kept; its sender is told to try again", { error: messageOf(error) });
      return { kind: "unavailable" };
    });
    metrics.received.increment({ result: outcome.kind });
    return outcome;
  }

  async #take(event: NotificationEvent): Promise<IntakeOutcome> {
    const { outbox, router, dedupeWindowMs, isFull, kubernetesEvents, wake, log } = this.#options;
    const current = router();
    const window =
      dedupeWindowMs > 0 ? { key: current.dedupeKey(event), durationMs: dedupeWindowMs } : undefined;
    const open = window === undefined ? undefined : outbox.openWindow(window);
    if (open !== undefined) return { kind: "duplicate", resetMs: open.resetMs };
    if (isFull()) {
      log.error("the outbox has reached its size with what is queued; events are refused");
      return { kind: "unavailable" };
    }
    const routed = await current.route(event);
    const accepted = await outbox.accept({ ...routed, window });
    if (accepted.kind === "duplicate") return accepted;
    for (const told of routed.kubernetesEvents) kubernetesEvents?.record(told);
    wake(accepted.destinations);
    const { resetMs } = accepted;
    return { kind: "accepted", ...(resetMs === undefined ? {} : { resetMs }) };
  }
}
