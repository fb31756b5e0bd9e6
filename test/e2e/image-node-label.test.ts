import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepNodeLabels } from "../../src/cluster/node-labels.ts";
import { createLogger } from "../../src/core/log.ts";
import { nodeFormatLabels } from "../../src/imagespec/convert/node-formats.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import type { ApiObject } from "../support/kubernetes/api-client.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { describeWithTools } from "../support/tools.ts";

const formats = { [nodeFormatLabels.aci]: "true", [nodeFormatLabels.dockerImage]: "true" };

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "the labels of a node", (paths) => {
  let cluster: KubernetesCluster;
  let kubeconfig: string;
  const logged: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => void logged.push(line) });

  beforeAll(async () => {
    cluster = await startKubernetes(paths, { users: ["image-service"] });
    const access = { ...cluster, token: cluster.tokenOf("image-service") };
    kubeconfig = await writeKubeconfig(path.join(cluster.folder, "image-service.kubeconfig"), access);
  });

  afterAll(async () => cluster.stop());

  const labelsOf = async (node: string): Promise<Readonly<Record<string, string>>> => {
    const { metadata } = await cluster.api.get<ApiObject & { metadata: { labels?: Record<string, string> } }>(
      `/api/v1/nodes/${node}`,
    );
    return metadata.labels ?? {};
  };

  test("are there as long as they are kept, whatever is before and between", async () => {
    const labels = await keepNodeLabels({
      node: "one",
      labels: formats,
      kubeconfig,
      refreshMs: 50,
      retryMs: 50,
      log,
    });
    await expect.poll(() => logged.join("\n")).toContain("access is denied: patch on nodes is needed");
    await cluster.grant("image-service", { apiGroups: [""], resources: ["nodes"], verbs: ["patch"] });
    await expect.poll(() => logged.join("\n")).toContain("there is no such node");
    expect(labels.areSet).toBe(false);
    await cluster.createNode("one", { labels: { own: "kept" } });
    await expect.poll(async () => labelsOf("one")).toEqual({ own: "kept", ...formats });
    expect(labels.areSet).toBe(true);
    await cluster.api.patch("/api/v1/nodes/one", "merge", {
      metadata: { labels: { [nodeFormatLabels.aci]: null, own: "changed" } },
    });
    await expect.poll(async () => labelsOf("one")).toEqual({ own: "changed", ...formats });
    await labels.stop(5_000);
    expect(await labelsOf("one")).toEqual({ own: "changed" });
  });

  test("change nothing where they are set already, and go where they are not to be", async () => {
    await cluster.createNode("two", { labels: { [nodeFormatLabels.aci]: "true" } });
    const only = { [nodeFormatLabels.aci]: null, [nodeFormatLabels.dockerImage]: "true" };
    const labels = await keepNodeLabels({ node: "two", labels: only, kubeconfig, refreshMs: 50, log });
    await expect.poll(async () => labelsOf("two")).toEqual({ [nodeFormatLabels.dockerImage]: "true" });
    const before = await cluster.api.get("/api/v1/nodes/two");
    await sleep(300);
    expect((await cluster.api.get("/api/v1/nodes/two")).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    await labels.stop(5_000);
    expect(await labelsOf("two")).toEqual({});
  });

  test("a kubeconfig that is none is refused", async () => {
    await expect(
      keepNodeLabels({ node: "one", labels: formats, kubeconfig: "/nowhere/config", log }),
    ).rejects.toMatchObject({ code: "config-invalid" });
    await expect(keepNodeLabels({ node: "one", labels: formats, log })).rejects.toMatchObject({
      code: "config-invalid",
    });
  });
});
