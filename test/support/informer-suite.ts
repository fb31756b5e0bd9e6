import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClusterGateway, startClusterGateway } from "./gateway-cluster.ts";
import { type KubernetesCluster, startKubernetes } from "./kubernetes.ts";
import { type InformerLoad, runInformer } from "./kubernetes/informer.ts";
import { describeWithTools } from "./tools.ts";

/** Holds what client-go sees through the gateway under a load to what was written. */
export async function describeInformers(title: string, load: InformerLoad): Promise<void> {
  await describeWithTools(["etcd", "kube-apiserver", "openssl", "go"], title, (paths) => {
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

    test("informers and watches miss and reorder nothing", async () => {
      const kubeconfigs = { gateway: gateway.kubeconfig, server: cluster.kubeconfig };
      const summary = await runInformer(paths.go, cluster.folder, kubeconfigs, load);
      const differing = summary.observers.filter(({ differences }) => differences.length > 0);
      expect({ failures: summary.failures, differing }).toEqual({ failures: [], differing: [] });
      expect(summary.writes).toBe(load.writesPerSecond * load.seconds);
      for (const { name, late, resource, events, bookmarks, watches } of summary.observers) {
        const each = `${name} of ${resource}${late ? ", late" : ""}`;
        expect(events, each).toBeGreaterThan(load.objects);
        if (!name.startsWith("raw")) continue;
        expect(bookmarks, each).toBeGreaterThan(0);
        expect(watches, each).toBeGreaterThan(1);
      }
    });
  });
}
