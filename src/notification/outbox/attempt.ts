import type { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { RetryPolicy } from "./back-off.ts";
import type { Clock } from "../../core/clock.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";
import type { DueDelivery } from "./entry.ts";
import type { DeliveryResult, Outbox } from "./outbox.ts";

/** How an attempt to deliver went. */
export interface AttemptReport {
  readonly delivery: DueDelivery;
  readonly result: DeliveryResult["kind"];
  readonly durationMs: number;
  readonly error?: FairleadError;
}

/** Sends one delivery. @throws FairleadError `delivery-failed`, retryable or not, free of secrets */
export type Deliver = (delivery: DueDelivery, signal: AbortSignal) => Promise<void>;

export interface DispatcherOptions {
  readonly outbox: Outbox;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  /** Deliveries to one destination at a time. */
  readonly perDestination: number;
  readonly log: Logger;
  /** From 0 to 1; default: Math.random. */
  readonly random?: (() => number) | undefined;
  /** Told of each attempt. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /** What a cluster is told of a dead letter. */
  readonly onDead?: ((delivery: DueDelivery, error: string) => KubernetesEvent) | undefined;
}
