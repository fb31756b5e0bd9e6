import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { metricProblems } from "../../../test/support/metric-grammar.ts";
import { FairleadError } from "../../core/error.ts";
import type { StatusObject } from "../controllers/kind-reconciler.ts";
import type { ReconcileReport } from "../queue/controller.ts";
import { WorkQueue } from "../queue/work-queue.ts";
import { ControllerMetrics } from "./controller-metrics.ts";
import { resourceLabels } from "./resource-info.ts";

const usage = () => ({ cpuSeconds: 1.5, residentBytes: 1024, startSeconds: 1_785_542_400.25 }) as const;

function create(hasResourceInfo = true): ControllerMetrics {
  return new ControllerMetrics({ concurrency: 4, usage, hasResourceInfo });
}

function report(changes: Partial<ReconcileReport> = {}): ReconcileReport {
  return { key: "apps/podinfo", result: "ready", requeueAfterMs: undefined, durationMs: 250, ...changes };
}

function object(name: string, changes: object = {}): StatusObject {
  return { metadata: { name, namespace: "apps", uid: "1", resourceVersion: "1" }, ...changes };
}

/** Of the metrics with this name or this beginning. */
function linesOf(metrics: ControllerMetrics, name: string): readonly string[] {
  return metrics
    .format()
    .split("\n")
    .filter((line) => line.startsWith(name));
}

test("all of it is what Prometheus reads", async () => {
  const metrics = create();
  const clock = new FakeClock();
  for (const kind of ["ImageRepository", "Receiver"]) {
    const queue = new WorkQueue({ concurrency: 4, clock, observers: metrics.workQueue(kind) });
    queue.add("apps/a");
    queue.start(async () => Promise.resolve());
    metrics.informerHooks(kind).listed?.(1);
    for (const name of ["a", 'b"\\\n']) {
      metrics.observed(kind, object(name, { spec: { image: "registry.example/a" } }));
      metrics.reconciled(kind, report({ key: `apps/${name}` }));
    }
  }
  metrics.requested({ host: "127.0.0.1:6443", method: "GET", status: 200 });
  metrics.leads("image-reflector-controller-leader-election", true);
  await clock.advance(1000);
  const text = metrics.format();
  expect(metricProblems(text)).toEqual([]);
  expect([...text.matchAll(/^# TYPE (\S+ \S+)$/gmu)].map(([, type]) => type)).toEqual([
    "gotk_reconcile_duration_seconds histogram",
    "gotk_resource_info gauge",
    "controller_runtime_reconcile_total counter",
    "controller_runtime_reconcile_errors_total counter",
    "controller_runtime_terminal_reconcile_errors_total counter",
    "controller_runtime_reconcile_time_seconds histogram",
    "controller_runtime_max_concurrent_reconciles gauge",
    "controller_runtime_active_workers gauge",
    "workqueue_depth gauge",
    "workqueue_adds_total counter",
    "workqueue_queue_duration_seconds histogram",
    "workqueue_work_duration_seconds histogram",
    "workqueue_unfinished_work_seconds gauge",
    "workqueue_longest_running_processor_seconds gauge",
    "workqueue_retries_total counter",
    "rest_client_requests_total counter",
    "fairlead_informer_objects gauge",
    "fairlead_informer_lists_total counter",
    "fairlead_informer_watches_total counter",
    "fairlead_informer_failures_total counter",
    "leader_election_master_status gauge",
    "process_cpu_seconds_total counter",
    "process_resident_memory_bytes gauge",
    "process_start_time_seconds gauge",
  ]);
});

test.each<[what: string, text: string]>([
  ["no HELP", "# TYPE a gauge\na 1\n"],
  ["a sample of another metric", "# HELP a A.\n# TYPE a gauge\nb 1\n"],
  ["a sample twice", '# HELP a A.\n# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n'],
  ["no number", "# HELP a A.\n# TYPE a gauge\na one\n"],
  ["a quote in a label", '# HELP a A.\n# TYPE a gauge\na{b="""} 1\n'],
  ["a counter without _total", "# HELP a A.\n# TYPE a counter\na 1\n"],
  [
    "buckets that shrink",
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_count 1\n',
  ],
  ["no last line end", "# HELP a A.\n# TYPE a gauge\na 1"],
])("the grammar refuses %s", (_what, text) => {
  expect(metricProblems(text)).not.toEqual([]);
});

describe("a reconciliation", () => {
  test("is told of its object with Flux's bounds", () => {
    const metrics = create();
    metrics.reconciled("ImagePolicy", report({ durationMs: 0.05 }));
    metrics.reconciled("ImagePolicy", report({ durationMs: 30_000 }));
    const labels = 'kind="ImagePolicy",name="podinfo",namespace="apps"';
    const buckets = ["1e-08", "1e-07", "1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1", "10", "+Inf"];
    expect(linesOf(metrics, "gotk_reconcile_duration_seconds")).toEqual([
      ...buckets.map((bound, index) => {
        const count = bound === "+Inf" ? 2 : Number(index > 3);
        return `gotk_reconcile_duration_seconds_bucket{${labels},le="${bound}"} ${count}`;
      }),
      `gotk_reconcile_duration_seconds_sum{${labels}} 30.00005`,
      `gotk_reconcile_duration_seconds_count{${labels}} 2`,
    ]);
  });

  test.each<[report: Partial<ReconcileReport>, result: string, isError: boolean, isTerminal: boolean]>([
    [{ result: "ready" }, "success", false, false],
    [{ result: "ready", requeueAfterMs: 60_000 }, "requeue_after", false, false],
    [{ result: "suspended" }, "success", false, false],
    [{ result: "gone" }, "success", false, false],
    [{ result: "retry" }, "error", true, false],
    [{ result: "retry", requeueAfterMs: 30_000 }, "requeue_after", false, false],
    [{ result: "stalled" }, "error", true, true],
    [{ result: "failed" }, "error", true, false],
  ])("%j counts as %s", (changes, result, isError, isTerminal) => {
    const metrics = create();
    metrics.workQueue("ImagePolicy");
    metrics.reconciled("ImagePolicy", report(changes));
    const results = ["error", "requeue", "requeue_after", "success"];
    expect(linesOf(metrics, "controller_runtime_reconcile_total")).toEqual(
      results.map(
        (each) =>
          `controller_runtime_reconcile_total{controller="imagepolicy",result="${each}"} ${Number(each === result)}`,
      ),
    );
    expect(linesOf(metrics, "controller_runtime_reconcile_errors_total")).toEqual([
      `controller_runtime_reconcile_errors_total{controller="imagepolicy"} ${Number(isError)}`,
    ]);
    expect(linesOf(metrics, "controller_runtime_terminal_reconcile_errors_total")).toEqual([
      `controller_runtime_terminal_reconcile_errors_total{controller="imagepolicy"} ${Number(isTerminal)}`,
    ]);
    expect(linesOf(metrics, "controller_runtime_reconcile_time_seconds_count")).toEqual([
      'controller_runtime_reconcile_time_seconds_count{controller="imagepolicy"} 1',
    ]);
  });

  test("that goes on occupies a worker", async () => {
    const metrics = create();
    const clock = new FakeClock();
    const queue = new WorkQueue({ concurrency: 4, clock, observers: metrics.workQueue("Receiver") });
    const done = Promise.withResolvers<void>();
    queue.start(async () => done.promise);
    for (const name of ["a", "b", "c"]) queue.add(name);
    await clock.advance(0);
    const workers = (): readonly string[] => [
      ...linesOf(metrics, "controller_runtime_active_workers"),
      ...linesOf(metrics, "controller_runtime_max_concurrent_reconciles"),
    ];
    const max = 'controller_runtime_max_concurrent_reconciles{controller="receiver"} 4';
    expect(workers()).toEqual(['controller_runtime_active_workers{controller="receiver"} 3', max]);
    done.resolve();
    await clock.advance(0);
    expect(workers()).toEqual(['controller_runtime_active_workers{controller="receiver"} 0', max]);
  });
});

describe("an object", () => {
  const ready = { status: { conditions: [condition("Ready", "True", "Succeeded")] } };

  test("is told as kube-state-metrics tells it for Flux, as it is now", () => {
    const metrics = create();
    metrics.observed("ImageRepository", object("podinfo", { spec: { image: "ghcr.io/a/b", suspend: true } }));
    // Another replica may lead.
    expect(linesOf(metrics, "gotk_resource_info")).toEqual([]);
    metrics.reconciled("ImageRepository", report());
    const labels =
      'customresource_group="image.toolkit.fluxcd.io",customresource_kind="ImageRepository",' +
      'customresource_version="v1",exported_namespace="apps",name="podinfo"';
    expect(linesOf(metrics, "gotk_resource_info")).toEqual([
      `gotk_resource_info{${labels},suspended="true",image="ghcr.io/a/b"} 1`,
    ]);
    metrics.observed("ImageRepository", object("podinfo", { spec: { image: "ghcr.io/a/b" }, ...ready }));
    expect(linesOf(metrics, "gotk_resource_info")).toEqual([
      `gotk_resource_info{${labels},ready="True",reason="Succeeded",suspended="false",image="ghcr.io/a/b"} 1`,
    ]);
  });

  test.each<[kind: string, changes: object, expected: object, absent: readonly string[]]>([
    [
      "ImagePolicy",
      { spec: { imageRepositoryRef: { name: "a" } } },
      { source_name: "a" },
      ["ready", "reason"],
    ],
    ["ImageUpdateAutomation", { spec: { sourceRef: { name: "a" } } }, { source_name: "a" }, ["image"]],
    ["Alert", {}, { customresource_version: "v1beta3", suspended: "false" }, ["source_name"]],
    [
      "Receiver",
      { status: { webhookPath: "/hook/8ed7" } },
      { customresource_kind: "Receiver" },
      ["webhook_path"],
    ],
    ["ImageRepository", { spec: "no object" }, { suspended: "false" }, ["image"]],
    ["ImageRepository", { spec: { image: 1, suspend: "yes" } }, { suspended: "false" }, ["image"]],
    [
      "Provider",
      { status: { conditions: [condition("Stalled", "True", "A"), condition("Ready", "False", "B")] } },
      { ready: "False", reason: "B" },
      [],
    ],
  ])("of kind %s with %j", (kind, changes, expected, absent) => {
    const labels = resourceLabels(kind, object("a", changes));
    expect(labels).toMatchObject(expected);
    for (const label of absent) expect(labels).not.toHaveProperty(label);
  });

  test("that is gone leaves nothing", () => {
    const metrics = create();
    metrics.workQueue("Receiver");
    const empty = metrics.format();
    for (const name of ["a", "b"]) metrics.observed("Receiver", object(name));
    for (const name of ["a", "b"]) metrics.reconciled("Receiver", report({ key: `apps/${name}` }));
    expect(linesOf(metrics, "fairlead_informer_objects")).toEqual([
      'fairlead_informer_objects{kind="Receiver"} 2',
    ]);
    for (const name of ["a", "b"]) metrics.forgotten("Receiver", object(name));
    // It was under way meanwhile.
    metrics.reconciled("Receiver", report({ key: "apps/a" }));
    metrics.reconciled("Receiver", report({ key: "apps/a", result: "gone" }));
    for (const name of ["gotk_", "fairlead_"]) {
      expect(linesOf(metrics, name)).toEqual(empty.split("\n").filter((line) => line.startsWith(name)));
    }
  });

  test("is not told where something else tells it", () => {
    const metrics = create(false);
    metrics.observed("Receiver", object("a"));
    metrics.reconciled("Receiver", report());
    expect(metrics.format()).not.toContain("gotk_resource_info");
    expect(linesOf(metrics, "fairlead_informer_objects")).toEqual([
      'fairlead_informer_objects{kind="Receiver"} 1',
    ]);
  });
});

test("informers, requests and leaders are told", () => {
  const metrics = create();
  const hooks = metrics.informerHooks("Alert");
  hooks.listed?.(3);
  for (let index = 0; index < 2; index++) hooks.watched?.();
  hooks.failed?.(new FairleadError("version-expired", "too old"));
  metrics.requested({ host: "10.0.0.1:443", method: "PATCH", status: 409 });
  metrics.requested({ host: "10.0.0.1:443", method: "GET", status: undefined });
  metrics.leads("a", true);
  metrics.leads("a", false);
  expect(metrics.format().split("\n")).toEqual(
    expect.arrayContaining([
      'fairlead_informer_lists_total{kind="Alert"} 1',
      'fairlead_informer_watches_total{kind="Alert"} 2',
      'fairlead_informer_failures_total{kind="Alert",code="version-expired"} 1',
      'rest_client_requests_total{code="409",host="10.0.0.1:443",method="PATCH"} 1',
      'rest_client_requests_total{code="<error>",host="10.0.0.1:443",method="GET"} 1',
      'leader_election_master_status{name="a"} 0',
      "process_cpu_seconds_total 1.5",
      "process_resident_memory_bytes 1024",
      "process_start_time_seconds 1785542400.25",
    ]),
  );
});

test("three thousand objects have a series each, and no more", () => {
  const metrics = create();
  for (let round = 0; round < 3; round++) {
    for (let index = 0; index < 3000; index++) {
      metrics.observed("ImagePolicy", object(`policy-${index}`));
      metrics.reconciled("ImagePolicy", report({ key: `apps/policy-${index}` }));
    }
  }
  expect(linesOf(metrics, "gotk_reconcile_duration_seconds_count")).toHaveLength(3000);
  expect(linesOf(metrics, "gotk_reconcile_duration_seconds_bucket")).toHaveLength(33_000);
  expect(linesOf(metrics, "gotk_resource_info")).toHaveLength(3000);
  expect(linesOf(metrics, "controller_runtime_reconcile_time_seconds_count")).toHaveLength(1);
});

function condition(type: string, status: string, reason: string): object {
  return { type, status, reason, message: "", lastTransitionTime: "2026-08-01T00:00:00Z" };
}
