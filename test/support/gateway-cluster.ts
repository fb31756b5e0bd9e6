import path from "node:path";
import { buildCommands, commandEnvironment, commandLine } from "./cli.ts";
import type { KubernetesCluster } from "./kubernetes.ts";
import { type ApiAccess, type ApiClient, createApiClient } from "./kubernetes/api-client.ts";
import { writeKubeconfig } from "./kubernetes/kubeconfig.ts";
import { startServerProcess } from "./kubernetes/server-process.ts";

/** A `fairlead gateway` in front of a test's control plane. */
export interface ClusterGateway extends ApiAccess {
  /** As the control plane's admin. */
  readonly api: ApiClient;
  /** Of that admin. */
  readonly kubeconfig: string;
  /** A kubeconfig of someone else, by token or client certificate, for the gateway. */
  kubeconfigOf(user: string, who: Pick<ApiAccess, "token" | "client">): Promise<string>;
  /** All that it has logged. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the built command on free loopback ports, with TLS, client certificates of the control plane's authority
 * and a front proxy's certificate.
 */
export async function startClusterGateway(cluster: KubernetesCluster): Promise<ClusterGateway> {
  await buildCommands();
  const { authority, frontProxy, folder } = cluster;
  const serving = await authority.issue("gateway");
  const [program = "", ...args] = commandLine("fairlead", [
    "gateway",
    `--upstream=${cluster.url}`,
    `--upstream-ca-file=${cluster.caFile}`,
    `--front-proxy-cert-file=${frontProxy.client.certificateFile}`,
    `--front-proxy-key-file=${frontProxy.client.keyFile}`,
    "--listen=127.0.0.1:0",
    `--tls-cert-file=${serving.certificateFile}`,
    `--tls-key-file=${serving.keyFile}`,
    `--client-ca-file=${authority.certificateFile}`,
    "--metrics-listen=127.0.0.1:0",
    "--grace=0s",
  ]);
  let address: string | undefined;
  const server = await startServerProcess({
    name: "gateway",
    program,
    args,
    folder,
    env: commandEnvironment(),
    isReady: (log) => {
      address = /^\{"gateway":"(?<address>[^"]+)"/mu.exec(log)?.groups?.["address"];
      return address !== undefined;
    },
  });
  const gateway = { url: `https://${address ?? ""}`, caFile: authority.certificateFile };
  const access = { ...gateway, token: cluster.token };
  const api = createApiClient(access);
  const kubeconfigOf: ClusterGateway["kubeconfigOf"] = (user, who) =>
    writeKubeconfig(path.join(folder, `gateway-${user}.kubeconfig`), { ...gateway, ...who });
  return {
    ...access,
    api,
    log: () => server.log(),
    kubeconfig: await kubeconfigOf("admin", { token: cluster.token }),
    kubeconfigOf,
    stop: async () => {
      api.close();
      await server.stop();
    },
  };
}
