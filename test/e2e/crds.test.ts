import { globSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { run, type RunResult } from "../../src/core/process.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { invalidRows } from "../support/custom-resources/invalid-objects.ts";
import {
  customKinds,
  type CustomKind,
  customObject,
  pathOf,
  problemsOf,
} from "../support/custom-resources/kinds.ts";
import { type Mutation, mutationsOf } from "../support/custom-resources/mutations.ts";
import { readerExceptions } from "../support/custom-resources/reader-exceptions.ts";
import { leastSpec, validRows } from "../support/custom-resources/valid-objects.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { createRandom } from "../support/random.ts";
import { describeWithTools } from "../support/tools.ts";

interface Verdict {
  readonly isTaken: boolean;
  /** What the API server says, where it refuses. */
  readonly message: string;
}

interface Definition {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const definitions = globSync("deploy/{crds,source-crd}/*.toolkit.fluxcd.io_*.yaml", { cwd: repositoryRoot });
/** So many requests are under way at once. */
const width = 16;

await describeWithTools(["etcd", "kube-apiserver", "kubectl", "openssl"], "the custom resources", (paths) => {
  let cluster: KubernetesCluster;

  beforeAll(async () => {
    cluster = await startKubernetes(paths);
    expect(await apply()).toMatchObject({ exitCode: 0, stderr: "" });
    await vi.waitUntil(async () => (await conditions()).every((held) => held.includes("Established=True")), {
      timeout: 30_000,
      interval: 200,
    });
  });

  afterAll(() => cluster?.stop());

  function apply(): Promise<RunResult> {
    const files = definitions.flatMap((file) => ["-f", path.join(repositoryRoot, file)]);
    const args = ["--kubeconfig", cluster.kubeconfig, "apply", "--server-side", "--force-conflicts"];
    return run(paths.kubectl, [...args, ...files]);
  }

  async function conditions(): Promise<readonly (readonly string[])[]> {
    const { items } = await cluster.api.get<{ items: readonly Definition[] }>(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    );
    return items.map(({ status }) => (status?.conditions ?? []).map((one) => `${one.type}=${one.status}`));
  }

  async function dryRun(kind: CustomKind, spec: unknown): Promise<Verdict> {
    const body = customObject(kind, spec);
    const { status, text } = await cluster.api.request("POST", `${pathOf(kind)}?dryRun=All`, { body });
    if (![201, 400, 422].includes(status)) throw new Error(`${status} ${text}`);
    return { isTaken: status === 201, message: (JSON.parse(text) as { message?: string }).message ?? "" };
  }

  test("are established, and structural", async () => {
    const all = await conditions();
    expect(all).toHaveLength(customKinds.length);
    for (const held of all) {
      expect(held).toContain("NamesAccepted=True");
      expect(held.filter((one) => /^NonStructural|^Terminating/u.test(one))).toEqual([]);
    }
  });

  test.each(validRows)("%s %s is taken", async (_name, kind, spec) => {
    expect(await dryRun(kind, spec)).toEqual({ isTaken: true, message: "" });
    expect(problemsOf(customObject(kind, spec))).toEqual([]);
  });

  test("enough is tried", () => {
    expect(invalidRows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(invalidRows.map(([, kind]) => kind))).toEqual(new Set(customKinds));
  });

  test.each(invalidRows)("%s of %s is refused", async (_name, kind, change, field) => {
    const { isTaken, message } = await dryRun(kind, { ...leastSpec(kind), ...change });
    expect(isTaken).toBe(false);
    expect(message).toContain(field);
  });

  describe("defaults", () => {
    test.each<[kind: CustomKind, spec: object]>([
      ["ImageRepository", { exclusionList: [String.raw`^.*\.sig$`], provider: "generic" }],
      ["ImagePolicy", { digestReflectionPolicy: "Never" }],
      [
        "ImageUpdateAutomation",
        { sourceRef: { kind: "GitRepository", name: "apps" }, update: { strategy: "Setters" } },
      ],
      ["Alert", { eventSeverity: "info" }],
      ["Provider", {}],
      ["Receiver", { interval: "10m" }],
      ["GitRepository", { timeout: "60s" }],
    ])("%s", async (kind, spec) => {
      const least = {
        ...leastSpec(kind),
        ...(kind === "ImageUpdateAutomation" && { sourceRef: { name: "apps" } }),
      };
      const created = await cluster.api.post(pathOf(kind), customObject(kind, least));
      expect(created).toMatchObject({ spec: { ...least, ...spec }, status: { observedGeneration: -1 } });
      expect(Object.keys(created["spec"] as object).sort()).toEqual(
        [...new Set([...Object.keys(least), ...Object.keys(spec)])].sort(),
      );
      await cluster.api.delete(`${pathOf(kind)}/one`);
    });

    test("orders of a policy", async () => {
      const spec = { imageRepositoryRef: { name: "app" }, policy: { alphabetical: {}, numerical: {} } };
      expect(
        await cluster.api.post(`${pathOf("ImagePolicy")}?dryRun=All`, customObject("ImagePolicy", spec)),
      ).toMatchObject({ spec: { policy: { alphabetical: { order: "asc" }, numerical: { order: "asc" } } } });
    });
  });

  describe("statuses", () => {
    const condition = {
      type: "Ready",
      status: "True",
      reason: "Succeeded",
      message: "done",
      lastTransitionTime: "2026-01-02T03:04:05Z",
      observedGeneration: 1,
    };
    const common = { observedGeneration: 1, conditions: [condition], lastHandledReconcileAt: "now" };
    const latest = {
      name: "ghcr.io/org/app",
      tag: "main-7",
      digest: "sha256:0a",
      attributes: { branch: "main" },
    };
    const time = "2026-01-02T03:04:05Z";

    test.each<[kind: CustomKind, status: object]>([
      [
        "ImageRepository",
        {
          canonicalImageName: "ghcr.io/org/app",
          lastScanResult: { revision: "1", tagCount: 2, scanTime: time, latestTags: ["b", "a"] },
          observedExclusionList: ["x"],
        },
      ],
      ["ImagePolicy", { latestRef: latest, observedPreviousRef: { ...latest, tag: "main-6" } }],
      [
        "ImageUpdateAutomation",
        {
          lastAutomationRunTime: time,
          lastPushCommit: "0a1b",
          lastPushTime: time,
          observedPolicies: { app: latest },
          observedSourceRevision: "main@sha1:0a1b",
        },
      ],
      ["Alert", {}],
      ["Provider", { lastDelivery: { time, result: "retry", message: "503" } }],
      ["Receiver", { webhookPath: "/hook/0a1b" }],
      ["GitRepository", { artifact: { revision: "main@sha1:0a1b" }, observedInclude: [{ anything: true }] }],
    ])("of %s are kept, but for unknown fields", async (kind, own) => {
      const before = await cluster.api.post(pathOf(kind), customObject(kind, leastSpec(kind)));
      const status = { ...common, ...own };
      const patched = await cluster.api.patch(`${pathOf(kind)}/one/status`, "merge", {
        spec: { suspend: true },
        status: { ...status, unheardOf: "x" },
      });
      const kept = kind === "GitRepository" ? { ...status, unheardOf: "x" } : status;
      expect(patched["status"]).toEqual(kept);
      expect(patched["spec"]).toEqual(before["spec"]);
      expect(patched.metadata.generation).toBe(1);
      await cluster.api.delete(`${pathOf(kind)}/one`);
    });

    test.each<[name: string, kind: CustomKind, status: object, field: string]>([
      ["a condition without a reason", "Alert", { conditions: [{ ...condition, reason: "" }] }, "reason"],
      ["a condition that may be", "Provider", { conditions: [{ ...condition, status: "Maybe" }] }, "status"],
      ["another result", "Provider", { lastDelivery: { time, result: "lost" } }, "lastDelivery.result"],
      ["an image without a tag", "ImagePolicy", { latestRef: { name: "x" } }, "latestRef.tag"],
      ["a scan without a count", "ImageRepository", { lastScanResult: {} }, "lastScanResult.tagCount"],
    ])("%s is refused", async (_name, kind, status, field) => {
      await cluster.api.post(pathOf(kind), customObject(kind, leastSpec(kind)));
      const answer = await cluster.api.request("PATCH", `${pathOf(kind)}/one/status`, {
        body: { status },
        contentType: "application/merge-patch+json",
      });
      expect(answer).toMatchObject({ status: 422, text: expect.stringContaining(field) as string });
      await cluster.api.delete(`${pathOf(kind)}/one`);
    });
  });

  describe("in the place of Flux's", () => {
    const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const alerts = `${collection}/alerts.notification.toolkit.fluxcd.io`;

    afterAll(async () => void (await apply()));

    /** With a version that was served before, which objects may be stored in. */
    async function serveOlder(isStored: boolean): Promise<void> {
      const { spec } = await cluster.api.get<{ spec: { versions: readonly object[] } }>(alerts);
      const [current = {}] = spec.versions;
      const versions = [current, { ...current, name: "v1beta2", storage: false }];
      await cluster.api.patch(alerts, "merge", { spec: { versions } });
      const storedVersions = isStored ? ["v1beta2", "v1beta3"] : ["v1beta3"];
      await cluster.api.patch(`${alerts}/status`, "merge", { status: { storedVersions } });
    }

    test("objects stay, and the older version is no longer served", async () => {
      await cluster.api.post(pathOf("Alert"), customObject("Alert", leastSpec("Alert")));
      await serveOlder(false);
      expect(await apply()).toMatchObject({ exitCode: 0 });
      const { spec } = await cluster.api.get<{ spec: { versions: readonly { name: string }[] } }>(alerts);
      expect(spec.versions.map(({ name }) => name)).toEqual(["v1beta3"]);
      expect(await cluster.api.get(`${pathOf("Alert")}/one`)).toMatchObject({ spec: leastSpec("Alert") });
      await cluster.api.delete(`${pathOf("Alert")}/one`);
    });

    test("an older version that objects may be stored in has to be migrated first", async () => {
      await serveOlder(true);
      const { exitCode, stderr } = await apply();
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain("status.storedVersions[0]: Invalid value");
      await cluster.api.patch(`${alerts}/status`, "merge", { status: { storedVersions: ["v1beta3"] } });
    });
  });

  describe("our readers judge as the API server does", () => {
    const used = new Set<string>();

    /** What is judged differently without a reason. */
    async function differences(kind: CustomKind, mutations: readonly Mutation[]): Promise<readonly string[]> {
      const found: string[] = [];
      for (let at = 0; at < mutations.length; at += width) {
        const slice = mutations.slice(at, at + width);
        const verdicts = await Promise.all(slice.map(async ({ spec }) => dryRun(kind, spec)));
        for (const [index, { path, value, spec }] of slice.entries()) {
          const problems = problemsOf(customObject(kind, spec));
          const { isTaken, message } = verdicts[index] ?? { isTaken: false, message: "no verdict" };
          if (isTaken === (problems.length === 0)) continue;
          const unexplained = (isTaken ? problems : [undefined]).filter(
            (problem) => !isExplained(kind, path, problem),
          );
          if (unexplained.length === 0) continue;
          const change = `${path} = ${JSON.stringify(value)?.slice(0, 40) ?? "absent"}`;
          found.push(
            isTaken ? `${change}: we refuse: ${unexplained.join("; ")}` : `${change}: we take: ${message}`,
          );
        }
      }
      return found;
    }

    function isExplained(kind: CustomKind, path: string, problem: string | undefined): boolean {
      const fields = path.split(", ").map((field) => field.replaceAll(/\.\d+(?=\.|$)/gu, "[]"));
      const exception = readerExceptions.find(
        (one) =>
          one.kinds?.includes(kind) !== false &&
          fields.some((field) => one.field.test(field)) &&
          (problem === undefined ? one.problem === undefined : one.problem?.test(problem) === true),
      );
      if (exception !== undefined) used.add(exception.reason);
      return exception !== undefined;
    }

    test.each(validRows)("%s %s with each field changed", async (_name, kind, spec) => {
      expect(await differences(kind, mutationsOf(spec))).toEqual([]);
    });

    test.each(customKinds)("%s with two fields changed", async (kind) => {
      const random = createRandom(kind);
      const specs = validRows.filter(([, of]) => of === kind).map(([, , spec]) => spec);
      const twice = Array.from({ length: 150 }, (): Mutation => {
        const first = random.pick(mutationsOf(random.pick(specs)));
        const seconds = mutationsOf(first.spec);
        if (seconds.length === 0) return first;
        const second = random.pick(seconds);
        return { ...second, path: `${first.path}, ${second.path}`, value: [first.value, second.value] };
      });
      expect(await differences(kind, twice)).toEqual([]);
    });

    test("every exception is needed", () => {
      expect(readerExceptions.filter(({ reason }) => !used.has(reason))).toEqual([]);
    });
  });
});
