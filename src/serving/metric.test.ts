import { expect, test } from "vitest";
import { Counter, formatMetrics, Gauge, Histogram } from "./metric.ts";

test("metrics are told as Prometheus reads them", () => {
  const counter = new Counter("requests_total", "Requests.\nBy \\ result.");
  counter.increment({ result: "ok" });
  counter.increment({ result: "ok" });
  counter.increment({ result: 'a "quoted"\n\\ one' });
  const histogram = new Histogram("seconds", "Seconds.", [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 5]) histogram.observe(value, { code: "200" });
  const gauge = new Gauge("depth", "Depth.", () => 3);
  expect(formatMetrics([counter, histogram, gauge]))
    .toBe(String.raw`# HELP requests_total Requests.\nBy \\ result.
# TYPE requests_total counter
requests_total{result="ok"} 2
requests_total{result="a \"quoted\"\n\\ one"} 1
# HELP seconds Seconds.
# TYPE seconds histogram
seconds_bucket{code="200",le="0.1"} 2
seconds_bucket{code="200",le="1"} 3
seconds_bucket{code="200",le="+Inf"} 4
seconds_sum{code="200"} 5.65
seconds_count{code="200"} 4
# HELP depth Depth.
# TYPE depth gauge
depth 3
`);
});

test("labels from outside do not fill the memory", () => {
  const counter = new Counter("c", "C.");
  for (let index = 0; index < 20_000; index++) counter.increment({ path: `p${index}` });
  const samples = counter.samples();
  expect(samples.length).toBeLessThan(10_010);
  expect(samples.at(-1)).toMatch(/^c\{path="other"\} \d+$/u);
});
