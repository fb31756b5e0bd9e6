import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import type { ApiObject, ResourceType } from "../../src/cluster/api/api-object.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { Informer, type InformerOptions, withoutManagedFields } from "../../src/cluster/informer/informer.ts";
import { createLogger } from "../../src/core/log.ts";
import { type CutProxy, startCutProxy } from "../support/cut-proxy.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { createRandom, type Random } from "../support/random.ts";
import { describeWithTools } from "../support/tools.ts";

const configMaps: ResourceType = { group: "", version: "v1", resource: "configmaps", namespaced: true };
const secrets: ResourceType = { ...configMaps, resource: "secrets" };
const log = createLogger({ level: "error", format: "text", write: () => undefined });
/** A silent connection is found within it. */
const idleMs = 1_000;
const settleMs = 60_000;

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "informers", (paths) => {
  let cluster: KubernetesCluster;
  let proxy: CutProxy;
  let client: ApiClient;
  const informers: Informer<ApiObject>[] = [];

  beforeAll(async () => {
    // Without its cache, a watch of Secrets reads etcd's own history.
    cluster = await startKubernetes(paths, { apiServerFlags: ["--watch-cache-sizes=secrets#0"] });
    proxy = await startCutProxy(new URL(cluster.url).host);
    const access = { ...cluster, url: `https://${proxy.host}` };
    const kubeconfig = await writeKubeconfig(path.join(cluster.folder, "proxy.kubeconfig"), access);
    client = new ApiClient(await openClusterAccess({ kubeconfig }));
  });

  afterEach(async () => {
    await Promise.all(informers.splice(0).map(async (informer) => informer.stop()));
  });

  afterAll(async () => {
    await client?.close();
    await proxy?.stop();
    await cluster?.stop();
  });

  /** A copy that is kept through the proxy. */
  const observe = (
    type: ResourceType,
    options: Partial<InformerOptions<ApiObject>>,
  ): ReturnType<typeof follow> => {
    const failures: string[] = [];
    const informer = new Informer<ApiObject>({
      client,
      type,
      log,
      transform: withoutManagedFields,
      hooks: { failed: ({ code }) => failures.push(code) },
      ...options,
    });
    informers.push(informer);
    informer.start();
    return follow(informer, failures);
  };

  /** Names and versions as the API server lists them. */
  const listed = async (resource: string, query = ""): Promise<Versions> => {
    const { items } = await cluster.api.get<{ items: ApiObject[] }>(
      `/api/v1/namespaces/load/${resource}${query}`,
    );
    return versionsOf(items);
  };

  test("hold what the API server holds, whatever connections and the server itself do", async () => {
    await cluster.createNamespace("load");
    const random = createRandom("informers");
    const names = Array.from({ length: 500 }, (_, index) => `object-${index}`);
    const writer = createWriter(cluster, random);
    for (const name of names) await writer.write(name);
    const all = observe(configMaps, { namespace: "load", pageSize: 60, idleMs });
    const half = observe(configMaps, { namespace: "load", labelSelector: "half=yes", pageSize: 60, idleMs });
    await Promise.all([all.informer.synced, half.informer.synced]);
    expect(all.versions()).toEqual(await listed("configmaps"));
    const faults = [
      () => proxy.cut(),
      () => proxy.silence(),
      () => {
        proxy.cut();
        proxy.refuse(true);
      },
    ];
    for (let round = 0; round < 9; round += 1) {
      for (let count = 0; count < 60; count += 1) {
        if (count === 20) faults[round % faults.length]?.();
        await writer.write(random.pick(names));
      }
      await sleep(random.below(500) + 1_000);
      proxy.refuse(false);
    }
    const restarted = cluster.restartApiServer();
    proxy.silence();
    await restarted;
    for (const name of names.slice(0, 100)) await writer.write(name);
    for (const [observed, query] of [
      [all, ""],
      [half, "?labelSelector=half%3Dyes"],
    ] as const) {
      const expected = await listed("configmaps", query);
      await expect.poll(() => observed.versions(), { timeout: settleMs, interval: 200 }).toEqual(expected);
      // What handlers were told adds up to it.
      expect(observed.told()).toEqual(expected);
      expect(observed.mistakes).toEqual([]);
      expect(observed.failures).toEqual(expect.arrayContaining(["timeout", "upstream-unreachable"]));
    }
  });

  test("begin again where etcd has forgotten their version", async () => {
    const secretsPath = "/api/v1/namespaces/forgotten/secrets";
    await cluster.createNamespace("forgotten");
    for (const name of ["one", "two"]) await cluster.api.post(secretsPath, { metadata: { name } });
    const observed = observe(secrets, { namespace: "forgotten" });
    await observed.informer.synced;
    proxy.refuse(true);
    proxy.cut();
    await cluster.api.post(secretsPath, { metadata: { name: "three" } });
    await cluster.api.delete(`${secretsPath}/one`);
    await cluster.compactHistory();
    proxy.refuse(false);
    await expect
      .poll(() => Object.keys(observed.versions()).toSorted(), { timeout: settleMs })
      .toEqual(["three", "two"]);
    expect(observed.failures).toContain("version-expired");
    await cluster.api.post(secretsPath, { metadata: { name: "four" } });
    await expect.poll(() => Object.keys(observed.told()).toSorted()).toEqual(["four", "three", "two"]);
    expect(observed.mistakes).toEqual([]);
  });
});

type Versions = Readonly<Record<string, string>>;

function versionsOf(objects: readonly ApiObject[]): Versions {
  return Object.fromEntries(
    objects.map(({ metadata }) => [metadata.name, `${metadata.uid}:${metadata.resourceVersion}`]),
  );
}

/** What an informer's handlers are told, and what in that does not fit together. */
function follow(
  informer: Informer<ApiObject>,
  failures: readonly string[],
): {
  readonly informer: Informer<ApiObject>;
  readonly failures: readonly string[];
  readonly mistakes: readonly string[];
  readonly versions: () => Versions;
  readonly told: () => Versions;
} {
  const known = new Map<string, ApiObject>();
  const mistakes: string[] = [];
  const expectKnown = ({ metadata: { name } }: ApiObject, old: ApiObject | undefined): void => {
    if (known.get(name) !== old) mistakes.push(name);
  };
  informer.subscribe({
    added: (object) => {
      expectKnown(object, undefined);
      known.set(object.metadata.name, object);
    },
    updated: (object, old) => {
      expectKnown(object, old);
      known.set(object.metadata.name, object);
    },
    deleted: ({ metadata: { name } }) => {
      if (!known.delete(name)) mistakes.push(name);
    },
  });
  return {
    informer,
    failures,
    mistakes,
    versions: () => versionsOf(informer.store.list()),
    told: () => versionsOf([...known.values()]),
  };
}

/** Creates, changes or deletes ConfigMaps by chance. */
function createWriter({ api }: KubernetesCluster, random: Random): { write(name: string): Promise<void> } {
  const root = "/api/v1/namespaces/load/configmaps";
  const present = new Set<string>();
  let count = 0;
  return {
    write: async (name) => {
      count += 1;
      const labels = { half: random.pick(["yes", "no"]) };
      const body = { metadata: { name, labels }, data: { count: String(count) } };
      if (!present.has(name)) {
        await api.post(root, body);
        present.add(name);
      } else if (random.below(4) === 0) {
        await api.delete(`${root}/${name}`);
        present.delete(name);
      } else await api.patch(`${root}/${name}`, "merge", body);
    },
  };
}
