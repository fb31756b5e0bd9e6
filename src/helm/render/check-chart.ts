import { FairleadError, messageOf } from "../../core/error.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { Chart, HelmVersion } from "../chart/chart.ts";
import { resolveDependencies, type ResolvedChart } from "../chart/dependencies.ts";
import { isInVersionRange } from "../chart/version-range.ts";
import type { KubeVersion } from "./kube-version.ts";

const releaseName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

/**
 * Refuses a chart that cannot be installed, and a name that no release can have, as Helm words it
 * (cmd/helm/install.go, pkg/chartutil/validate_name.go).
 * @throws FairleadError `render-failed`
 */
export function checkInstallable({ metadata }: Chart, release: string, helm: HelmVersion): void {
  if (metadata.type === "library") throw refuse("library charts are not installable");
  const problem = nameProblem(release);
  if (problem === undefined) return;
  const prefix = helm === "helm3" ? "" : "release name check failed: ";
  throw refuse(`${prefix}release name ${JSON.stringify(release)}: ${problem}`);
}

function nameProblem(name: string): string | undefined {
  if (name === "") return "no name provided";
  // The length is looked at first: the pattern could try long on a long name.
  if (name.length <= 53 && releaseName.test(name)) return undefined;
  return `invalid release name, must match regex ${releaseName.source} and the length must not be longer than 53`;
}

/**
 * Works out the chart's tree and values; what is wrong is told as Helm tells it.
 * @throws FairleadError `render-failed` where dependencies are missing or a subchart's values are no map
 */
export function resolveChart(chart: Chart, values: YamlMap, helm: HelmVersion): ResolvedChart {
  try {
    return resolveDependencies(chart, values, helm);
  } catch (cause) {
    if (!(cause instanceof FairleadError)) throw cause;
    if (cause.code === "dependency-missing") throw missingDependencies(chart, helm, cause);
    if (cause.code === "values-invalid") {
      const prefix = helm === "helm3" ? "" : "chart dependencies processing failed: ";
      throw new FairleadError("render-failed", `${prefix}${messageOf(cause)}`, { where: cause.where, cause });
    }
    throw cause;
  }
}

function missingDependencies({ metadata, subcharts }: Chart, helm: HelmVersion, cause: FairleadError): Error {
  const present = new Set(subcharts.map((subchart) => subchart.metadata.name));
  const missing = metadata.dependencies.map(({ name }) => name).filter((name) => !present.has(name));
  const [first, command] =
    helm === "helm3" ? ["An", "`helm dependency build`"] : ["an", "'helm dependency build'"];
  const advice = `You may need to run ${command} to fetch missing dependencies`;
  const found = `found in Chart.yaml, but missing in charts/ directory: ${missing.join(", ")}`;
  return new FairleadError(
    "render-failed",
    `${first} error occurred while checking for chart dependencies. ${advice}: ${found}`,
    { where: cause.where, cause },
  );
}

/**
 * Refuses a chart for another Kubernetes than the one given.
 * @throws FairleadError `render-failed`
 */
export function checkKubeVersion({ metadata }: Chart, kubeVersion: KubeVersion): void {
  const range = metadata.kubeVersion;
  if (range === undefined || isInVersionRange(range, kubeVersion.normalized)) return;
  throw new FairleadError(
    "render-failed",
    `chart requires kubeVersion: ${range} which is incompatible with Kubernetes ${kubeVersion.version}`,
    { hint: "name the version to render for with --kube-version" },
  );
}

function refuse(message: string): FairleadError {
  return new FairleadError("render-failed", message);
}
