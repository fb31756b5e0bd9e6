import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { apiLease } from "../../src/cluster/lease/api-lease.ts";
import { LeaderElection } from "../../src/cluster/lease/leader-election.ts";
import type { LeaseRecord } from "../../src/cluster/lease/lease.ts";
import { createLogger } from "../../src/core/log.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { describeWithTools } from "../support/tools.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });
const durations = { leaseDurationMs: 4000, renewDeadlineMs: 3000, retryPeriodMs: 300 };

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "leaders at an API server", (paths) => {
  let cluster: KubernetesCluster;
  let client: ApiClient;

  beforeAll(async () => {
    cluster = await startKubernetes(paths);
    client = new ApiClient(await openClusterAccess({ kubeconfig: cluster.kubeconfig }));
  });

  afterAll(async () => {
    await client?.close();
    await cluster?.stop();
  });

  const signal = new AbortController().signal;
  const lease = (name: string): ReturnType<typeof apiLease> =>
    apiLease(client, { namespace: "default", name });

  test("a Lease says what was written, and takes no write to an older version", async () => {
    const port = lease("one");
    const record: LeaseRecord = {
      holderIdentity: "a",
      leaseDurationSeconds: 35,
      acquireTime: new Date("2026-08-01T00:00:00.123Z"),
      renewTime: new Date("2026-08-01T00:00:05Z"),
      leaseTransitions: 0,
    };
    const released = { ...record, holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 1 };
    expect(await port.get(signal)).toBeUndefined();
    expect(await port.update(record, "1", signal)).toBeUndefined();
    const created = await port.create(record, signal);
    expect(created?.record).toEqual(record);
    expect(await port.create(record, signal)).toBeUndefined();
    const version = created?.resourceVersion ?? "";
    const updated = await port.update(released, version, signal);
    expect(updated?.record).toEqual(released);
    expect(await port.update(record, version, signal)).toBeUndefined();
    expect(await port.get(signal)).toEqual(updated);
  });

  test("one of many leads, and the next one when it gives the lease back", async () => {
    const stopping = new AbortController();
    const order: string[] = [];
    const candidates = Array.from({ length: 5 }, async (_, index) => {
      const identity = `candidate-${index}`;
      const election = new LeaderElection({ identity, lease: lease("two"), log, durations });
      const leadership = await election.acquire(stopping.signal);
      order.push(identity);
      // Longer than the lease, so that it is renewed.
      if (order.length === 1) await new Promise((resolve) => setTimeout(resolve, 5000));
      expect(order.at(-1)).toBe(identity);
      expect(leadership.signal.aborted).toBe(false);
      await leadership.release(1000);
    });
    await Promise.all(candidates);
    expect(new Set(order).size).toBe(5);
    expect(await lease("two").get(signal)).toMatchObject({
      record: { holderIdentity: "", leaseTransitions: 4 },
    });
  });
});
