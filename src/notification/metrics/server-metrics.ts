import type { OutboxRecords, QueueStatus } from "../outbox/records.ts";
import { Counter, formatMetrics, Gauge, Histogram } from "../../serving/metric.ts";

/** Go's Prometheus client has these by default. */
const durationBounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const sizeBounds: readonly number[] = Array.from({ length: 8 }, (_, power) => 100 * 10 ** power);

/** What Flux's notification-controller tells of one of its servers, under the names that it has there. */
export class HttpMetrics {
  readonly duration: Histogram;
  readonly size: Histogram;
  readonly inflight: Gauge;

  constructor(prefix: "gotk_event" | "gotk_receiver") {
    this.duration = new Histogram(
      `${prefix}_http_request_duration_seconds`,
      "The latency of the HTTP requests.",
      durationBounds,
    );
    this.size = new Histogram(
      `${prefix}_http_response_size_bytes`,
      "The size of the HTTP responses.",
      sizeBounds,
    );
    this.inflight = new Gauge(
      `${prefix}_http_requests_inflight`,
      "The number of inflight requests being handled at the same time.",
    );
  }
}

/** Everything that the server tells Prometheus. */
export class ServerMetrics {
  readonly events: HttpMetrics = new HttpMetrics("gotk_event");
  readonly receivers: HttpMetrics = new HttpMetrics("gotk_receiver");
  readonly received: Counter = new Counter(
    "fairlead_notification_events_total",
    "Events received, by what became of them.",
  );
  readonly attempts: Counter = new Counter(
    "fairlead_notification_deliveries_total",
    "Attempts to deliver, by provider and result.",
  );
  readonly attemptDuration: Histogram = new Histogram(
    "fairlead_notification_delivery_duration_seconds",
    "How long attempts to deliver took.",
    [...durationBounds, 15, 30, 60],
  );
  readonly reloads: Counter = new Counter(
    "fairlead_notification_config_reloads_total",
    "Reloads of the configuration, by result.",
  );
  readonly #records: OutboxRecords;
  readonly #nowMs: () => number;

  constructor(records: OutboxRecords, nowMs: () => number) {
    this.#records = records;
    this.#nowMs = nowMs;
  }

  /** All of it, as Prometheus reads it. @throws FairleadError `state-invalid` */
  format(): string {
    const status = this.#records.queueStatus();
    const { events, receivers } = this;
    return formatMetrics([
      ...[events, receivers].flatMap(({ duration, size, inflight }) => [duration, size, inflight]),
      this.received,
      this.attempts,
      this.attemptDuration,
      this.reloads,
      ...this.#queueGauges(status),
    ]);
  }

  #queueGauges({ depth, dead, oldestMs }: QueueStatus): readonly Gauge[] {
    const ageMs = oldestMs === undefined ? 0 : Math.max(0, this.#nowMs() - oldestMs);
    return [
      new Gauge("fairlead_notification_queue_depth", "Deliveries that are queued.", () => depth),
      new Gauge("fairlead_notification_dead_letters", "Deliveries that were given up.", () => dead),
      new Gauge(
        "fairlead_notification_oldest_undelivered_age_seconds",
        "Age of the oldest event that is not delivered everywhere.",
        () => ageMs / 1000,
      ),
    ];
  }
}
