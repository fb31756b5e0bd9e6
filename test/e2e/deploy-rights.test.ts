import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { CliIo } from "../../src/cli/io.ts";
import { describeTerminal } from "../../src/cli/output/terminal.ts";
import { runProgram } from "../../src/cli/program.ts";
import { run } from "../../src/core/process.ts";
import { installDefinitions } from "../support/custom-resource-definitions.ts";
import { customKinds, customObject, pathOf } from "../support/custom-resources/kinds.ts";
import { leastSpec } from "../support/custom-resources/valid-objects.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { buildFolder, workloadsOf } from "../support/kustomize.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

interface Looked {
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions?: readonly { readonly type: string }[] };
}

const own = "flux-system";
const account = `/api/v1/namespaces/${own}/serviceaccounts/fairlead-controller`;
const anyPort = ["--metrics-addr", "--health-addr", "--events-listen", "--receiver-addr"].flatMap((flag) => [
  flag,
  "127.0.0.1:0",
]);

await describeWithTools(
  ["etcd", "kube-apiserver", "kubectl", "kustomize", "openssl"],
  "controllers with the rights of their ServiceAccount",
  (paths) => {
    let cluster: KubernetesCluster;
    let folder: TempDir;

    beforeAll(async () => {
      cluster = await startKubernetes(paths);
      folder = await createTempDir("rights");
      await installDefinitions(cluster.api);
      await cluster.createNamespace(own);
    });

    afterAll(async () => {
      await cluster?.stop();
      await folder?.remove();
    });

    async function kubectl(verb: string, items: readonly object[]): Promise<void> {
      const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items });
      const result = await run(paths.kubectl, ["--kubeconfig", cluster.kubeconfig, verb, "-f", "-"], {
        stdin,
      });
      if (result.exitCode !== 0) throw new Error(result.stderr);
    }

    /** Objects whose Secrets are looked for, and who refer to each other. */
    async function createObjects(namespace: string): Promise<void> {
      for (const kind of customKinds) {
        const secretRef = ["ImageRepository", "GitRepository", "Provider"].includes(kind) && {
          name: "token",
        };
        const manifest = customObject(kind, { ...leastSpec(kind), ...(secretRef && { secretRef }) });
        await kubectl("apply", [{ ...manifest, metadata: { namespace, name: "one" } }]);
      }
    }

    test.each<[name: string, namespace: string]>([
      ["deploy/controllers", "default"],
      ["deploy/controllers/one-namespace", own],
    ])("of %s look after objects, and nothing is denied", async (name, namespace) => {
      const manifests = await buildFolder(paths.kustomize, name);
      const access = manifests.filter(({ kind }) => /^ServiceAccount$|Role/u.test(kind));
      await kubectl("apply", access);
      await createObjects(namespace);
      const { status } = await cluster.api.post<{ status: { token: string } }>(`${account}/token`, {
        spec: {},
      });
      const kubeconfig = await writeKubeconfig(path.join(folder.path, "kubeconfig"), {
        url: cluster.url,
        caFile: cluster.caFile,
        token: status.token,
      });
      const [args = []] = workloadsOf(manifests).map(({ spec }) => spec.template.spec.containers[0]?.args);
      const ending = new AbortController();
      let told = "";
      const io: CliIo = {
        stdin: async () => Promise.resolve(new Uint8Array()),
        stdout: () => undefined,
        stderr: (text) => void (told += text),
        env: { RUNTIME_NAMESPACE: own, PATH: process.env["PATH"] },
        stdoutTerminal: describeTerminal({}, {}),
        stderrTerminal: describeTerminal({}, {}),
        signal: ending.signal,
      };
      const place = ["--kubeconfig", kubeconfig, `--storage-path=${path.join(folder.path, namespace)}`];
      const running = runProgram(
        "fairlead",
        [...args, ...place, ...anyPort, "--events-addr=http://127.0.0.1:1/"],
        io,
      );
      try {
        for (const kind of customKinds.filter((kind) => kind !== "GitRepository")) {
          const target = `${pathOf(kind).replace("/default/", `/${namespace}/`)}/one`;
          await vi.waitFor(
            async () => {
              const { status } = await cluster.api.get<Looked>(target);
              expect(
                status.conditions?.map(({ type }) => type),
                `${kind}: ${told}`,
              ).toContain("Ready");
            },
            { timeout: 30_000, interval: 200 },
          );
        }
      } finally {
        ending.abort();
        await running;
        await kubectl("delete", access);
      }
      expect(told).toContain("controllers are running");
      expect(told).not.toMatch(/denied|forbidden/iu);
    });
  },
);
