import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { resourceTypes } from "../../src/cluster/api/resource-types.ts";
import { installDefinitions } from "../support/custom-resource-definitions.ts";
import { describeImageControllers, type ImageControllerHost } from "../support/image-controller-contract.ts";
import { type KubernetesPrograms, startKubernetes } from "../support/kubernetes.ts";
import { describeWithTools } from "../support/tools.ts";

async function openHost(programs: KubernetesPrograms): Promise<ImageControllerHost> {
  const cluster = await startKubernetes(programs);
  await installDefinitions(cluster.api);
  const open = async (): Promise<ApiClient> =>
    new ApiClient(await openClusterAccess({ kubeconfig: cluster.kubeconfig }));
  let api = await open();
  return {
    get api() {
      return api;
    },
    createNamespace: async (name) => cluster.createNamespace(name),
    create: async (object) => {
      await api.create(resourceTypes[object.kind], object);
    },
    patch: async (kind, name, body) => {
      await api.patch(resourceTypes[kind], name, { type: "merge", body });
    },
    delete: async (kind, name) => api.delete(resourceTypes[kind], name),
    restart: async () => {
      await api.close();
      api = await open();
    },
    stop: async () => {
      await api.close();
      await cluster.stop();
    },
  };
}

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "with an API server", (programs) => {
  describeImageControllers("the image controllers of a cluster", async () => openHost(programs));
});
