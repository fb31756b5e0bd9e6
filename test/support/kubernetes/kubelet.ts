import path from "node:path";
import { run } from "../../../src/core/process.ts";
import { repositoryRoot } from "../checkout.ts";
import type { KubernetesCluster } from "../kubernetes.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** The programs of test/conformance/kubernetes. */
type GoProgram = "kubelet" | "informer";

const buildTimeoutMs = 10 * 60_000;

/**
 * Builds a Go program of `test/conformance/kubernetes` into a folder, and gives its path.
 * @throws Error with what Go printed
 */
export async function buildGoProgram(go: string, name: GoProgram, folder: string): Promise<string> {
  const program = path.join(folder, name);
  const flags = ["-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", "-s -w"];
  const built = await run(go, ["build", ...flags, "-o", program, `./${name}`], {
    cwd: path.join(repositoryRoot, "test/conformance/kubernetes"),
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
    timeoutMs: buildTimeoutMs,
  });
  if (built.exitCode !== 0) throw new Error(`go build of ${name} failed: ${built.stderr}`);
  return program;
}

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
