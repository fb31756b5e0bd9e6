import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { corpusFolder, prepareCorpus } from "../corpus/corpus.ts";
import {
  type ChartInstaller,
  createChartInstaller,
  imagesIn,
  type InstalledChart,
  namesLeft,
} from "../support/chart-installation.ts";
import { runInProcess } from "../support/cli.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

interface Row {
  /** In the corpus. */
  readonly id: string;
  /** Values that the chart asks for, or that its documentation has for everybody. */
  readonly set?: readonly string[];
  /** Admitted, with hooks and the pods of `helm test`. */
  readonly objects: number;
}

/**
 * One chart of a project. A chart that an API server refuses as it is cannot be judged and is not here: that of Velero,
 * whose own definitions refuse its default locations; those of Istio, which want a namespace that they do not bring.
 */
const charts: Readonly<Record<string, Row>> = {
  "argo-cd": { id: "argoproj-argo-helm-charts-argo-cd", objects: 59 },
  "argo-workflows": { id: "argoproj-argo-helm-charts-argo-workflows", objects: 25 },
  "aws-load-balancer-controller": {
    id: "aws-eks-charts-stable-aws-load-balancer-controller",
    set: ["clusterName=main"],
    objects: 12,
  },
  harbor: { id: "bitnami-charts-bitnami-harbor", objects: 60 },
  airflow: { id: "bitnami-charts-bitnami-airflow", objects: 41 },
  "cert-manager": {
    id: "cert-manager-cert-manager-deploy-charts-cert-manager",
    set: ["crds.enabled=true"],
    objects: 50,
  },
  cilium: { id: "cilium-cilium-install-kubernetes-cilium", objects: 25 },
  dapr: { id: "dapr-dapr-charts-dapr", objects: 39 },
  "eck-operator": { id: "elastic-cloud-on-k8s-v3-deploy-eck-operator", objects: 22 },
  "external-secrets": { id: "external-secrets-external-secrets-deploy-charts-external-secrets", objects: 19 },
  flannel: { id: "flannel-io-flannel-chart-kube-flannel", objects: 5 },
  mimir: { id: "grafana-mimir-operations-helm-charts-mimir-distributed", objects: 79 },
  vault: { id: "hashicorp-vault-helm-", objects: 13 },
  keda: { id: "kedacore-charts-keda", objects: 29 },
  kyverno: { id: "kyverno-kyverno-charts-kyverno", objects: 80 },
  gatekeeper: { id: "open-policy-agent-gatekeeper-v3-charts-gatekeeper", objects: 21 },
  "kube-prometheus-stack": {
    id: "prometheus-community-helm-charts-charts-kube-prometheus-stack",
    objects: 125,
  },
  traefik: { id: "traefik-traefik-helm-chart-traefik", objects: 6 },
  metallb: { id: "go.universe.tf-metallb-charts-metallb", objects: 42 },
  "ingress-nginx": { id: "k8s.io-ingress-nginx-charts-ingress-nginx", objects: 18 },
};
const target = "registry.private.example:5000";
const helms = ["helm3", "helm4"] as const;

await describeWithTools(
  ["helm3", "helm4", "kubectl", "etcd", "kube-apiserver", "openssl", "go"],
  "charts moved to a private registry install",
  (tools) => {
    let folder: TempDir;
    let cluster: KubernetesCluster;
    let installer: ChartInstaller;
    const installed = new Map<string, InstalledChart>();

    beforeAll(async () => {
      const corpus = await prepareCorpus(() => undefined);
      folder = await createTempDir("chart-install");
      // What runs networks on nodes is privileged.
      cluster = await startKubernetes(tools, { apiServerFlags: ["--allow-privileged=true"] });
      const programs = { helm: tools.helm3, kubectl: tools.kubectl };
      installer = createChartInstaller(cluster, programs, folder.path);
      for (const [name, { id, set = [] }] of Object.entries(charts)) {
        const found = corpus.charts.find((chart) => chart.id === id);
        if (found === undefined) throw new Error(`the corpus has no ${id}`);
        const chart = { folder: path.join(corpusFolder, found.folder), namespace: name, set };
        installed.set(name, chart);
        await cluster.createNamespace(name);
        await installer.makeDefinitions(chart);
      }
    });

    afterAll(async () => {
      await cluster?.stop();
      await folder?.remove();
    });

    test("twenty of them", () => {
      expect(Object.keys(charts)).toHaveLength(20);
    });

    test.each(Object.entries(charts))("%s", async (name, { objects }) => {
      const chart = installed.get(name);
      if (chart === undefined) throw new Error(`${name} was not prepared`);
      const override = path.join(folder.path, `${name}.yaml`);
      const flags = ["-t", target, "-s", "*", "-o", override, "--exclude-tests"];
      const settings = chart.set.flatMap((setting) => ["--set", setting]);
      const moved = await runInProcess("fairlead", ["override", chart.folder, ...flags, ...settings]);
      expect({ exitCode: moved.exitCode, stderr: moved.stderr }).toMatchObject({ exitCode: 0 });

      const original = await installer.install(tools.helm3, chart);
      expect(original, "without the override").toMatchObject({ refusal: "" });
      const images = imagesIn(original.admitted);
      for (const helm of helms) {
        const { rendered, admitted, refusal } = await installer.install(tools[helm], chart, override);
        expect({ rendered, admitted: admitted.length, refusal }, helm).toEqual({
          rendered: objects,
          admitted: objects,
          refusal: "",
        });
        const foreign = imagesIn(admitted).filter((image) => !image.startsWith(`${target}/`));
        expect({ foreign, left: namesLeft(images, admitted) }, helm).toEqual({ foreign: [], left: [] });
        expect(imagesIn(admitted).length, helm).toBe(images.length);
      }
    });
  },
);
