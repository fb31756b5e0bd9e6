import path from "node:path";
import { createTranslate } from "../../src/imagespec/gateway/translate.ts";
import { startTestGateway } from "./gateway.ts";
import type { KubernetesCluster } from "./kubernetes.ts";
import { type ApiAccess, type ApiClient, createApiClient } from "./kubernetes/api-client.ts";
import { writeKubeconfig } from "./kubernetes/kubeconfig.ts";

/** A gateway in front of a test's control plane, with TLS, client certificates and a front proxy's certificate. */
export interface ClusterGateway extends ApiAccess {
  /** As the control plane's admin. */
  readonly api: ApiClient;
  /** Of that admin. */
  readonly kubeconfig: string;
  /** A kubeconfig of someone else, by token or client certificate, for the gateway. */
  kubeconfigOf(user: string, who: Pick<ApiAccess, "token" | "client">): Promise<string>;
  /** What the gateway has logged. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

/** Starts a gateway on a free loopback port. */
export async function startClusterGateway(cluster: KubernetesCluster): Promise<ClusterGateway> {
  const { authority, frontProxy, folder } = cluster;
  const serving = await authority.issue("gateway");
  const gateway = await startTestGateway(cluster.url, {
    translate: createTranslate(),
    upstreamCaFile: cluster.caFile,
    tls: { cert: serving.certificateFile, key: serving.keyFile },
    clientCaFile: authority.certificateFile,
    frontProxy: { cert: frontProxy.client.certificateFile, key: frontProxy.client.keyFile },
  });
  const server = { url: gateway.url, caFile: authority.certificateFile };
  const access = { ...server, token: cluster.token };
  const api = createApiClient(access);
  const kubeconfigOf: ClusterGateway["kubeconfigOf"] = (user, who) =>
    writeKubeconfig(path.join(folder, `gateway-${user}.kubeconfig`), { ...server, ...who });
  return {
    ...access,
    api,
    log: gateway.log,
    kubeconfig: await kubeconfigOf("admin", { token: cluster.token }),
    kubeconfigOf,
    stop: async () => {
      api.close();
      await gateway.stop(0);
    },
  };
}
