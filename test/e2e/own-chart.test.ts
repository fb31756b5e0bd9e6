import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { version } from "../../src/cli/version.ts";
import { run } from "../../src/core/process.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { runInProcess } from "../support/cli.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { buildFolder, type Manifest, workloadsOf } from "../support/kustomize.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const chart = path.join(repositoryRoot, "deploy/chart/fairlead");
const digest = `sha256:${"0".repeat(64)}`;

/** Releases of the chart: name, namespace, and what is set. */
const nothingElse = ["crds.install=false", "userRoles=false"];
const releases: readonly [name: string, namespace: string, values: readonly string[]][] = [
  ["as it is", "flux-system", []],
  ["a process for each controller", "flux-system", [...nothingElse, "controllers.split=true"]],
  ["one namespace", "flux-system", [...nothingElse, "controllers.watchAllNamespaces=false"]],
  ["the gateway", "fairlead-gateway", [...nothingElse, "controllers.enabled=false", "gateway.enabled=true"]],
  [
    "the image proxy",
    "fairlead-node",
    [...nothingElse, "controllers.enabled=false", "imageService.enabled=true"],
  ],
  [
    "everything",
    "fairlead-node",
    [
      `image.digest=${digest}`,
      "imagePullSecrets[0].name=pull",
      "crds.keep=false",
      "controllers.args={--concurrent=9}",
      "controllers.env[0].name=HTTPS_PROXY",
      "controllers.env[0].value=http://proxy",
      "controllers.persistence.enabled=true",
      "controllers.persistence.storageClassName=fast",
      "controllers.serviceAccountAnnotations.role=one",
      "controllers.podLabels.mine=yes",
      "controllers.podLabels.app=mine",
      "controllers.podAnnotations.a=b",
      "controllers.nodeSelector.disk=ssd",
      "gateway.enabled=true",
      "gateway.service.annotations.a=b",
      "imageService.enabled=true",
    ],
  ],
];

/** The folders of `deploy/` that make the same. */
const folders: readonly [name: string, folder: string][] = [
  ["as it is", "deploy"],
  ["a process for each controller", "deploy/controllers/split"],
  ["one namespace", "deploy/controllers/one-namespace"],
  ["the gateway", "deploy/gateway"],
  ["the image proxy", "deploy/image-service"],
];

/** Arguments of `helm template` and of `fairlead render`. */
function templateArgs(name: string): readonly string[] {
  const [, namespace = "", values = []] = releases.find(([known]) => known === name) ?? [];
  return ["fairlead", chart, "--namespace", namespace, ...values.flatMap((value) => ["--set", value])];
}

function parseManifests(text: string): readonly Manifest[] {
  // Modes of files are octal, as Kubernetes reads them.
  return parseAllDocuments(text, { version: "1.1" }).flatMap((document) => {
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** What belongs to a release of Helm, or is said by the chart where the API server says it by itself. */
const helmLabels: ReadonlySet<string> = new Set([
  "app.kubernetes.io/instance",
  "app.kubernetes.io/managed-by",
  "app.kubernetes.io/version",
  "helm.sh/chart",
]);

/** Manifests by kind and name without that, without namespaces, and the Namespaces themselves. */
function comparable(manifests: readonly Manifest[]): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(manifests, (key, value: unknown) => {
    if (helmLabels.has(key) || key === "helm.sh/resource-policy" || key === "imagePullPolicy")
      return undefined;
    return key === "namespace" || (key === "type" && value === "ClusterIP") ? undefined : value;
  });
  const kept = (JSON.parse(text, withoutEmptyMetadata) as readonly Manifest[]).filter(
    ({ kind }) => kind !== "Namespace",
  );
  return Object.fromEntries(kept.map((manifest) => [`${manifest.kind}/${manifest.metadata.name}`, manifest]));
}

function withoutEmptyMetadata(key: string, value: unknown): unknown {
  const isMetadata = key === "labels" || key === "annotations";
  return isMetadata && JSON.stringify(value) === "{}" ? undefined : value;
}

/** The definitions among manifests. */
function definitionsOf(text: string): readonly Manifest[] {
  return parseManifests(text).filter(({ kind }) => kind === "CustomResourceDefinition");
}

await describeWithTools(
  ["helm3", "helm4", "kustomize", "etcd", "kube-apiserver", "kubectl", "openssl"],
  "the chart of fairlead",
  (tools) => {
    let cluster: KubernetesCluster;
    let folder: TempDir;

    beforeAll(async () => {
      folder = await createTempDir("own-chart");
      cluster = await startKubernetes(tools);
      for (const namespace of new Set(releases.map(([, one]) => one)))
        await cluster.createNamespace(namespace);
    });

    afterAll(async () => {
      await cluster?.stop();
      await folder?.remove();
    });

    async function helm(args: readonly string[], program: "helm3" | "helm4" = "helm3"): Promise<string> {
      const env = { PATH: process.env["PATH"], HOME: folder.path };
      const { exitCode, stdout, stderr } = await run(tools[program], args, { env });
      if (exitCode !== 0) throw new Error(stderr + stdout);
      return stdout;
    }

    const template = async (name: string, ...args: readonly string[]): Promise<string> =>
      helm(["template", ...templateArgs(name), ...args]);

    describe.each(["helm3", "helm4"] as const)("with %s", (program) => {
      test("has nothing that helm lint complains of", async () => {
        expect(await helm(["lint", "--strict", chart], program)).toContain("0 chart(s) failed");
      });

      test.each(releases)("is rendered by fairlead to the same bytes: %s", async (name) => {
        const rendered = await runInProcess("fairlead", [
          "render",
          ...templateArgs(name),
          "--compat",
          program,
        ]);
        expect(rendered.stderr).toBe("");
        expect(rendered.stdout).toBe(await helm(["template", ...templateArgs(name)], program));
      });
    });

    test.each(folders)("makes what kustomize makes: %s, %s", async (name, built) => {
      const ours = comparable(parseManifests(await template(name)));
      const theirs = comparable(await buildFolder(tools.kustomize, built));
      expect(Object.keys(theirs).length).toBeGreaterThan(1);
      expect(ours).toEqual(theirs);
    });

    test("claims the volume that kustomize claims", async () => {
      const claims = parseManifests(await template("everything")).filter(
        ({ kind }) => kind === "PersistentVolumeClaim",
      );
      const theirs = await readFile(path.join(repositoryRoot, "deploy/persistent-volume/claim.yaml"), "utf8");
      const [key = "", expected] = Object.entries(comparable(parseManifests(theirs)))[0] ?? [];
      expect(comparable(claims)[key]).toMatchObject(expected as object);
    });

    test("keeps definitions, and the objects with them", async () => {
      const kept = definitionsOf(await template("as it is"));
      expect(kept).toHaveLength(6);
      for (const { metadata } of kept) {
        expect(metadata).toMatchObject({ annotations: { "helm.sh/resource-policy": "keep" } });
      }
      const others = definitionsOf(await template("everything"));
      expect(JSON.stringify(others)).not.toContain("helm.sh/resource-policy");
    });

    test.each(releases)("is admitted by an API server: %s", async (name, namespace) => {
      const stdin = await template(name);
      const flags = ["--server-side", "--dry-run=server", "--validate=strict", "--namespace", namespace];
      const args = ["--kubeconfig", cluster.kubeconfig, "apply", ...flags, "--filename", "-"];
      const { exitCode, stderr } = await run(tools.kubectl, args, { stdin });
      expect([exitCode, stderr]).toEqual([0, ""]);
    });

    test.each(["helm3", "helm4"] as const)(
      "takes over what is there, and leaves definitions: %s",
      async (program) => {
        const base = ["--kubeconfig", cluster.kubeconfig, "--namespace", program];
        const kubectl = async (...args: readonly string[]): Promise<string> => {
          const result = await run(tools.kubectl, [...base, ...args]);
          if (result.exitCode !== 0) throw new Error(result.stderr);
          return result.stdout;
        };
        // Helm 4 applies on the server's side, where fields have owners.
        const force = program === "helm4" ? ["--force-conflicts"] : [];
        await cluster.createNamespace(program);
        await kubectl(
          "apply",
          "--server-side",
          "--force-conflicts",
          "--kustomize",
          path.join(repositoryRoot, "deploy/crds"),
        );
        await kubectl("create", "service", "clusterip", "notification-controller", "--tcp=80");
        await helm(["install", "fairlead", chart, ...base, "--take-ownership", ...force], program);
        await helm(["upgrade", "fairlead", chart, ...base, "--set", "controllers.split=true"], program);
        const deployments = await kubectl("get", "deployments", "--output", "name");
        expect(deployments.trim().split("\n")).toEqual(
          ["image-automation", "image-reflector", "notification"].map(
            (name) => `deployment.apps/fairlead-${name}`,
          ),
        );
        await helm(["uninstall", "fairlead", ...base], program);
        expect(await kubectl("get", "deployments,services,roles", "--output", "name")).toBe("");
        expect((await kubectl("get", "crds", "--output", "name")).trim().split("\n")).toHaveLength(6);
      },
    );

    test.each(releases)("has all its images moved: %s", async (name) => {
      const values = path.join(folder.path, "values.yaml");
      const [, , ...set] = templateArgs(name);
      const target = ["--target-registry", "harbor.example.com:5000", "--source-registries", "*", "--strict"];
      const moved = await runInProcess("fairlead", ["override", chart, ...target, ...set.slice(2)]);
      expect(moved).toMatchObject({ exitCode: 0 });
      expect(moved.stderr).toContain("100% images matched (1/1)");
      expect(parse(moved.stdout)).toEqual({ image: { registry: "harbor.example.com:5000/ghcrio" } });
      await writeFile(values, moved.stdout);
      const workloads = workloadsOf(parseManifests(await template(name, "--values", values)));
      const images = workloads.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image));
      const tag = `v${version}${name === "everything" ? `@${digest}` : ""}`;
      expect(new Set(images)).toEqual(new Set([`harbor.example.com:5000/ghcrio/fairlead/fairlead:${tag}`]));
    });

    test.each([
      "image.digest=sha256:1",
      "image.pullPolicy=Sometimes",
      "image.registry=",
      "controllers.replicas=many",
      "controllers.replica=2",
      "controllers.args=--concurrent=9",
      "gateway.upstream=http://kubernetes",
      "crd.install=false",
    ])("refuses %s", async (value) => {
      await expect(helm(["template", chart, "--set", value])).rejects.toThrow(/values don't meet/u);
      expect(await runInProcess("fairlead", ["render", chart, "--set", value])).toMatchObject({ stdout: "" });
    });

    test("has Prometheus' operator read every process", async () => {
      const args = ["--set", "podMonitor.enabled=true", "--show-only", "templates/pod-monitor.yaml"];
      const [monitor] = parseManifests(await template("everything", ...args));
      expect(monitor?.spec).toMatchObject({
        selector: { matchLabels: { "app.kubernetes.io/part-of": "fairlead" } },
        podMetricsEndpoints: [{ port: "http-prom" }],
      });
      const workloads = workloadsOf(parseManifests(await template("everything")));
      expect(workloads).toHaveLength(3);
      for (const { spec } of workloads) {
        expect(spec.template.metadata.labels["app.kubernetes.io/part-of"]).toBe("fairlead");
        expect(spec.template.spec.containers[0]?.ports.map(({ name }) => name)).toContain("http-prom");
      }
    });
  },
);

describe("the chart's files", () => {
  test("have the program's version", async () => {
    const text = await readFile(path.join(chart, "Chart.yaml"), "utf8");
    expect(parse(text)).toMatchObject({ version, appVersion: `v${version}` });
  });

  test("have a value for all that the schema describes", async () => {
    interface Schema {
      readonly properties?: Readonly<Record<string, Schema>>;
    }
    const paths = (schema: Schema, values: unknown, place: string): readonly string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
        const value = (values as Readonly<Record<string, unknown>> | undefined)?.[key];
        return value === undefined ? [`${place}${key}`] : paths(member, value, `${place}${key}.`);
      });
    const schema = JSON.parse(await readFile(path.join(chart, "values.schema.json"), "utf8")) as Schema;
    const values: unknown = parse(await readFile(path.join(chart, "values.yaml"), "utf8"));
    const missing = paths(schema, values, "").filter((place) => !place.endsWith("resources.claims"));
    // A parent's chart may have them.
    expect(missing).toEqual(["global"]);
  });
});
