import { setTimeout as sleep } from "node:timers/promises";
import { installDefinitions } from "../test/support/custom-resource-definitions.ts";
import { imagePolicy, imageRepository } from "../test/support/flux-objects.ts";
import { freePort, startHttpServer, type TestServer } from "../test/support/http-server.ts";
import { type KubernetesCluster, startKubernetes } from "../test/support/kubernetes.ts";
import { installTool } from "../tools/install.ts";
import { type BenchRow, formatMs } from "./row.ts";
import { type ServedProcess, startServed } from "./served-process.ts";

const namespace = "bench";
const repositoryCount = 1000;
const policyCount = 2000;
const tagCount = 50;
const idleMs = 10 * 60_000;
const quietMs = 5_000;
const maxIdleCpu = 0.01;
const maxMebibytes = 400;
const group = "/apis/image.toolkit.fluxcd.io/v1";
const collection = `${group}/namespaces/${namespace}`;
const shardLabel = "sharding.fluxcd.io/key";
const shards = ["shard1", "shard2"];

/** What all controllers in one process, and in two shards, take for many objects. */
export async function benchControllers(): Promise<BenchRow[]> {
  const registry = await startRegistry();
  const cluster = await startKubernetes({
    etcd: (await installTool("etcd")).path,
    "kube-apiserver": (await installTool("kube-apiserver")).path,
    openssl: "openssl",
  });
  try {
    await installDefinitions(cluster.api);
    await fill(cluster, registry);
    return [...(await benchOneProcess(cluster)), ...(await benchShards(cluster))];
  } finally {
    await cluster.stop();
    await registry.stop();
  }
}

async function benchOneProcess(cluster: KubernetesCluster): Promise<BenchRow[]> {
  const startMs = performance.now();
  const controller = await startController(cluster);
  try {
    await untilReady(cluster);
    const readyMs = performance.now() - startMs;
    const requests = await readCounters(controller);
    const before = await untilQuiet(controller);
    await sleep(idleMs);
    const after = await readCounters(controller);
    const cpu = (after.cpuSeconds - before.cpuSeconds) / (idleMs / 1000);
    const perHour = (after.requests - before.requests) * (3_600_000 / idleMs);
    const mebibytes = await controller.peakMebibytes();
    const rowOf = (what: string, measured: string, bar = "none", isMet = true): BenchRow => ({
      what,
      chart: `${repositoryCount} repositories, ${policyCount} policies`,
      fairlead: "",
      measured,
      bar,
      isMet,
    });
    return [
      rowOf("from start to all Ready", `${formatMs(readyMs)}, ${requests.requests} API requests`),
      rowOf(
        "memory at most",
        `${mebibytes.toFixed(0)} MiB`,
        `< ${maxMebibytes} MiB`,
        mebibytes < maxMebibytes,
      ),
      rowOf(
        `CPU over ${idleMs / 60_000} idle minutes`,
        `${(cpu * 100).toFixed(2)} %`,
        `< ${maxIdleCpu * 100} %`,
        cpu < maxIdleCpu,
      ),
      rowOf("API requests an hour while idle", perHour.toFixed(0)),
    ];
  } finally {
    await controller.stop();
  }
}

/** Kubernetes Events go on after their objects are Ready. */
async function untilQuiet(controller: ServedProcess): Promise<Counters> {
  for (let last = await readCounters(controller); ;) {
    await sleep(quietMs);
    const now = await readCounters(controller);
    if (now.requests === last.requests) return now;
    last = now;
  }
}

/** Everything is asked for anew, of two processes that have half of it each. */
async function benchShards(cluster: KubernetesCluster): Promise<BenchRow[]> {
  const one = await startController(cluster);
  let oneMs: number;
  try {
    oneMs = await timeRequests(cluster, [one], "one process");
  } finally {
    await one.stop();
  }
  const two = await Promise.all(
    shards.map(async (shard) => startController(cluster, `--watch-label-selector=${shardLabel}=${shard}`)),
  );
  try {
    const twoMs = await timeRequests(cluster, two, "two shards");
    const counts = await Promise.all(two.map(async (each) => (await readCounters(each)).repositories));
    const isSplit = counts.every((count) => count === repositoryCount / shards.length);
    return [
      {
        what: "all repositories asked for anew, two shards",
        chart: `${repositoryCount} repositories`,
        fairlead: formatMs(twoMs),
        helm: `one process ${formatMs(oneMs)}`,
        measured: `objects of each: ${counts.join(" and ")}`,
        bar: "half each",
        isMet: isSplit,
      },
    ];
  } finally {
    await Promise.all(two.map(async (each) => each.stop()));
  }
}

async function timeRequests(
  cluster: KubernetesCluster,
  controllers: readonly ServedProcess[],
  requestedAt: string,
): Promise<number> {
  while (!(await Promise.all(controllers.map(isServing))).every(Boolean)) await sleep(100);
  const startMs = performance.now();
  const body = { metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": requestedAt } } };
  await eachOf(repositoryCount, async (index) => {
    await cluster.api.patch(`${collection}/imagerepositories/r${index}`, "merge", body);
  });
  const isDone = ({ status }: ListedObject): boolean => status?.lastHandledReconcileAt === requestedAt;
  await until(cluster, "imagerepositories", isDone);
  return performance.now() - startMs;
}

async function startController(
  cluster: KubernetesCluster,
  ...flags: readonly string[]
): Promise<ServedProcess> {
  const addresses = ["metrics-addr", "health-addr", "receiver-addr"];
  return startServed([
    "controller",
    "--kubeconfig",
    cluster.kubeconfig,
    ...addresses.map((flag) => `--${flag}=127.0.0.1:0`),
    `--events-listen=127.0.0.1:${await freePort()}`,
    ...flags,
  ]);
}

async function isServing({ addresses }: ServedProcess): Promise<boolean> {
  return (await fetch(`http://${addresses["health"]}/readyz`)).ok;
}

interface Counters {
  readonly cpuSeconds: number;
  readonly requests: number;
  /** Objects that it reconciles. */
  readonly repositories: number;
}

async function readCounters({ addresses }: ServedProcess): Promise<Counters> {
  const text = await (await fetch(`http://${addresses["metrics"]}/metrics`)).text();
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((total, { groups }) => total + Number(groups?.["value"]), 0);
  return {
    cpuSeconds: sum(/^process_cpu_seconds_total (?<value>\S+)$/gmu),
    requests: sum(/^rest_client_requests_total\{.*\} (?<value>\S+)$/gmu),
    repositories: [...text.matchAll(/^gotk_resource_info\{.*customresource_kind="ImageRepository".*\} 1$/gmu)]
      .length,
  };
}

interface ListedObject {
  readonly status?: {
    readonly lastHandledReconcileAt?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function isReady({ status }: ListedObject): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
}

async function untilReady(cluster: KubernetesCluster): Promise<void> {
  await until(cluster, "imagerepositories", isReady);
  await until(cluster, "imagepolicies", isReady);
}

async function until(
  cluster: KubernetesCluster,
  resource: string,
  holds: (object: ListedObject) => boolean,
): Promise<void> {
  for (;;) {
    const { items } = await cluster.api.get<{ readonly items: readonly ListedObject[] }>(
      `${collection}/${resource}?resourceVersion=0`,
    );
    if (items.every(holds)) return;
    await sleep(500);
  }
}

function labelsOf(index: number): Readonly<Record<string, string>> {
  return { [shardLabel]: shards[index % shards.length] ?? "" };
}

async function fill(cluster: KubernetesCluster, registry: TestServer): Promise<void> {
  await cluster.createNamespace(namespace);
  await eachOf(repositoryCount, async (index) => {
    const metadata = { name: `r${index}`, namespace, labels: labelsOf(index) };
    const spec = { image: `${registry.host}/bench/r${index}`, interval: "1h" };
    await cluster.api.post(`${collection}/imagerepositories`, imageRepository(metadata, spec));
  });
  await eachOf(policyCount, async (index) => {
    const repository = index % repositoryCount;
    const metadata = { name: `p${index}`, namespace, labels: labelsOf(repository) };
    const spec = {
      imageRepositoryRef: { name: `r${repository}` },
      policy: { semver: { range: index < repositoryCount ? ">=1.0.0" : "~1.3.0" } },
    };
    await cluster.api.post(`${collection}/imagepolicies`, imagePolicy(metadata, spec));
  });
}

async function eachOf(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const go = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, go));
}

/** A registry that has the same tags for every name. */
async function startRegistry(): Promise<TestServer> {
  const tags = Array.from({ length: tagCount }, (_, index) => `1.${index % 5}.${index}`);
  const body = JSON.stringify({ name: "bench", tags });
  return startHttpServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(request.url === "/v2/" ? "{}" : body);
  });
}
