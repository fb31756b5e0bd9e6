import { Counter, formatMetrics, Gauge, Histogram } from "../../../serving/metric.ts";

/** Who answered a call. */
export type Answerer = "runtime" | "proxy";

const secondsBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300];

/** What the proxy tells of its calls. */
export class ProxyMetrics {
  readonly #calls = new Counter("fairlead_image_service_calls_total", "Calls, by method and who had them.");
  readonly #failures = new Counter(
    "fairlead_image_service_failures_total",
    "Calls about ACIs that failed, by method and status.",
  );
  readonly #seconds = new Histogram(
    "fairlead_image_service_call_seconds",
    "How long calls about images took, by method.",
    secondsBounds,
  );
  readonly #open = new Gauge("fairlead_image_service_open_calls", "Calls that are not answered yet.");

  /** Counts a call. @returns to be called at its end */
  begin(method: string): () => void {
    const startedAtMs = performance.now();
    this.#open.add(1);
    return () => {
      this.#open.add(-1);
      this.#seconds.observe((performance.now() - startedAtMs) / 1000, { method });
    };
  }

  handled(method: string, answerer: Answerer): void {
    this.#calls.increment({ method, answerer });
  }

  failed(method: string, code: number): void {
    this.#failures.increment({ method, code: String(code) });
  }

  format(): string {
    return formatMetrics([this.#calls, this.#failures, this.#seconds, this.#open]);
  }
}
