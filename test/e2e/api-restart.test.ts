import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { apiVersionOf, resourceTypes } from "../../src/cluster/api/resource-types.ts";
import { FairleadError } from "../../src/core/error.ts";
import { installDefinitions } from "../support/custom-resource-definitions.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { describeWithTools } from "../support/tools.ts";

const user = "controllers";
const name = { namespace: "apps", name: "chat" };
const type = resourceTypes.Provider;

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "an API server that starts", (paths) => {
  let cluster: KubernetesCluster;
  let client: ApiClient;

  beforeAll(async () => {
    cluster = await startKubernetes(paths, { users: [user] });
    await installDefinitions(cluster.api);
    await cluster.createNamespace(name.namespace);
    await cluster.grant(
      user,
      { apiGroups: [type.group], resources: ["*"], verbs: ["*"] },
      { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
    );
    const access = {
      url: cluster.url,
      caFile: cluster.authority.certificateFile,
      token: cluster.tokenOf(user),
    };
    const kubeconfig = await writeKubeconfig(`${cluster.folder}/${user}.kubeconfig`, access);
    client = new ApiClient(await openClusterAccess({ kubeconfig }));
    const object = {
      apiVersion: apiVersionOf(type),
      kind: "Provider",
      metadata: name,
      spec: { type: "slack" },
    };
    await client.create(type, object);
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: name };
    await cluster.api.post(`/api/v1/namespaces/${name.namespace}/serviceaccounts`, account);
  });

  afterAll(async () => {
    await client?.close();
    await cluster?.stop();
  });

  test.each<[string, (round: number) => Promise<unknown>]>([
    ["what is read", async () => client.get(type, name)],
    ["what is listed", async () => client.list(type)],
    [
      "what is written",
      async (round) =>
        client.patch(type, name, {
          type: "merge",
          body: { metadata: { annotations: { round: `${round}` } } },
        }),
    ],
    [
      "a token of a ServiceAccount",
      async () =>
        client.createSubresource(resourceTypes.ServiceAccount, name, "token", {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: {},
        }),
    ],
  ])(
    "denies nobody for good: %s",
    async (_name, ask) => {
      const failures = new Map<string, string>();
      const over = new AbortController();
      const asking = (async (): Promise<void> => {
        for (let round = 0; !over.signal.aborted; round++) {
          try {
            await ask(round);
          } catch (error) {
            if (!(error instanceof FairleadError)) throw error;
            failures.set(error.code, error.message);
          }
          await sleep(5);
        }
      })();
      await cluster.restartApiServer();
      await sleep(3_000);
      over.abort();
      await asking;
      expect([...failures.keys()]).toContain("upstream-unreachable");
      const other = [...failures].filter(
        ([code]) => code !== "upstream-unreachable" && code !== "upstream-failed",
      );
      expect(other).toEqual([]);
    },
    90_000,
  );
});
