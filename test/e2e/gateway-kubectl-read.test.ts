import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand } from "../support/cli.ts";
import { type ClusterGateway, startClusterGateway } from "../support/gateway-cluster.ts";
import { listen } from "../support/http-server.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { createKubectl, type Kubectl } from "../support/kubernetes/kubectl.ts";
import { startKubelet } from "../support/kubernetes/kubelet.ts";
import { forwardPort } from "../support/kubernetes/port-forward.ts";
import type { ServerProcess } from "../support/kubernetes/server-process.ts";
import { podManifest } from "../support/kubernetes/workloads.ts";
import { describeWithTools } from "../support/tools.ts";

const node = "node-1";
const etcdSpec = { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } };
const containers = [
  { name: "web", imageSpec: { dockerImage: { registry: "registry.example", name: "team/web", tag: "v1" } } },
  { name: "etcd", imageSpec: etcdSpec },
];

interface ShownPod {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly containers: readonly object[];
    readonly ephemeralContainers?: readonly object[];
  };
}

await describeWithTools(
  ["etcd", "kube-apiserver", "kubectl", "openssl", "go"],
  "kubectl through the gateway",
  (paths) => {
    let cluster: KubernetesCluster;
    let gateway: ClusterGateway;
    let kubelet: ServerProcess;
    let kubectl: Kubectl;

    beforeAll(async () => {
      cluster = await startKubernetes(paths);
      kubelet = await startKubelet(paths.go, cluster, node);
      gateway = await startClusterGateway(cluster);
      kubectl = createKubectl(paths.kubectl, gateway.kubeconfig, cluster.folder);
      await succeed("create -f -", { input: podManifest("web", containers, node) });
      await succeed("wait pod/web --for=condition=Ready --timeout=60s");
    });

    afterAll(async () => {
      await gateway?.stop();
      await kubelet?.stop();
      await cluster?.stop();
    });

    /** Runs kubectl and expects it to succeed. */
    async function succeed(...given: Parameters<Kubectl>): Promise<string> {
      const result = await kubectl(...given);
      expect(result, result.stderr).toMatchObject({ exitCode: 0 });
      return result.stdout;
    }

    test("fairlead gateway kubeconfig makes kubectl see imageSpec", async () => {
      const kubeconfig = path.join(cluster.folder, "made.kubeconfig");
      const made = await runCommand("fairlead", [
        "gateway",
        "kubeconfig",
        `--server=${gateway.url}`,
        `--certificate-authority=${gateway.caFile}`,
        `--kubeconfig=${cluster.kubeconfig}`,
        `--output=${kubeconfig}`,
      ]);
      expect(made).toMatchObject({ exitCode: 0 });
      expect(await succeed("get pod/web -o yaml", { kubeconfig })).toContain("imageSpec:");
      expect(await succeed("get pod/web -o yaml", { kubeconfig: cluster.kubeconfig })).not.toContain(
        "imageSpec:",
      );
    });

    test.each(["json", "yaml"])("get -o %s shows imageSpec", async (format) => {
      const text = await succeed(`get pod/web -o ${format}`);
      expect(text).toMatch(/"?imageSpec"?:/u);
      expect(text).toMatch(/"?name"?: "?team\/web"?/u);
    });

    test("get -o jsonpath reads of imageSpec", async () => {
      const format = "jsonpath={.spec.containers[*].imageSpec.aci.name}";
      expect(await succeed(["get", "pod", "web", "-o", format])).toBe("coreos.com/etcd");
    });

    test("get prints tables", async () => {
      expect(await succeed("get pods")).toMatch(/^web\s+2\/2\s+Running/mu);
      expect(await succeed("get pods -o wide")).toMatch(/^web\s+2\/2\s+Running.*\s127\.0\.0\.1\s+node-1/mu);
    });

    test("describe tells the images of old clients", async () => {
      const text = await succeed("describe pod/web");
      expect(text).toMatch(/Image:\s+registry\.example\/team\/web:v1/u);
      expect(text).toMatch(/Image:\s+coreos\.com\/etcd:v2\.2\.0/u);
    });

    test.each([
      ["objects", ["-o", "json"], /"aci"/u],
      ["a table", [], /^watched\s/mu],
    ])("get --watch prints %s as they change", async (_title, format, expected) => {
      const args = ["get", "pods", "--watch-only", ...format];
      const watch = spawn(paths.kubectl, ["--kubeconfig", gateway.kubeconfig, ...args], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(watch, "exit");
      const lines: string[] = [];
      createInterface({ input: watch.stdout }).on("line", (line) => lines.push(line));
      try {
        // Until the watch stands nothing is seen: each round makes a change.
        await vi.waitUntil(
          async () => {
            await cluster.api.request("DELETE", "/api/v1/namespaces/default/pods/watched");
            await gateway.api.request("POST", "/api/v1/namespaces/default/pods", {
              body: podManifest("watched", [{ name: "etcd", imageSpec: etcdSpec }]),
            });
            return expected.test(lines.join("\n"));
          },
          { timeout: 30_000, interval: 200 },
        );
      } finally {
        watch.kill("SIGTERM");
        await ended;
        await cluster.api.request("DELETE", "/api/v1/namespaces/default/pods/watched");
      }
    });

    test.each([
      ["pod.spec.containers.imageSpec", "aci"],
      ["pod.spec.initContainers.imageSpec.dockerImage", "registry"],
      ["pod.spec.ephemeralContainers.imageSpec.aci", "id"],
      ["deployment.spec.template.spec.containers.imageSpec", "dockerImage"],
      ["cronjob.spec.jobTemplate.spec.template.spec.containers.imageSpec", "dockerImage"],
    ])("explain %s", async (member, field) => {
      const text = await succeed(`explain ${member}`);
      expect(text).toMatch(new RegExp(`^ {2}${field}\\s+<`, "mu"));
    });

    test("a member that imageSpec has not is refused", async () => {
      const wrong = { name: "a", imageSpec: { aci: { name: "coreos.com/etcd", registry: "quay.io" } } };
      const refused = await kubectl("create -f -", { input: podManifest("wrong", [wrong]) });
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.stderr).toContain("spec.containers[0].imageSpec.aci.registry");
    });

    test("exec passes input, both outputs and the exit code", async () => {
      const script = "cat; echo trouble >&2; exit 7";
      const args = ["exec", "-i", "web", "-c", "web", "--", "sh", "-c", script];
      expect(await kubectl(args, { input: "typed" })).toEqual({
        exitCode: 7,
        stdout: "typed",
        stderr: "trouble\ncommand terminated with exit code 7\n",
      });
    });

    test.each([
      ["WebSocket", {}],
      ["SPDY", { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false" }],
    ])("exec passes a megabyte by %s", async (_title, env) => {
      const input = "0123456789abcdef".repeat(65_536);
      const { stdout, exitCode } = await kubectl("exec -i web -c web -- cat", { input, env });
      expect(exitCode).toBe(0);
      expect(stdout === input).toBe(true);
    });

    test("attach passes what is typed", async () => {
      const { stdout } = await kubectl("attach -i web -c etcd", { input: "typed" });
      expect(stdout).toBe("attached to default/web/etcd\ntyped");
    });

    test("logs come whole, from the end, and as they are written", async () => {
      expect(await succeed("logs web -c web")).toBe(
        [1, 2, 3].map((line) => `default/web/web line ${line}\n`).join(""),
      );
      expect(await succeed("logs web -c web --tail=1")).toBe("default/web/web line 3\n");
      const followed = spawn(
        paths.kubectl,
        ["--kubeconfig", gateway.kubeconfig, "logs", "-f", "web", "-c", "web"],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      const ended = once(followed, "exit");
      for await (const line of createInterface({ input: followed.stdout })) {
        if (line === "default/web/web line 8") break;
      }
      followed.kill("SIGTERM");
      await ended;
    });

    test.each([
      ["WebSocket", {}],
      ["SPDY", { KUBECTL_PORT_FORWARD_WEBSOCKETS: "false" }],
    ])("port-forward carries connections by %s", async (_title, env) => {
      const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
      const [, port = ""] = (await listen(server)).split(":");
      const forward = await forwardPort(paths.kubectl, gateway.kubeconfig, "pod/web", port, env);
      try {
        const messages = ["one", "two", "x".repeat(300_000)];
        expect(await Promise.all(messages.map((message) => forward.send(message)))).toEqual(messages);
      } finally {
        await forward.stop();
        server.close();
        await once(server, "close");
      }
    });

    test("debug adds an ephemeral container", async () => {
      await succeed("debug web --image=registry.example/team/tools:v3 -c tools --profile=general");
      const pod = await gateway.api.get<ShownPod>("/api/v1/namespaces/default/pods/web");
      expect(pod.spec.ephemeralContainers).toMatchObject([
        {
          name: "tools",
          image: "registry.example/team/tools:v3",
          imageSpec: { dockerImage: { registry: "registry.example", name: "team/tools", tag: "v3" } },
        },
      ]);
      expect(pod.spec.containers).toMatchObject(containers);
      await vi.waitUntil(async () => (await kubectl("exec web -c tools -- echo here")).stdout === "here\n", {
        timeout: 30_000,
        interval: 300,
      });
    });

    test("a list in pages is the list", async () => {
      await succeed("create -f -", { input: podManifest("another", containers) });
      expect(await succeed("get pods -o name --chunk-size=1")).toBe("pod/another\npod/web\n");
      expect(await succeed("get pods -o name -A")).toBe("pod/another\npod/web\n");
    });
  },
);
