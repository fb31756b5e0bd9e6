import path from "node:path";
import { FairleadError, messageOf } from "../src/core/error.ts";
import { corpusFolder, prepareCorpus } from "../test/corpus/corpus.ts";

export interface BenchChart {
  readonly name: string;
  /** The chart's folder. */
  readonly path: string;
}

/** Real charts of the corpus, from a small one to a large one, by their names there. */
const corpusIds: Readonly<Record<string, string>> = {
  "redis (Bitnami)": "bitnami-charts-bitnami-redis",
  "ingress-nginx": "k8s.io-ingress-nginx-charts-ingress-nginx",
  "cert-manager": "cert-manager-cert-manager-deploy-charts-cert-manager",
  "argo-cd": "argoproj-argo-helm-charts-argo-cd",
  "harbor (Bitnami)": "bitnami-charts-bitnami-harbor",
  "kube-prometheus-stack": "prometheus-community-helm-charts-charts-kube-prometheus-stack",
};

/** The project's own example, and the real charts; where they cannot be had, `leaveOut` is told why. */
export async function benchCharts(leaveOut: (reason: string) => void): Promise<readonly BenchChart[]> {
  const shop = { name: "examples/shop", path: path.join(import.meta.dirname, "../examples/shop") };
  try {
    const { charts } = await prepareCorpus(() => undefined);
    const real = Object.entries(corpusIds).map(([name, id]): BenchChart => {
      const chart = charts.find((candidate) => candidate.id === id);
      if (chart === undefined) throw new FairleadError("input-invalid", `the corpus has no chart ${id}`);
      return { name, path: path.join(corpusFolder, chart.folder) };
    });
    return [shop, ...real];
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    leaveOut(messageOf(error));
    return [shop];
  }
}
