import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { KubernetesEventRecorder } from "../../src/cluster/events/kubernetes-event-recorder.ts";
import { createLogger } from "../../src/core/log.ts";
import type { KubernetesEvent } from "../../src/notification/recorder/kubernetes-event.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { createKubectl, type Kubectl } from "../support/kubernetes/kubectl.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { describeWithTools } from "../support/tools.ts";

interface ListedEvent {
  readonly metadata: { readonly name: string; readonly annotations?: object };
  readonly message: string;
  readonly reason: string;
  readonly count: number;
}

const user = "image-reflector-controller";

function event(name: string, changes: Partial<KubernetesEvent> = {}): KubernetesEvent {
  return {
    involvedObject: { apiVersion: "v1", kind: "ConfigMap", namespace: "apps", name },
    type: "Normal",
    reason: "Succeeded",
    message: "found 3 tags",
    annotations: {},
    ...changes,
  };
}

await describeWithTools(["etcd", "kube-apiserver", "kubectl", "openssl"], "events in a cluster", (paths) => {
  let cluster: KubernetesCluster;
  let kubectl: Kubectl;
  let client: ApiClient;
  let lines: string[] = [];
  let recorder: KubernetesEventRecorder;

  beforeAll(async () => {
    cluster = await startKubernetes(paths, { users: [user, "nobody"] });
    kubectl = createKubectl(paths.kubectl, cluster.kubeconfig, cluster.folder);
    await cluster.createNamespace("apps");
    await cluster.grant(user, { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] });
    client = await clientOf(user);
    await succeed("create configmap podinfo -n apps");
  });

  afterAll(async () => {
    await client?.close();
    await cluster?.stop();
  });

  beforeEach(() => {
    lines = [];
    recorder = recorderOf(client);
  });

  async function clientOf(name: string): Promise<ApiClient> {
    const access = {
      url: cluster.url,
      caFile: cluster.authority.certificateFile,
      token: cluster.tokenOf(name),
    };
    const kubeconfig = await writeKubeconfig(`${cluster.folder}/${name}.kubeconfig`, access);
    return new ApiClient(await openClusterAccess({ kubeconfig }));
  }

  function recorderOf(api: ApiClient): KubernetesEventRecorder {
    const log = createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) });
    const reporter = { controller: user, instance: `${user}-0` };
    return new KubernetesEventRecorder({ api, reporter, log, random: () => 0.05 });
  }

  async function succeed(args: string): Promise<string> {
    const result = await kubectl(args);
    expect(result, result.stderr).toMatchObject({ exitCode: 0 });
    return result.stdout;
  }

  async function eventsOf(name: string, namespace = "apps"): Promise<readonly ListedEvent[]> {
    const fieldSelector = `involvedObject.name=${name}`;
    const list = await succeed(`get events -n ${namespace} --field-selector ${fieldSelector} -o json`);
    return (JSON.parse(list) as { readonly items: readonly ListedEvent[] }).items;
  }

  test("kubectl shows them, counted, at their object", async () => {
    const uid = await succeed("get configmap podinfo -n apps -o jsonpath={.metadata.uid}");
    const involvedObject = { apiVersion: "v1", kind: "ConfigMap", namespace: "apps", name: "podinfo", uid };
    const annotations = { "image.toolkit.fluxcd.io/revision": "6.9.0" };
    for (let index = 0; index < 3; index++) {
      recorder.record(event("podinfo", { involvedObject, annotations }));
      expect(await recorder.flush(10_000)).toBe(true);
    }
    recorder.record(
      event("podinfo", { involvedObject, type: "Warning", reason: "Failed", message: "no tag" }),
    );
    expect(await recorder.flush(10_000)).toBe(true);
    expect(await eventsOf("podinfo")).toMatchObject([
      { count: 3, message: "found 3 tags", metadata: { annotations } },
      { count: 1, message: "no tag", type: "Warning" },
    ]);
    expect(await succeed("events -n apps --for configmap/podinfo --no-headers")).toMatch(
      /Normal\s+Succeeded\s+ConfigMap\/podinfo\s+found 3 tags/u,
    );
    const described = await succeed("describe configmap podinfo -n apps");
    expect(described).toMatch(
      /Normal\s+Succeeded\s+\S+ \(x3 over \S+\)\s+image-reflector-controller\s+found 3 tags/u,
    );
    expect(lines).toEqual([]);
  });

  test("many that are alike are combined", async () => {
    for (let index = 0; index < 15; index++) recorder.record(event("alike", { message: `message ${index}` }));
    expect(await recorder.flush(10_000)).toBe(true);
    const events = await eventsOf("alike");
    expect(events).toHaveLength(10);
    expect(events.filter(({ message }) => message.startsWith("(combined"))).toMatchObject([
      { message: "(combined from similar events): message 14", count: 6 },
    ]);
  });

  test("one that expired is made anew", async () => {
    recorder.record(event("expired"));
    await recorder.flush(10_000);
    await succeed("delete events -n apps --field-selector involvedObject.name=expired");
    recorder.record(event("expired"));
    expect(await recorder.flush(10_000)).toBe(true);
    expect(await eventsOf("expired")).toMatchObject([{ count: 2 }]);
  });

  test("of an object without a namespace are in default", async () => {
    recorder.record(event("apps", { involvedObject: { kind: "Namespace", namespace: "", name: "apps" } }));
    expect(await recorder.flush(10_000)).toBe(true);
    expect(await eventsOf("apps", "default")).toHaveLength(1);
  });

  test.each<[what: string, name: string, message: string]>([
    ["the longest name of an object", `a${".b".repeat(126)}`, "m"],
    ["a long message", "long", "ä😀".repeat(5000)],
  ])("%s is taken", async (_what, name, message) => {
    recorder.record(event(name, { message }));
    expect(await recorder.flush(10_000)).toBe(true);
    expect(lines).toEqual([]);
    expect(await eventsOf(name)).toHaveLength(1);
  });

  test("in a namespace that is being deleted are dropped quietly", async () => {
    await cluster.createNamespace("ending");
    await succeed("delete namespace ending --wait=false");
    const involvedObject = { kind: "ConfigMap", namespace: "ending", name: "a" };
    for (const namespace of ["ending", "missing"]) {
      recorder.record(event("a", { involvedObject: { ...involvedObject, namespace } }));
    }
    expect(await recorder.flush(10_000)).toBe(true);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^debug: an event is dropped /u);
  });

  test("that may not be written are told in the log", async () => {
    const refused = await clientOf("nobody");
    const other = recorderOf(refused);
    other.record(event("refused"));
    expect(await other.flush(10_000)).toBe(true);
    await refused.close();
    expect(lines).toEqual([expect.stringMatching(/^warn: an event is dropped .*answered 403/u)]);
  });

  test("outlive a restart of the API server", async () => {
    const restarted = cluster.restartApiServer();
    recorder.record(event("restart"));
    recorder.record(event("restart", { message: "found 4 tags" }));
    await restarted;
    expect(await recorder.flush(40_000)).toBe(true);
    expect(await eventsOf("restart")).toHaveLength(2);
  }, 90_000);
});
