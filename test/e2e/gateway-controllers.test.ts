import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ClusterGateway, startClusterGateway } from "../support/gateway-cluster.ts";
import { type KubernetesCluster, startControllerManager, startKubernetes } from "../support/kubernetes.ts";
import { createKubectl, type Kubectl } from "../support/kubernetes/kubectl.ts";
import { startKubelet } from "../support/kubernetes/kubelet.ts";
import type { ServerProcess } from "../support/kubernetes/server-process.ts";
import type { RunningPod } from "../support/kubernetes/workloads.ts";
import { describeWithTools } from "../support/tools.ts";

const etcdSpec = { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } };
const flannelSpec = { aci: { name: "coreos.com/flannel" } };
const labels = { app: "all" };
const template = {
  metadata: { labels },
  spec: {
    nodeName: "node-1",
    initContainers: [{ name: "flannel", imageSpec: flannelSpec }],
    containers: [{ name: "etcd", imageSpec: etcdSpec }],
  },
};
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };

interface DaemonSet {
  readonly status: { readonly observedGeneration?: number; readonly desiredNumberScheduled: number };
}

const kinds: readonly (readonly [string, string, object])[] = [
  ["Deployment", "apps/v1", { selector: { matchLabels: labels }, template }],
  ["ReplicaSet", "apps/v1", { selector: { matchLabels: labels }, template }],
  ["StatefulSet", "apps/v1", { selector: { matchLabels: labels }, serviceName: "all", template }],
  ["ReplicationController", "v1", { selector: labels, template }],
  ["Job", "batch/v1", { template: jobTemplate }],
  ["CronJob", "batch/v1", { schedule: "* * * * *", jobTemplate: { spec: { template: jobTemplate } } }],
];

await describeWithTools(
  ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl", "openssl", "go"],
  "controllers and a node behind the gateway",
  (paths) => {
    let cluster: KubernetesCluster;
    let gateway: ClusterGateway;
    let kubectl: Kubectl;
    const running: ServerProcess[] = [];

    beforeAll(async () => {
      cluster = await startKubernetes({
        etcd: paths.etcd,
        "kube-apiserver": paths["kube-apiserver"],
        openssl: paths.openssl,
      });
      gateway = await startClusterGateway(cluster);
      kubectl = createKubectl(paths.kubectl, gateway.kubeconfig, cluster.folder);
      const throughGateway = { ...cluster, kubeconfig: gateway.kubeconfig };
      running.push(
        await startKubelet(paths.go, throughGateway, "node-1"),
        await startControllerManager(paths["kube-controller-manager"], cluster, gateway.kubeconfig),
      );
    });

    afterAll(async () => {
      for (const server of running) await server.stop();
      await gateway?.stop();
      await cluster?.stop();
    });

    /** Waits for a running pod of a namespace. */
    async function expectPodOfAcis(namespace: string): Promise<void> {
      const pod = await vi.waitUntil(
        async () => {
          const { items } = await gateway.api.get<{ readonly items: readonly RunningPod[] }>(
            `/api/v1/namespaces/${namespace}/pods`,
          );
          return items.find(({ status }) => status.phase === "Running");
        },
        { timeout: 60_000, interval: 200 },
      );
      expect(pod.spec).toMatchObject({
        initContainers: [{ name: "flannel", image: "coreos.com/flannel", imageSpec: flannelSpec }],
        containers: [{ name: "etcd", image: "coreos.com/etcd:v2.2.0", imageSpec: etcdSpec }],
      });
    }

    test.each(kinds)("a %s of ACIs has pods of ACIs", async (kind, apiVersion, spec) => {
      const namespace = kind.toLowerCase();
      await cluster.createNamespace(namespace);
      const input = { apiVersion, kind, metadata: { name: "all", namespace }, spec };
      expect(await kubectl("create -f -", { input })).toMatchObject({ exitCode: 0 });
      // The schedule's next minute may be a minute away.
      if (kind === "CronJob") {
        expect(await kubectl(`create job once --from=cronjob/all -n ${namespace}`)).toMatchObject({
          exitCode: 0,
        });
      }
      await expectPodOfAcis(namespace);
    });

    test("a DaemonSet of ACIs waits for a node that runs them", async () => {
      await cluster.createNamespace("daemons");
      const spec = { selector: { matchLabels: labels }, template };
      const input = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "all" }, spec };
      expect(await kubectl("create -n daemons -f -", { input })).toMatchObject({ exitCode: 0 });
      const wanted = async (): Promise<number | undefined> => {
        const { status } = await cluster.api.get<DaemonSet>(
          "/apis/apps/v1/namespaces/daemons/daemonsets/all",
        );
        return status.observedGeneration === undefined ? undefined : status.desiredNumberScheduled;
      };
      await vi.waitUntil(async () => (await wanted()) !== undefined, { timeout: 30_000 });
      expect(await wanted()).toBe(0);
      await kubectl("label node node-1 image-format.fairlead.dev/aci=true");
      await vi.waitUntil(async () => (await wanted()) === 1, { timeout: 30_000 });
      await expectPodOfAcis("daemons");
    });

    test("a rollout ends, and its undoing", async () => {
      await cluster.createNamespace("rollout");
      const run = async (args: string): Promise<void> =>
        expect(await kubectl(`${args} -n rollout`)).toMatchObject({ exitCode: 0 });
      const spec = { selector: { matchLabels: labels }, template };
      const input = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "all" }, spec };
      expect(await kubectl("create -n rollout -f -", { input })).toMatchObject({ exitCode: 0 });
      await run("rollout status deployment/all --timeout=60s");
      await run("set image deployment/all etcd=registry.example/etcd:v1");
      await run("rollout status deployment/all --timeout=60s");
      await run("rollout undo deployment/all");
      await run("rollout status deployment/all --timeout=60s");
      const path = "jsonpath={.items[*].spec.containers[*].imageSpec.aci.name}";
      await vi.waitUntil(
        async () => (await kubectl(`get pods -n rollout -o ${path}`)).stdout === "coreos.com/etcd",
        { timeout: 60_000, interval: 500 },
      );
    });
  },
);
