import type { KubernetesCluster } from "../kubernetes.ts";
import { buildGoProgram } from "./go-program.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/**
 * Makes a node whose kubelet is the stand-in: pods bound to it by `spec.nodeName` run at once, deleted ones go,
 * and exec, attach, port-forward and logs are served: commands run on this machine, ports are its own.
 * @param go the path of the component `go`
 */
export async function startKubelet(
  go: string,
  cluster: KubernetesCluster,
  node: string,
): Promise<ServerProcess> {
  const program = await buildGoProgram(go, "kubelet", cluster.folder);
  const serving = await cluster.authority.issue(`kubelet-${node}`);
  let port: number | undefined;
  const kubelet = await startServerProcess({
    name: `kubelet-${node}`,
    program,
    folder: cluster.folder,
    args: [
      `--node=${node}`,
      `--kubeconfig=${cluster.kubeconfig}`,
      `--certificate=${serving.certificateFile}`,
      `--key=${serving.keyFile}`,
      `--client-ca=${cluster.authority.certificateFile}`,
    ],
    isReady: (log) => {
      const found = /^\{"port":(?<port>\d+)\}$/mu.exec(log)?.groups?.["port"];
      port = found === undefined ? undefined : Number(found);
      return port !== undefined;
    },
  });
  await cluster.createNode(node, port === undefined ? {} : { kubeletPort: port });
  return kubelet;
}
