import { lookUpMetric, type Metric } from "../../serving/metric.ts";

/** What a process has used. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Since 1970. */
  readonly startSeconds: number;
}

/** The metrics of a process under the names that Prometheus's clients give them. */
export function processMetrics(read: () => ProcessUsage): readonly Metric[] {
  return [
    lookUpMetric(
      "counter",
      "process_cpu_seconds_total",
      "Total user and system CPU time spent in seconds.",
      () => [[{}, read().cpuSeconds]],
    ),
    lookUpMetric("gauge", "process_resident_memory_bytes", "Resident memory size in bytes.", () => [
      [{}, read().residentBytes],
    ]),
    lookUpMetric(
      "gauge",
      "process_start_time_seconds",
      "Start time of the process since 1970 in seconds.",
      () => [[{}, read().startSeconds]],
    ),
  ];
}
