import { readFileSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { FairleadError } from "../src/core/error.ts";
import { type KubernetesCluster, startKubernetes } from "../test/support/kubernetes.ts";
import { installTool } from "../tools/install.ts";
import { percentile } from "./percentile.ts";
import { formatMs, type BenchRow } from "./row.ts";
import { type ServedProcess, startServed } from "./served-process.ts";

const namespace = "bench";
const pods = `/api/v1/namespaces/${namespace}/pods`;
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const listedPods = 1000;
const gets = 1000;
const creates = 200;
const lists = 15;
const events = 200;
const openWatches = 5000;
const maxAddedGetMs = 1.5;
const maxListRatio = 1.5;
const maxMebibytes = 500;

/** The gateway as a process of its own beside the API server itself, both by HTTP/2 and TLS. */
export async function benchGateway(): Promise<BenchRow[]> {
  const cluster = await startKubernetes({
    etcd: (await installTool("etcd")).path,
    "kube-apiserver": (await installTool("kube-apiserver")).path,
    openssl: "openssl",
  });
  const gateway = await startGateway(cluster);
  try {
    await fill(cluster);
    const direct = new Client(cluster.url, cluster.caFile, cluster.token);
    const through = new Client(
      `https://${gateway.addresses["gateway"]}`,
      cluster.authority.certificateFile,
      cluster.token,
    );
    try {
      return [
        ...(await benchPairs("get of a pod", gets, (client) => client.get(`${pods}/p1`), {
          direct,
          through,
        })),
        ...(await benchCreates({ direct, through })),
        ...(await benchLists({ direct, through })),
        await benchEvents({ direct, through }),
        await benchWatches(through, gateway),
      ];
    } finally {
      direct.close();
      through.close();
    }
  } finally {
    await gateway.stop();
    await cluster.stop();
  }
}

interface Clients {
  readonly direct: Client;
  readonly through: Client;
}

async function startGateway(cluster: KubernetesCluster): Promise<ServedProcess> {
  const { certificateFile, keyFile } = await cluster.authority.issue("bench-gateway");
  const tls = ["--tls-cert-file", certificateFile, "--tls-key-file", keyFile];
  const upstream = ["--upstream", cluster.url, "--upstream-ca-file", cluster.caFile];
  const listen = ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"];
  return startServed(["gateway", ...upstream, ...tls, ...listen]);
}

/** Pods such as a cluster has: some environment, probes, volumes, and the fields that managers own. */
async function fill(cluster: KubernetesCluster): Promise<void> {
  await cluster.createNamespace(namespace);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < listedPods)
      await cluster.api.post(pods, podOf(`p${next++}`, { image: "quay.io/org/app:v1" }));
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

function podOf(name: string, image: object): object {
  const env = Array.from({ length: 12 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `value ${index} of ${name}`,
  }));
  const probe = { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 10 };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "bench", "app.kubernetes.io/name": name } },
    spec: {
      containers: [
        { name: "app", ...image, env, livenessProbe: probe, readinessProbe: probe },
        {
          name: "sidecar",
          image: "quay.io/org/sidecar:v2",
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      volumes: [{ name: "data", emptyDir: {} }],
    },
  };
}

async function benchPairs(
  what: string,
  count: number,
  ask: (client: Client, index: number) => Promise<number>,
  { direct, through }: Clients,
): Promise<BenchRow[]> {
  const times: { readonly direct: number[]; readonly through: number[] } = { direct: [], through: [] };
  for (let index = 0; index < count + 50; index++) {
    const directMs = await ask(direct, index * 2);
    const throughMs = await ask(through, index * 2 + 1);
    // The first ones find nothing compiled, on either side.
    if (index < 50) continue;
    times.direct.push(directMs);
    times.through.push(throughMs);
  }
  return [0.5, 0.99].map((share) => {
    const base = percentile(times.direct, share);
    const own = percentile(times.through, share);
    const isHeld = what.startsWith("get") && share === 0.5;
    return {
      what: `${what}, p${share * 100}`,
      chart: "gateway",
      fairlead: formatMs(own),
      helm: formatMs(base),
      measured: `${(own - base).toFixed(2)} ms added`,
      bar: isHeld ? `< ${maxAddedGetMs} ms added` : "none",
      isMet: !isHeld || own - base < maxAddedGetMs,
    };
  });
}

async function benchCreates(clients: Clients): Promise<BenchRow[]> {
  const spec = { imageSpec: { aci: { name: "example.com/app", tag: "v1" } } };
  const create = async (client: Client, index: number): Promise<number> =>
    client.post(
      pods,
      podOf(`n${index}`, client === clients.through ? spec : { image: "example.com/app:v1" }),
    );
  return benchPairs("create of a pod by its imageSpec", creates, create, clients);
}

async function benchLists({ direct, through }: Clients): Promise<BenchRow[]> {
  const target = `${pods}?limit=${listedPods}&resourceVersion=0`;
  const ratios: number[] = [];
  const times: { readonly direct: number[]; readonly through: number[] } = { direct: [], through: [] };
  for (let round = 0; round < lists + 3; round++) {
    const directMs = await direct.get(target);
    const throughMs = await through.get(target);
    if (round < 3) continue;
    times.direct.push(directMs);
    times.through.push(throughMs);
    ratios.push(throughMs / directMs);
  }
  const ratio = percentile(ratios, 0.5);
  return [
    {
      what: `list of ${listedPods} pods`,
      chart: "gateway",
      fairlead: formatMs(percentile(times.through, 0.5)),
      helm: formatMs(percentile(times.direct, 0.5)),
      measured: ratio.toFixed(2),
      bar: `< ${maxListRatio}`,
      isMet: ratio < maxListRatio,
    },
  ];
}

/** How much later an event is seen through the gateway. */
async function benchEvents({ direct, through }: Clients): Promise<BenchRow> {
  const target = `${pods}?watch=1&fieldSelector=metadata.name=p1`;
  const seen = { direct: new Map<string, number>(), through: new Map<string, number>() };
  const watches = [direct.watch(target, onRound(seen.direct)), through.watch(target, onRound(seen.through))];
  for (let round = 0; round < events; round++) {
    await direct.patch(`${pods}/p1`, { metadata: { annotations: { round: `round-${round}.` } } });
  }
  const endsAtMs = performance.now() + 10_000;
  const last = `round-${events - 1}.`;
  while (!(seen.direct.has(last) && seen.through.has(last))) {
    if (performance.now() > endsAtMs) throw new FairleadError("timeout", "a watch saw too little");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const watch of watches) watch.close();
  const added = Array.from(
    seen.direct,
    ([round, atMs]) => (seen.through.get(round) ?? Number.POSITIVE_INFINITY) - atMs,
  );
  return {
    what: "watch event, p50",
    chart: "gateway",
    fairlead: "",
    measured: `${percentile(added, 0.5).toFixed(2)} ms added, p99 ${percentile(added, 0.99).toFixed(2)} ms`,
    bar: "none",
    isMet: true,
  };
}

function onRound(seen: Map<string, number>): (chunk: string) => void {
  let text = "";
  return (chunk) => {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const round = /"round":"(?<round>round-\d+\.)"/u.exec(line)?.groups?.["round"];
      if (round !== undefined && !seen.has(round)) seen.set(round, performance.now());
    }
  };
}

async function benchWatches(through: Client, gateway: ServedProcess): Promise<BenchRow> {
  const opened: Promise<void>[] = [];
  for (let index = 0; index < openWatches; index++) {
    opened.push(through.openWatch(`${configMaps}?watch=1&fieldSelector=metadata.name=c${index}`));
    // The API server sheds what comes all at once.
    if (index % 50 === 49) await Promise.all(opened);
  }
  await Promise.all(opened);
  const mebibytes = await gateway.peakMebibytes();
  return {
    what: `${openWatches.toLocaleString("en")} open watches`,
    chart: "gateway",
    fairlead: `${mebibytes.toFixed(0)} MiB`,
    measured: `${mebibytes.toFixed(0)} MiB`,
    bar: `≤ ${maxMebibytes} MiB`,
    isMet: mebibytes <= maxMebibytes,
  };
}

/** One HTTP/2 connection, as client-go has it. */
class Client {
  readonly #session: ClientHttp2Session;
  readonly #token: string;

  constructor(url: string, caFile: string, token: string) {
    this.#session = connect(url, { ca: readFileSync(caFile), peerMaxConcurrentStreams: 10_000 } as object);
    this.#session.setMaxListeners(0);
    this.#token = token;
  }

  /** @returns how long the answer took, in milliseconds */
  async get(target: string): Promise<number> {
    return this.#ask("GET", target);
  }

  async post(target: string, body: object): Promise<number> {
    return this.#ask("POST", target, "application/json", body);
  }

  async patch(target: string, body: object): Promise<number> {
    return this.#ask("PATCH", target, "application/merge-patch+json", body);
  }

  watch(target: string, onText: (chunk: string) => void): { close(): void } {
    const stream = this.#session.request({ ...this.#headers("GET", target) });
    stream.setEncoding("utf8").on("data", onText);
    stream.end();
    return { close: () => stream.close() };
  }

  async openWatch(target: string): Promise<void> {
    const stream = this.#session.request({ ...this.#headers("GET", target) });
    stream
      .on("error", () => undefined)
      .resume()
      .end();
    await statusOf(stream, target);
  }

  close(): void {
    this.#session.destroy();
  }

  #headers(method: string, target: string): Record<string, string> {
    return {
      ":method": method,
      ":path": target,
      accept: "application/json",
      authorization: `Bearer ${this.#token}`,
    };
  }

  async #ask(method: string, target: string, contentType?: string, body?: object): Promise<number> {
    const startMs = performance.now();
    const type = contentType === undefined ? {} : { "content-type": contentType };
    const stream = this.#session.request({ ...this.#headers(method, target), ...type });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const ended = new Promise<void>((resolve, reject) => {
      stream.once("end", resolve).once("error", reject);
    });
    await statusOf(stream, target);
    stream.resume();
    await ended;
    return performance.now() - startMs;
  }
}

async function statusOf(stream: ClientHttp2Stream, target: string): Promise<void> {
  const status = await new Promise<number>((resolve, reject) => {
    stream.once("response", (headers) => resolve(Number(headers[":status"])));
    stream.once("error", reject);
  });
  if (status >= 300) throw new FairleadError("upstream-failed", `${target} was answered with ${status}`);
}
