import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { FairleadError } from "../src/core/error.ts";
import { percentile } from "./percentile.ts";
import { formatMs, type BenchRow } from "./row.ts";
import { type ServedProcess, startServed } from "./served-process.ts";

const alerts = 100;
const objects = 1000;
const minAcceptedPerSecond = 2000;
const maxP99Ms = 50;
const maxMebibytes = 300;
const queued = 100_000;
const seconds = 10;
const connections = 64;

/** The notification server as a process of its own, under load over HTTP. */
export async function benchNotify(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "fairlead-bench-"));
  try {
    return [...(await benchThroughput(folder)), await benchMemory(folder)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchThroughput(folder: string): Promise<BenchRow[]> {
  const sink = await startSink();
  const server = await startServer(path.join(folder, "throughput"), sink.port);
  try {
    await load(server, { ratePerSecond: Number.POSITIVE_INFINITY, seconds: 2 });
    const before = sink.count();
    const full = await load(server, { ratePerSecond: Number.POSITIVE_INFINITY, seconds });
    const delivered = await drain(server, sink, { count: before, sinceMs: full.startMs });
    const half = await load(server, { ratePerSecond: minAcceptedPerSecond / 2, seconds });
    const chart = `${alerts} alerts, ${objects} objects`;
    const p99Ms = percentile(half.latenciesMs, 0.99);
    return [
      {
        what: "events accepted",
        chart,
        fairlead: `${full.perSecond.toFixed(0)} /s`,
        measured: `${full.perSecond.toFixed(0)} /s`,
        bar: `≥ ${minAcceptedPerSecond} /s`,
        isMet: full.perSecond >= minAcceptedPerSecond,
      },
      {
        what: "deliveries, two an event",
        chart,
        fairlead: `${delivered.toFixed(0)} /s`,
        measured: `${delivered.toFixed(0)} /s`,
        bar: "none",
        isMet: true,
      },
      {
        what: "p99 of accepting",
        chart: `${minAcceptedPerSecond / 2} events /s`,
        fairlead: formatMs(p99Ms),
        measured: `${formatMs(p99Ms)} at ${half.perSecond.toFixed(0)} /s`,
        bar: `≤ ${formatMs(maxP99Ms)}`,
        isMet: p99Ms <= maxP99Ms,
      },
    ];
  } finally {
    await server.stop();
    await sink.stop();
  }
}

/** Nothing listens where the deliveries go: they stay queued. */
async function benchMemory(folder: string): Promise<BenchRow> {
  const server = await startServer(path.join(folder, "memory"), 1);
  try {
    let accepted = 0;
    while (accepted < queued / 2) {
      const { latenciesMs } = await load(server, {
        ratePerSecond: Number.POSITIVE_INFINITY,
        seconds: 60,
        count: queued / 2 - accepted,
      });
      accepted += latenciesMs.length;
    }
    const mebibytes = await server.peakMebibytes();
    return {
      what: "memory of the server",
      chart: `${queued.toLocaleString("en")} deliveries queued`,
      fairlead: `${mebibytes.toFixed(0)} MiB`,
      measured: `${mebibytes.toFixed(0)} MiB`,
      bar: `≤ ${maxMebibytes} MiB`,
      isMet: mebibytes <= maxMebibytes,
    };
  } finally {
    await server.stop();
  }
}

interface Sink {
  readonly port: number;
  readonly count: () => number;
  stop(): Promise<void>;
}

/** Takes whatever is delivered. */
async function startSink(): Promise<Sink> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      count += 1;
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface ServerUnderTest extends ServedProcess {
  readonly port: number;
  readonly metricsUrl: string;
}

async function startServer(folder: string, sinkPort: number): Promise<ServerUnderTest> {
  const config = path.join(folder, "config");
  await mkdir(config, { recursive: true });
  await writeFile(path.join(config, "objects.json"), JSON.stringify(objectsOf(sinkPort)));
  const flags = ["--config", config, "--state", path.join(folder, "state.db"), "--allow-loopback"];
  const free = ["--listen", "--receiver-listen", "--metrics-listen", "--admin-listen"];
  const served = await startServed([
    "notify",
    "serve",
    ...flags,
    ...free.flatMap((flag) => [flag, "127.0.0.1:0"]),
  ]);
  return {
    ...served,
    port: Number(served.addresses["events"]?.split(":").at(-1)),
    metricsUrl: `http://${served.addresses["metrics"]}/metrics`,
  };
}

/** Every object is one of two Alerts'; ten Providers share the deliveries. */
function objectsOf(port: number): object {
  const group = "notification.toolkit.fluxcd.io/v1beta3";
  const providers = Array.from({ length: 10 }, (_, index) => ({
    apiVersion: group,
    kind: "Provider",
    metadata: { name: `p${index}`, namespace: "apps" },
    spec: { type: "generic", address: `http://127.0.0.1:${port}/${index}` },
  }));
  const all = Array.from({ length: alerts }, (_, index) => ({
    apiVersion: group,
    kind: "Alert",
    metadata: { name: `a${index}`, namespace: "apps" },
    spec: {
      providerRef: { name: `p${index % 10}` },
      eventSources: Array.from({ length: (objects * 2) / alerts }, (__, source) => ({
        kind: "HelmRelease",
        name: `app-${(index * (objects / alerts) + source) % objects}`,
      })),
      eventMetadata: { cluster: "prod" },
    },
  }));
  return { apiVersion: "v1", kind: "List", items: [...providers, ...all] };
}

interface Load {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Default: as many as the time allows. */
  readonly count?: number;
}

interface LoadResult {
  readonly startMs: number;
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
}

let sent = 0;

async function load({ port }: ServerUnderTest, options: Load): Promise<LoadResult> {
  const { ratePerSecond, seconds: length, count = Number.POSITIVE_INFINITY } = options;
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  let begun = 0;
  const isOver = (): boolean => begun >= count || performance.now() - startMs >= length * 1000;
  const work = async (): Promise<void> => {
    const client = new Client(`http://127.0.0.1:${port}`);
    while (!isOver()) {
      const index = begun++;
      const waitMs = (index / ratePerSecond) * 1000 - (performance.now() - startMs);
      if (waitMs > 0) await sleep(waitMs);
      const beginMs = performance.now();
      const { statusCode, body } = await client.request({
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json" },
        body: eventBody(sent++),
      });
      await body.dump();
      if (statusCode !== 202) throw new FairleadError("tool-failed", `an event was answered ${statusCode}`);
      latenciesMs.push(performance.now() - beginMs);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { startMs, perSecond: latenciesMs.length / ((performance.now() - startMs) / 1000), latenciesMs };
}

/** Waits until everything is delivered, and gives deliveries a second since so many were. */
async function drain(
  { metricsUrl }: ServerUnderTest,
  sink: Sink,
  { count, sinceMs }: { readonly count: number; readonly sinceMs: number },
): Promise<number> {
  for (;;) {
    const text = await (await fetch(metricsUrl)).text();
    if (/^fairlead_notification_queue_depth 0$/mu.test(text)) break;
    await sleep(200);
  }
  return (sink.count() - count) / ((performance.now() - sinceMs) / 1000);
}

function eventBody(index: number): string {
  return JSON.stringify({
    involvedObject: {
      apiVersion: "helm.toolkit.fluxcd.io/v2",
      kind: "HelmRelease",
      name: `app-${index % objects}`,
      namespace: "apps",
    },
    severity: "info",
    timestamp: "2026-08-01T00:00:00Z",
    message: `Helm upgrade succeeded for release apps/app-${index % objects}.v${index} with chart app@1.2.${index}`,
    reason: "UpgradeSucceeded",
    metadata: {
      "helm.toolkit.fluxcd.io/revision": `1.2.${index}`,
      "event.toolkit.fluxcd.io/deploymentID": `e076e315-5a48-41c3-81c8-${index}`,
    },
    reportingController: "helm-controller",
  });
}
