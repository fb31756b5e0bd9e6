import { Counter, Histogram, type Labels, lookUpMetric, type Metric } from "../../serving/metric.ts";
import type { WorkQueueObserver, WorkQueueObservers, WorkQueueState } from "./work-queue.ts";

/** Seconds from ten nanoseconds on, each ten times the one before, as controller-runtime has them. */
const bounds: readonly number[] = Array.from({ length: 12 }, (_, index) => Number(`1e${index - 8}`));

/** The metrics of work queues under the names that controller-runtime gives them. */
export class WorkQueueMetrics {
  readonly #states = new Map<string, WorkQueueState>();
  readonly #adds = new Counter("workqueue_adds_total", "Keys that came to wait for their turn.");
  readonly #retries = new Counter("workqueue_retries_total", "Keys that were tried again after a failure.");
  readonly #waited = new Histogram(
    "workqueue_queue_duration_seconds",
    "How long a key waited for its turn.",
    bounds,
  );
  readonly #worked = new Histogram(
    "workqueue_work_duration_seconds",
    "How long a key was worked on.",
    bounds,
  );

  /** All of them. */
  readonly metrics: readonly Metric[] = [
    this.#gauge("workqueue_depth", "Keys that wait for their turn.", ({ depth }) => depth),
    this.#adds,
    this.#waited,
    this.#worked,
    this.#gauge(
      "workqueue_unfinished_work_seconds",
      "How long the keys that are worked on have been so, in all.",
      (state) => state.runningMs().reduce((sum, ms) => sum + ms, 0) / 1000,
    ),
    this.#gauge(
      "workqueue_longest_running_processor_seconds",
      "How long the key that has been worked on the longest has been so.",
      (state) => Math.max(0, ...state.runningMs()) / 1000,
    ),
    this.#retries,
  ];

  /** Looks after the queue of a controller. */
  of(name: string): WorkQueueObservers {
    return {
      observe: (state) => {
        this.#states.set(name, state);
        return this.#observer(labelsOf(name));
      },
    };
  }

  #observer(labels: Labels): WorkQueueObserver {
    // A series that is there before anything happened has a rate from the first time on.
    this.#adds.increment(labels, 0);
    this.#retries.increment(labels, 0);
    return {
      added: () => this.#adds.increment(labels),
      retried: () => this.#retries.increment(labels),
      started: (waitedMs) => this.#waited.observe(waitedMs / 1000, labels),
      ended: (workedMs) => this.#worked.observe(workedMs / 1000, labels),
    };
  }

  #gauge(name: string, help: string, read: (state: WorkQueueState) => number): Metric {
    return lookUpMetric("gauge", name, help, () =>
      Array.from(this.#states, ([queue, state]) => [labelsOf(queue), read(state)] as const),
    );
  }
}

function labelsOf(name: string): Labels {
  return { controller: name, name };
}
