import { Counter, formatMetrics, Histogram, lookUpMetric, type Metric } from "../../serving/metric.ts";
import type { ApiExchange } from "../api/api-transport.ts";
import type { ControllerObserver } from "../controllers/controller-environment.ts";
import type { StatusObject } from "../controllers/kind-reconciler.ts";
import { keyOf } from "../informer/object-store.ts";
import type { InformerHooks } from "../informer/informer.ts";
import type { ReconcileReport } from "../queue/controller.ts";
import { WorkQueueMetrics } from "../queue/work-queue-metrics.ts";
import type { WorkQueueObservers, WorkQueueState } from "../queue/work-queue.ts";
import { processMetrics, type ProcessUsage } from "./process-metrics.ts";
import { resourceLabels } from "./resource-info.ts";

export interface ControllerMetricsOptions {
  /** How many objects of a kind are reconciled at a time. */
  readonly concurrency: number;
  readonly usage: () => ProcessUsage;
  /** Whether objects are told one by one, as by kube-state-metrics for Flux; default: true. */
  readonly hasResourceInfo?: boolean;
}

/** Flux's: from ten nanoseconds on, each ten times the one before. */
const objectBounds: readonly number[] = Array.from({ length: 10 }, (_, index) => Number(`1e${index - 8}`));
/** Those of controller-runtime. */
const controllerBounds: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

type ResultLabel = "success" | "error" | "requeue" | "requeue_after";
const resultLabels: readonly ResultLabel[] = ["error", "requeue", "requeue_after", "success"];

/** What controllers tell Prometheus, under the names that Flux's controllers and controller-runtime have for it. */
export class ControllerMetrics implements ControllerObserver {
  readonly #options: ControllerMetricsOptions;
  readonly #queues = new WorkQueueMetrics();
  readonly #states = new Map<string, WorkQueueState>();
  /** By kind, and then by name. */
  readonly #objects = new Map<string, Map<string, StatusObject>>();
  /** Kinds that this process reconciles: those who wait for their turn know the objects too, and one is to tell. */
  readonly #reconciledKinds = new Set<string>();
  readonly #leaders = new Map<string, boolean>();
  readonly #durations = new Histogram(
    "gotk_reconcile_duration_seconds",
    "The duration in seconds of a GitOps Toolkit resource reconciliation.",
    objectBounds,
  );
  readonly #reconciles = new Counter(
    "controller_runtime_reconcile_total",
    "Total number of reconciliations per controller.",
  );
  readonly #errors = new Counter(
    "controller_runtime_reconcile_errors_total",
    "Total number of reconciliation errors per controller.",
  );
  readonly #terminalErrors = new Counter(
    "controller_runtime_terminal_reconcile_errors_total",
    "Total number of reconciliation errors per controller that only a change can end.",
  );
  readonly #times = new Histogram(
    "controller_runtime_reconcile_time_seconds",
    "Length of time per reconciliation per controller.",
    controllerBounds,
  );
  readonly #requests = new Counter(
    "rest_client_requests_total",
    "Number of HTTP requests, partitioned by status code, method, and host.",
  );
  readonly #lists = new Counter("fairlead_informer_lists_total", "Lists of all objects of a kind.");
  readonly #watches = new Counter("fairlead_informer_watches_total", "Watches that were begun.");
  readonly #failures = new Counter("fairlead_informer_failures_total", "Lists and watches that failed.");

  /** All of them. */
  readonly metrics: readonly Metric[];

  constructor(options: ControllerMetricsOptions) {
    this.#options = options;
    this.metrics = [
      this.#durations,
      ...(options.hasResourceInfo === false ? [] : [this.#resourceInfo()]),
      this.#reconciles,
      this.#errors,
      this.#terminalErrors,
      this.#times,
      ...this.#workers(),
      ...this.#queues.metrics,
      this.#requests,
      this.#informed(),
      this.#lists,
      this.#watches,
      this.#failures,
      this.#leading(),
      ...processMetrics(options.usage),
    ];
  }

  /** All of it, as Prometheus reads it. */
  format(): string {
    return formatMetrics(this.metrics);
  }

  /** Counts a reconciliation. */
  reconciled(kind: string, report: ReconcileReport): void {
    const { key, result, durationMs } = report;
    this.#reconciledKinds.add(kind);
    const labels = { controller: kind.toLowerCase() };
    const label = resultLabelOf(report);
    this.#reconciles.increment({ ...labels, result: label });
    if (label === "error") this.#errors.increment(labels);
    if (result === "stalled") this.#terminalErrors.increment(labels);
    this.#times.observe(durationMs / 1000, labels);
    if (result === "gone") this.#durations.remove(objectLabels(kind, key));
    else this.#durations.observe(durationMs / 1000, objectLabels(kind, key));
  }

  /** Takes what an object is like now. */
  observed(kind: string, object: StatusObject): void {
    this.#objectsOf(kind).set(keyOf(object), object);
  }

  /** Takes that an object is gone: nothing is told of it any more. */
  forgotten(kind: string, object: StatusObject): void {
    const key = keyOf(object);
    this.#objectsOf(kind).delete(key);
    this.#durations.remove(objectLabels(kind, key));
  }

  /** Looks after the informer of a kind. */
  informerHooks(kind: string): InformerHooks {
    const labels = { kind };
    for (const counter of [this.#lists, this.#watches]) counter.increment(labels, 0);
    return {
      listed: () => this.#lists.increment(labels),
      watched: () => this.#watches.increment(labels),
      failed: ({ code }) => this.#failures.increment({ kind, code }),
    };
  }

  /** Looks after the work queue of a kind. */
  workQueue(kind: string): WorkQueueObservers {
    const controller = kind.toLowerCase();
    this.#objectsOf(kind);
    // A series that is there before anything happened has a rate from the first time on.
    for (const result of resultLabels) this.#reconciles.increment({ controller, result }, 0);
    for (const counter of [this.#errors, this.#terminalErrors]) counter.increment({ controller }, 0);
    const observers = this.#queues.of(controller);
    return {
      observe: (state) => {
        this.#states.set(controller, state);
        return observers.observe(state);
      },
    };
  }

  /** Counts a request to the API server. */
  requested({ host, method, status }: ApiExchange): void {
    this.#requests.increment({ code: status === undefined ? "<error>" : String(status), host, method });
  }

  /** Takes whether this process leads. @param name of the lease */
  leads(name: string, isLeader: boolean): void {
    this.#leaders.set(name, isLeader);
  }

  #objectsOf(kind: string): Map<string, StatusObject> {
    const known = this.#objects.get(kind);
    if (known !== undefined) return known;
    const objects = new Map<string, StatusObject>();
    this.#objects.set(kind, objects);
    return objects;
  }

  #resourceInfo(): Metric {
    const help = "The current state of a GitOps Toolkit resource.";
    return lookUpMetric("gauge", "gotk_resource_info", help, () =>
      Array.from(this.#reconciledKinds, (kind) =>
        Array.from(this.#objectsOf(kind).values(), (object) => [resourceLabels(kind, object), 1] as const),
      ).flat(),
    );
  }

  #workers(): readonly Metric[] {
    const gauge = (name: string, help: string, read: (state: WorkQueueState) => number): Metric =>
      lookUpMetric("gauge", `controller_runtime_${name}`, help, () =>
        Array.from(this.#states, ([controller, state]) => [{ controller }, read(state)] as const),
      );
    return [
      gauge(
        "max_concurrent_reconciles",
        "Maximum number of concurrent reconciles per controller.",
        () => this.#options.concurrency,
      ),
      gauge(
        "active_workers",
        "Number of currently used workers per controller.",
        (state) => state.runningMs().length,
      ),
    ];
  }

  #informed(): Metric {
    return lookUpMetric("gauge", "fairlead_informer_objects", "Objects of a kind that are known.", () =>
      Array.from(this.#objects, ([kind, objects]) => [{ kind }, objects.size] as const),
    );
  }

  #leading(): Metric {
    const help = "Whether this process leads: 1, or 0 where it waits for its turn.";
    return lookUpMetric("gauge", "leader_election_master_status", help, () =>
      Array.from(this.#leaders, ([name, isLeader]) => [{ name }, Number(isLeader)] as const),
    );
  }
}

function objectLabels(kind: string, key: string): Readonly<Record<"kind" | "name" | "namespace", string>> {
  const slash = key.indexOf("/");
  return { kind, name: key.slice(slash + 1), namespace: key.slice(0, slash) };
}

function resultLabelOf({ result, requeueAfterMs }: ReconcileReport): ResultLabel {
  if (result === "failed" || result === "stalled") return "error";
  if (requeueAfterMs !== undefined) return "requeue_after";
  return result === "retry" ? "error" : "success";
}
