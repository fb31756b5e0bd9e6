import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { version } from "../../src/cli/version.ts";
import { run } from "../../src/core/process.ts";
import {
  type AccessRow,
  imageServiceRows,
  singleProcessRows,
  splitProcessRows,
} from "../support/access-rows.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { runInProcess } from "../support/cli.ts";
import { installDefinitions } from "../support/custom-resource-definitions.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { buildFolder, type Manifest, type Workload, workloadsOf } from "../support/kustomize.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

interface Service extends Manifest {
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
  };
}

interface Review {
  readonly status: { readonly allowed: boolean };
}

const arrangements = ["deploy", "deploy/controllers/split", "deploy/controllers/one-namespace"];
const withWorkloads = [...arrangements, "deploy/controllers/shard", "deploy/gateway", "deploy/image-service"];
const folders = [...withWorkloads, "deploy/crds", "deploy/source-crd"];
const accessKinds: ReadonlySet<string> = new Set([
  "ServiceAccount",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
]);
const own = "flux-system";

await describeWithTools(
  ["etcd", "kube-apiserver", "kubectl", "kustomize", "openssl"],
  "the manifests of deploy/",
  (paths) => {
    let cluster: KubernetesCluster;
    let folder: TempDir;
    const built = new Map<string, readonly Manifest[]>();

    beforeAll(async () => {
      cluster = await startKubernetes(paths);
      folder = await createTempDir("deploy");
      for (const name of folders) built.set(name, await buildFolder(paths.kustomize, name));
      await installDefinitions(cluster.api);
      const namespaces = [...built.values()].flat().filter(({ kind }) => kind === "Namespace");
      for (const namespace of new Map(namespaces.map((one) => [one.metadata.name, one])).values())
        await cluster.api.post("/api/v1/namespaces", namespace);
      await cluster.createNamespace("apps");
    });

    afterAll(async () => {
      await cluster?.stop();
      await folder?.remove();
    });

    const manifestsOf = (name: string): readonly Manifest[] => built.get(name) ?? [];

    async function kubectl(args: readonly string[], manifests: readonly Manifest[]): Promise<string> {
      const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: manifests });
      const result = await run(paths.kubectl, ["--kubeconfig", cluster.kubeconfig, ...args], { stdin });
      if (result.exitCode !== 0) throw new Error(result.stderr);
      return result.stderr;
    }

    /** Asks for a pod as the workload makes them, without making one. */
    async function admit(workload: Workload, namespace: string, change: object = {}): Promise<string> {
      const { metadata, spec } = workload.spec.template;
      const body = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...metadata, name: "one" },
        spec: { ...spec, ...change },
      };
      const { status, text } = await cluster.api.request(
        "POST",
        `/api/v1/namespaces/${namespace}/pods?dryRun=All`,
        {
          body,
        },
      );
      return status === 201 ? "admitted" : text;
    }

    test.each(folders)("%s is admitted, without a warning", async (name) => {
      const manifests = manifestsOf(name);
      expect(manifests.length).toBeGreaterThan(0);
      const stderr = await kubectl(
        ["apply", "--server-side", "--force-conflicts", "--dry-run=server", "--validate=strict", "-f", "-"],
        manifests,
      );
      expect(stderr).toBe("");
    });

    test.each(withWorkloads)("pods of %s are admitted where they belong", async (name) => {
      const workloads = workloadsOf(manifestsOf(name));
      expect(workloads.length).toBeGreaterThan(0);
      for (const workload of workloads)
        expect(await admit(workload, workload.metadata.namespace ?? "")).toBe("admitted");
    });

    test("pods that may do more are not", async () => {
      const [controller] = workloadsOf(manifestsOf("deploy"));
      const [proxy] = workloadsOf(manifestsOf("deploy/image-service"));
      if (controller === undefined || proxy === undefined) throw new Error("no workloads");
      expect(await admit(controller, own, { securityContext: {} })).toContain("violates PodSecurity");
      expect(await admit(controller, own, { hostNetwork: true })).toContain("violates PodSecurity");
      expect(await admit(proxy, own)).toContain("violates PodSecurity");
    });

    test.each(withWorkloads)("the programs of %s take their arguments", async (name) => {
      for (const { spec } of workloadsOf(manifestsOf(name))) {
        for (const { image, args } of spec.template.spec.containers) {
          expect(image).toBe(`ghcr.io/fairlead/fairlead:v${version}`);
          // Values are read first, and the first unknown flag is told.
          const { exitCode, stderr } = await runInProcess("fairlead", [...args, "--no-such-flag"]);
          expect(stderr).toContain("unknown option '--no-such-flag'");
          expect(exitCode).toBe(2);
        }
      }
    });

    test.each([...arrangements, "deploy/gateway"])("Services of %s reach one workload", (name) => {
      const manifests = manifestsOf(name);
      const services = manifests.filter(({ kind }) => kind === "Service") as readonly Service[];
      expect(services.length).toBeGreaterThan(0);
      for (const { spec } of services) {
        const reached = workloadsOf(manifests).filter(({ spec: { template } }) =>
          Object.entries(spec.selector).every(([key, value]) => template.metadata.labels[key] === value),
        );
        expect(reached).toHaveLength(1);
        const ports = reached.flatMap(({ spec: { template } }) =>
          template.spec.containers.flatMap(({ ports }) => ports.map(({ name }) => name)),
        );
        for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
      }
    });

    /** What a kustomization of a user's own makes of a folder. */
    async function overlay(
      name: string,
      {
        components = [],
        ...fields
      }: { readonly components?: readonly string[]; readonly namespace?: string },
    ): Promise<readonly Manifest[]> {
      const root = await mkdtemp(path.join(folder.path, "overlay-"));
      const relative = (to: string): string => path.relative(root, path.join(repositoryRoot, to));
      const kustomization = { resources: [relative(name)], components: components.map(relative), ...fields };
      await writeFile(path.join(root, "kustomization.yaml"), JSON.stringify(kustomization));
      return buildFolder(paths.kustomize, root);
    }

    test.each(withWorkloads)("%s goes to another namespace", async (name) => {
      const { namespace = "" } = workloadsOf(manifestsOf(name))[0]?.metadata ?? {};
      const moved = await overlay(name, { namespace: "elsewhere" });
      const others = moved.filter(({ kind }) => kind !== "CustomResourceDefinition");
      expect(others.length).toBeGreaterThan(0);
      expect(JSON.stringify(others)).not.toContain(`"namespace":"${namespace}"`);
    });

    test.each(["deploy", "deploy/controllers/split"])(
      "a volume takes the place of files of %s",
      async (name) => {
        const manifests = await overlay(name, { components: ["deploy/persistent-volume"] });
        const claiming = workloadsOf(manifests).filter((workload) =>
          JSON.stringify(workload).includes(
            '{"name":"data","persistentVolumeClaim":{"claimName":"fairlead-data"}}',
          ),
        );
        expect(claiming.map(({ spec }) => spec.template.metadata.labels["app"])).toEqual([
          "notification-controller",
        ]);
        const claim = manifests.filter(({ kind }) => kind === "PersistentVolumeClaim");
        expect(await kubectl(["apply", "--dry-run=server", "-f", "-"], [...claim, ...claiming])).toBe("");
      },
    );

    test("no role has wildcards, or escalates", () => {
      for (const name of withWorkloads) {
        const roles = manifestsOf(name).filter(({ kind }) => kind.endsWith("Role"));
        const text = JSON.stringify(roles);
        expect(text).not.toMatch(/"\*"|"impersonate"|"escalate"|"bind"|"pods\/exec"/u);
      }
      expect(manifestsOf("deploy/gateway").filter(({ kind }) => accessKinds.has(kind))).toMatchObject([
        { kind: "ServiceAccount", automountServiceAccountToken: false },
      ]);
    });

    async function may({ user, verb, resource: path, namespace }: AccessRow): Promise<boolean> {
      const [group = "", resource = "", subresource = ""] = path.split("/");
      const home = user === "fairlead-image-service" ? "fairlead-node" : own;
      const review = await cluster.api.post<Review>("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        spec: {
          user: user.startsWith("fairlead-") ? `system:serviceaccount:${home}:${user}` : user,
          resourceAttributes: { namespace, verb, group, resource, subresource },
        },
      });
      return review.status.allowed;
    }

    /** The API server takes note of roles a little later. */
    async function expectAccess(rows: readonly AccessRow[]): Promise<void> {
      await vi.waitFor(
        async () => {
          const verdicts = await Promise.all(rows.map(async (row) => [row, await may(row)] as const));
          expect(verdicts.flatMap(([row, allowed]) => (allowed === row.isAllowed ? [] : [row]))).toEqual([]);
        },
        { timeout: 10_000, interval: 500 },
      );
    }

    describe.each<[name: string, rows: readonly AccessRow[]]>([
      ["deploy", singleProcessRows({ allNamespaces: true })],
      ["deploy/controllers/split", splitProcessRows()],
      ["deploy/controllers/one-namespace", singleProcessRows({ allNamespaces: false })],
      ["deploy/image-service", imageServiceRows()],
    ])("what %s may do", (name, rows) => {
      const access = (): readonly Manifest[] => manifestsOf(name).filter(({ kind }) => accessKinds.has(kind));

      beforeAll(async () => void (await kubectl(["apply", "-f", "-"], access())));

      afterAll(async () => void (await kubectl(["delete", "-f", "-"], access())));

      test("is what it has to, and nothing else", async () => {
        expect(rows.filter(({ isAllowed }) => isAllowed)).not.toEqual([]);
        await expectAccess(rows);
      });
    });

    test("users see and change objects by the roles that they have", async () => {
      const roles = manifestsOf("deploy").filter(({ metadata }) =>
        /^fairlead-(?:view|edit)$/u.test(metadata.name),
      );
      expect(roles.map(({ metadata }) => [metadata.name, Object.keys(metadata.labels ?? {}).sort()])).toEqual(
        [
          ["fairlead-edit", ["admin", "edit"]],
          ["fairlead-view", ["admin", "edit", "view"]],
        ].map(([role, to]) => [
          role,
          (to as string[]).map((name) => `rbac.authorization.k8s.io/aggregate-to-${name}`),
        ]),
      );
      await kubectl(["apply", "-f", "-"], roles);
      for (const name of ["view", "edit"]) {
        await cluster.api.post("/apis/rbac.authorization.k8s.io/v1/namespaces/apps/rolebindings", {
          metadata: { name },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: `fairlead-${name}` },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `${name}er` }],
        });
      }
      const rows = [
        ["viewer", "list", "image.toolkit.fluxcd.io/imagepolicies", "apps", true],
        ["viewer", "watch", "notification.toolkit.fluxcd.io/receivers", "apps", true],
        ["viewer", "patch", "image.toolkit.fluxcd.io/imagepolicies", "apps", false],
        ["viewer", "list", "image.toolkit.fluxcd.io/imagepolicies", own, false],
        ["editer", "create", "image.toolkit.fluxcd.io/imageupdateautomations", "apps", true],
        ["editer", "delete", "notification.toolkit.fluxcd.io/providers", "apps", true],
        ["editer", "patch", "notification.toolkit.fluxcd.io/providers/status", "apps", false],
        ["editer", "get", "/secrets", "apps", false],
      ] as const;
      await expectAccess(
        rows.map(([user, verb, resource, namespace, isAllowed]) => ({
          user,
          verb,
          resource,
          namespace,
          isAllowed,
        })),
      );
    });
  },
);
