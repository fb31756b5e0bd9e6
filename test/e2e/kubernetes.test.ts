import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { run, type RunResult } from "../../src/core/process.ts";
import { listen } from "../support/http-server.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { createApiClient } from "../support/kubernetes/api-client.ts";
import { startKubelet } from "../support/kubernetes/kubelet.ts";
import { forwardPort } from "../support/kubernetes/port-forward.ts";
import type { ServerProcess } from "../support/kubernetes/server-process.ts";
import { describeWithTools } from "../support/tools.ts";

await describeWithTools(
  ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl", "openssl", "go"],
  "the control plane of tests",
  (paths) => {
    let cluster: KubernetesCluster;
    let kubelet: ServerProcess;

    beforeAll(async () => {
      cluster = await startKubernetes(paths, { users: ["reader"] });
      kubelet = await startKubelet(paths.go, cluster, "node-1");
      const labels = { app: "web" };
      const container = { name: "web", image: "nginx" };
      const deployment = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { nodeName: "node-1", containers: [container] } },
        },
      };
      const applied = await kubectl(["apply", "-f", "-"], JSON.stringify(deployment));
      expect(applied).toMatchObject({ exitCode: 0, stdout: "deployment.apps/web created\n" });
      const status = await kubectl(["rollout", "status", "deployment/web", "--timeout=60s"]);
      expect(status).toMatchObject({ exitCode: 0 });
    });

    afterAll(async () => {
      await kubelet?.stop();
      await cluster?.stop();
    });

    function kubectl(args: readonly string[], stdin?: string): Promise<RunResult> {
      const all = ["--kubeconfig", cluster.kubeconfig, ...args];
      return run(paths.kubectl, all, stdin === undefined ? {} : { stdin });
    }

    test("runs commands in pods", async () => {
      const command = ["sh", "-c", "cat; echo trouble >&2; exit 7"];
      const result = await kubectl(["exec", "-i", "deployment/web", "--", ...command], "typed");
      expect(result).toEqual({
        exitCode: 7,
        stdout: "typed",
        stderr: "trouble\ncommand terminated with exit code 7\n",
      });
    });

    test("attaches to pods", async () => {
      const result = await kubectl(["attach", "-i", "deployment/web"], "typed");
      expect(result.stdout).toMatch(/^attached to default\/web-.*\ntyped$/u);
    });

    test("gives the logs of pods", async () => {
      const { stdout } = await kubectl(["logs", "deployment/web", "--tail=2"]);
      expect(stdout).toMatch(/^default\/web-\S+\/web line 2\n\S+ line 3\n$/u);
    });

    test("forwards ports of pods", async () => {
      const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
      const [, port = ""] = (await listen(server)).split(":");
      const forward = await forwardPort(paths.kubectl, cluster.kubeconfig, "deployment/web", port);
      try {
        expect(await forward.send("typed")).toBe("typed");
      } finally {
        await forward.stop();
        server.close();
        await once(server, "close");
      }
    });

    test("lets deleted pods go", async () => {
      expect(await kubectl(["delete", "deployment/web", "--wait"])).toMatchObject({ exitCode: 0 });
      await vi.waitUntil(async () => (await kubectl(["get", "pods", "-o", "name"])).stdout === "", {
        timeout: 60_000,
        interval: 500,
      });
    });

    test("lets a user do what was granted alone", async () => {
      const { url, caFile } = cluster;
      const reader = createApiClient({ url, caFile, token: cluster.tokenOf("reader") });
      const status = async (method: string): Promise<number> =>
        (await reader.request(method, "/api/v1/namespaces/default/configmaps", { body: {} })).status;
      expect(await status("GET")).toBe(403);
      await cluster.grant("reader", { apiGroups: [""], resources: ["configmaps"], verbs: ["list"] });
      await vi.waitUntil(async () => (await status("GET")) === 200, { timeout: 10_000 });
      expect(await status("POST")).toBe(403);
      reader.close();
    });

    test("knows clients by their certificates", async () => {
      const { url, caFile, authority } = cluster;
      const client = await authority.issue("operator", ["system:masters"]);
      const operator = createApiClient({ url, caFile, client });
      const review = await operator.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
      expect(review).toMatchObject({ status: { userInfo: { username: "operator" } } });
      operator.close();
    });

    test("lets the front proxy say who asks", async () => {
      const { url, caFile, frontProxy } = cluster;
      const proxy = createApiClient({ url, caFile, client: frontProxy.client });
      const { text } = await proxy.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        body: {},
        headers: { "x-remote-user": "someone", "x-remote-group": "some" },
      });
      expect(JSON.parse(text)).toMatchObject({
        status: { userInfo: { username: "someone", groups: ["some", "system:authenticated"] } },
      });
      proxy.close();
    });
  },
);
