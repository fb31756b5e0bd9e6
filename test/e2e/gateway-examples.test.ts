import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterGateway, startClusterGateway } from "../support/gateway-cluster.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import type { ApiClient, ApiObject } from "../support/kubernetes/api-client.ts";
import { describeWithTools } from "../support/tools.ts";

type Client = "old" | "new";

interface Example {
  readonly name: string;
  readonly creator: Client;
  readonly written: readonly object[];
  readonly old: readonly object[];
  readonly new: readonly object[];
}

const foo = { name: "foo", image: "test-repo/foo" };
const bar = { name: "bar", image: "gcr.io/test-repo/bar" };
const fooSpec = { dockerImage: { registry: "docker.io", name: "test-repo/foo" } };
const barSpec = { dockerImage: { registry: "gcr.io", name: "test-repo/bar" } };
const etcdSpec = { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } };
const flannelSpec = { aci: { name: "coreos.com/flannel" } };
const shown = [
  { ...foo, imageSpec: fooSpec },
  { ...bar, imageSpec: barSpec },
];

/** Document 003, "Examples", the name of the pods of the last two indented as it must be. */
const examples: readonly Example[] = [
  { name: "1: an old client, image", creator: "old", written: [foo, bar], old: [foo, bar], new: shown },
  { name: "2: a new client, image", creator: "new", written: [foo, bar], old: [foo, bar], new: shown },
  {
    name: "3: a new client, imageSpec of Docker images",
    creator: "new",
    written: [
      { name: "foo", imageSpec: fooSpec },
      { name: "bar", imageSpec: barSpec },
    ],
    old: [{ name: "foo", image: "docker.io/test-repo/foo" }, bar],
    new: [
      { name: "foo", image: "docker.io/test-repo/foo", imageSpec: fooSpec },
      { ...bar, imageSpec: barSpec },
    ],
  },
  {
    name: "4: a new client, imageSpec of ACIs",
    creator: "new",
    written: [
      { name: "etcd", imageSpec: etcdSpec },
      { name: "flannel", imageSpec: flannelSpec },
    ],
    old: [
      { name: "etcd", image: "coreos.com/etcd:v2.2.0" },
      { name: "flannel", image: "coreos.com/flannel" },
    ],
    new: [
      { name: "etcd", image: "coreos.com/etcd:v2.2.0", imageSpec: etcdSpec },
      { name: "flannel", image: "coreos.com/flannel", imageSpec: flannelSpec },
    ],
  },
];

interface PodSpec {
  readonly containers: readonly object[];
  readonly initContainers?: readonly object[];
}

/** What an object of a kind holds around a pod's spec. */
interface Kind {
  readonly kind: string;
  readonly path: string;
  readonly wrap: (spec: PodSpec) => object;
  readonly unwrap: (object: ApiObject) => PodSpec;
}

const labels = { app: "test-pod" };
const kinds: readonly Kind[] = [
  {
    kind: "Pod",
    path: "/api/v1/namespaces/default/pods",
    wrap: (spec) => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "test-pod" }, spec }),
    unwrap: (object) => object["spec"] as PodSpec,
  },
  {
    kind: "Deployment",
    path: "/apis/apps/v1/namespaces/default/deployments",
    wrap: (spec) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "test-pod" },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    }),
    unwrap: (object) => (object["spec"] as { readonly template: { readonly spec: PodSpec } }).template.spec,
  },
];

/** In which list of containers the example's stand. */
const lists = ["containers", "initContainers"] as const;
const other = { name: "other", image: "other" };

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "the proposal's examples", (paths) => {
  let cluster: KubernetesCluster;
  let gateway: ClusterGateway;

  beforeAll(async () => {
    cluster = await startKubernetes(paths);
    gateway = await startClusterGateway(cluster);
  });

  afterAll(async () => {
    await gateway?.stop();
    await cluster?.stop();
  });

  const clientOf = (client: Client): ApiClient => (client === "old" ? cluster.api : gateway.api);

  describe.each(kinds)("for $kind", ({ path, wrap, unwrap }) => {
    describe.each(lists)("in %s", (list) => {
      test.each(examples)("$name", async ({ creator, written, ...views }) => {
        const spec =
          list === "containers" ? { containers: written } : { containers: [other], [list]: written };
        const created = await clientOf(creator).post(path, wrap(spec));
        try {
          expect(imagesIn(unwrap(created), list)).toEqual(views[creator]);
          for (const reader of ["old", "new"] as const) {
            const read = await clientOf(reader).get(`${path}/test-pod`);
            expect(imagesIn(unwrap(read), list), `${reader} client, get`).toEqual(views[reader]);
            const { items } = await clientOf(reader).get<{ readonly items: readonly ApiObject[] }>(path);
            expect(
              items.map((item) => imagesIn(unwrap(item), list)),
              `${reader} client, list`,
            ).toEqual([views[reader]]);
          }
        } finally {
          await cluster.api.delete(`${path}/test-pod?gracePeriodSeconds=0`);
        }
      });
    });
  });
});

/** The members that the document shows of each container. */
function imagesIn(spec: PodSpec, list: (typeof lists)[number]): readonly object[] {
  return (spec[list] ?? []).map((container) =>
    Object.fromEntries(
      Object.entries(container).filter(([member]) => ["name", "image", "imageSpec"].includes(member)),
    ),
  );
}
