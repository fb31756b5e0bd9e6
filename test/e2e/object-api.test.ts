import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { type KubernetesCluster, type KubernetesPrograms, startKubernetes } from "../support/kubernetes.ts";
import {
  describeObjectApi,
  type ObjectApiHost,
  type Widget,
  widgets,
} from "../support/object-api-contract.ts";
import { describeWithTools } from "../support/tools.ts";

const { group, version, resource } = widgets;
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${resource}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: resource, singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
      },
    ],
  },
};

async function openHost(programs: KubernetesPrograms): Promise<ObjectApiHost> {
  const cluster = await startKubernetes(programs);
  await define(cluster);
  const api = new ApiClient(await openClusterAccess({ kubeconfig: cluster.kubeconfig }));
  const namespaces = new Set<string>();
  return {
    api,
    apply: async (...manifests) => {
      for (const manifest of manifests) {
        const { namespace } = manifest.metadata;
        if (!namespaces.has(namespace)) await cluster.createNamespace(namespace);
        namespaces.add(namespace);
        const patch = { type: "apply", body: manifest, force: true } as const;
        await api.patch(widgets, manifest.metadata, patch, { fieldManager: "owner" });
      }
    },
    remove: async (...manifests: readonly Widget[]) => {
      for (const { metadata } of manifests) await api.delete(widgets, metadata);
    },
    restart: async () => cluster.restartApiServer(),
    stop: async () => {
      await api.close();
      await cluster.stop();
    },
  };
}

/** Gives when objects of the kind can be made. */
async function define({ api }: KubernetesCluster): Promise<void> {
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  const list = `/apis/${group}/${version}/${resource}`;
  while ((await api.request("GET", list)).status !== 200) await sleep(100);
}

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "with an API server", (paths) => {
  describeObjectApi("the objects of a cluster", async () => openHost(paths));
});
