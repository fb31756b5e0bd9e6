import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import type { ApiObject, ResourceType } from "../../src/cluster/api/api-object.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { startHttpProxy, startSocks5Proxy } from "../support/proxies.ts";
import { describeWithTools } from "../support/tools.ts";

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps: ResourceType = { group: "", version: "v1", resource: "configmaps", namespaced: true };
const namespaces: ResourceType = { group: "", version: "v1", resource: "namespaces", namespaced: false };
const namespace = "default";

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "the client of the API", (paths) => {
  let cluster: KubernetesCluster;
  let client: ApiClient;

  beforeAll(async () => {
    cluster = await startKubernetes(paths, { users: ["nobody"] });
    client = new ApiClient(await openClusterAccess({ kubeconfig: cluster.kubeconfig }));
  });

  afterAll(async () => {
    await client?.close();
    await cluster?.stop();
  });

  const create = async (name: string, data: object = {}): Promise<ConfigMap> =>
    client.create(configMaps, { metadata: { namespace, name }, data } as { metadata: { namespace: string } });

  test("creates, changes, lists and deletes", async () => {
    const one = { namespace, name: "one" };
    const created = await create("one", { a: "1" });
    await expect(create("one")).rejects.toMatchObject({ code: "object-conflict" });
    const merged = await client.patch<ConfigMap>(configMaps, one, {
      type: "merge",
      body: { metadata: { resourceVersion: created.metadata.resourceVersion }, data: { b: "2" } },
    });
    expect(merged.data).toEqual({ a: "1", b: "2" });
    const stale = { metadata: { resourceVersion: created.metadata.resourceVersion }, data: { b: "3" } };
    await expect(client.patch(configMaps, one, { type: "merge", body: stale })).rejects.toMatchObject({
      code: "object-conflict",
      retryable: true,
    });
    const body = [{ op: "replace", path: "/data/a", value: "4" }];
    expect(await client.patch<ConfigMap>(configMaps, one, { type: "json", body })).toMatchObject({
      data: { a: "4", b: "2" },
    });
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: one, data: { a: "5" } };
    const manager = { fieldManager: "test" };
    await expect(
      client.patch(configMaps, one, { type: "apply", body: applied }, manager),
    ).rejects.toMatchObject({ code: "object-conflict" });
    await client.patch(configMaps, one, { type: "apply", body: applied, force: true }, manager);
    expect(await client.get<ConfigMap>(configMaps, one)).toMatchObject({ data: { a: "5", b: "2" } });
    const { items } = await client.list<ConfigMap>(configMaps, { namespace });
    expect(items).toMatchObject([{ apiVersion: "v1", kind: "ConfigMap", data: { a: "5", b: "2" } }]);
    await expect(client.delete(configMaps, one, { uid: "other" })).rejects.toMatchObject({
      code: "object-conflict",
    });
    await client.delete(configMaps, one, { uid: created.metadata.uid });
    await expect(client.get(configMaps, one)).rejects.toMatchObject({ code: "object-missing" });
  });

  test("changes a status", async () => {
    const status = { conditions: [{ type: "Test", status: "True", reason: "Test", message: "test" }] };
    const body = { status };
    expect(await client.patchStatus(namespaces, { name: "default" }, { type: "merge", body })).toMatchObject(
      body,
    );
  });

  test("tells what is invalid, denied and not served", async () => {
    await expect(create("No Name")).rejects.toMatchObject({
      code: "object-invalid",
      message: expect.stringContaining("metadata.name") as string,
    });
    const things = { ...configMaps, group: "example.com", resource: "things" };
    await expect(client.list(things)).rejects.toMatchObject({
      code: "object-missing",
      hint: expect.stringContaining("CustomResourceDefinition") as string,
    });
    const file = path.join(cluster.folder, "nobody.kubeconfig");
    const access = { ...cluster, token: cluster.tokenOf("nobody") };
    const kubeconfig = await writeKubeconfig(file, access);
    const nobody = new ApiClient(await openClusterAccess({ kubeconfig }));
    await expect(nobody.list(configMaps)).rejects.toMatchObject({ code: "access-denied", retryable: false });
    await nobody.close();
  });

  test("shows a client certificate", async () => {
    const certificate = await cluster.authority.issue("somebody", ["system:masters"]);
    const { url, caFile } = cluster;
    const file = path.join(cluster.folder, "somebody.kubeconfig");
    const kubeconfig = await writeKubeconfig(file, { url, caFile, client: certificate });
    const somebody = new ApiClient(await openClusterAccess({ kubeconfig }));
    expect((await somebody.list(namespaces)).items.length).toBeGreaterThan(1);
    await somebody.close();
  });

  test.each([
    ["HTTP", "http", startHttpProxy],
    ["SOCKS5", "socks5", startSocks5Proxy],
  ] as const)("goes through a proxy by %s", async (_name, scheme, startProxy) => {
    const proxy = await startProxy({ username: "user", password: "secret" });
    const config = JSON.parse(await readFile(cluster.kubeconfig, "utf8")) as {
      clusters: { cluster: object }[];
    };
    for (const { cluster: entry } of config.clusters) {
      Object.assign(entry, { "proxy-url": `${scheme}://user:secret@${proxy.host}` });
    }
    const kubeconfig = path.join(cluster.folder, `${scheme}.kubeconfig`);
    await writeFile(kubeconfig, JSON.stringify(config));
    const proxied = new ApiClient(await openClusterAccess({ kubeconfig }));
    expect((await proxied.list(namespaces)).items.length).toBeGreaterThan(1);
    expect(proxy.reached).toEqual([new URL(cluster.url).host]);
    await proxied.close();
    await proxy.stop();
  });

  test("trusts only whom the kubeconfig trusts", async () => {
    const kubeconfig = path.join(cluster.folder, "untrusted.kubeconfig");
    const text = await readFile(cluster.kubeconfig, "utf8");
    await writeFile(kubeconfig, text.replace(cluster.caFile, cluster.frontProxy.caFile));
    const untrusting = new ApiClient(await openClusterAccess({ kubeconfig }));
    await expect(untrusting.list(namespaces)).rejects.toMatchObject({ code: "upstream-unreachable" });
    await untrusting.close();
  });
});
