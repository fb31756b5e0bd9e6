import { expect, test } from "vitest";
import { Counter, formatMetrics, Gauge, Histogram, lookUpMetric } from "./metric.ts";

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

test.each<[bound: number, text: string]>([
  [1e-8, "1e-08"],
  [1e-5, "1e-05"],
  [0.0001, "0.0001"],
  [0.25, "0.25"],
  [0, "0"],
  [-1, "-1"],
  [100_000, "100000"],
  [1_000_000, "1e+06"],
  [1_500_000, "1.5e+06"],
  [1e12, "1e+12"],
])("the bound %d is written as Go writes it: %s", (bound, text) => {
  const histogram = new Histogram("h", "H.", [bound]);
  histogram.observe(bound);
  expect(histogram.samples()[0]).toBe(`h_bucket{le="${text}"} 1`);
});

test("what is forgotten is told no more, and begins anew", () => {
  const histogram = new Histogram("h", "H.", [1]);
  for (const name of ["a", "b", "b"]) histogram.observe(2, { name });
  histogram.remove({ name: "b" });
  histogram.remove({ name: "c" });
  expect(histogram.samples().filter((line) => line.includes("_count"))).toEqual(['h_count{name="a"} 1']);
  histogram.observe(2, { name: "b" });
  expect(histogram.samples()).toContain('h_count{name="b"} 1');
});

test("what is looked up is told as it is then", () => {
  const sizes = new Map([["a", 1]]);
  const metric = lookUpMetric("counter", "size", "Size.", () =>
    Array.from(sizes, ([name, size]) => [{ name }, size] as const),
  );
  expect(metric.samples()).toEqual(['size{name="a"} 1']);
  sizes.set('"', 2).delete("a");
  expect(metric.samples()).toEqual([String.raw`size{name="\""} 2`]);
});
