import { expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { formatMetrics } from "../../serving/metric.ts";
import { WorkQueueMetrics } from "./work-queue-metrics.ts";
import { WorkQueue } from "./work-queue.ts";

test("what queues do is told by the names that controller-runtime gives it", async () => {
  const clock = new FakeClock();
  const observed = new WorkQueueMetrics();
  const queue = new WorkQueue({ concurrency: 2, clock, observers: observed.of("imagepolicy") });
  new WorkQueue({ concurrency: 1, clock, observers: observed.of("receiver") }).add("default/a");
  for (const name of ["a", "b", "c"]) queue.add(name);
  await clock.advance(250);
  const ended = Promise.withResolvers<void>();
  queue.start(async () => ended.promise);
  await clock.advance(1500);
  queue.retry("d");
  const lines = formatMetrics(observed.metrics).split("\n");
  const labels = 'controller="imagepolicy",name="imagepolicy"';
  for (const line of [
    "# TYPE workqueue_depth gauge",
    `workqueue_depth{${labels}} 1`,
    'workqueue_depth{controller="receiver",name="receiver"} 1',
    "# TYPE workqueue_adds_total counter",
    `workqueue_adds_total{${labels}} 3`,
    `workqueue_retries_total{${labels}} 1`,
    'workqueue_retries_total{controller="receiver",name="receiver"} 0',
    `workqueue_queue_duration_seconds_bucket{${labels},le="1e-08"} 0`,
    `workqueue_queue_duration_seconds_bucket{${labels},le="0.1"} 0`,
    `workqueue_queue_duration_seconds_bucket{${labels},le="1"} 2`,
    `workqueue_queue_duration_seconds_sum{${labels}} 0.5`,
    `workqueue_unfinished_work_seconds{${labels}} 3`,
    `workqueue_longest_running_processor_seconds{${labels}} 1.5`,
    'workqueue_longest_running_processor_seconds{controller="receiver",name="receiver"} 0',
  ]) {
    expect(lines).toContain(line);
  }
  ended.resolve();
  await clock.advance(0);
  expect(formatMetrics(observed.metrics)).toContain(`workqueue_work_duration_seconds_count{${labels}} 3`);
});
