import path from "node:path";
import { parseAllDocuments } from "yaml";
import { run, type RunResult } from "../../src/core/process.ts";
import type { KubernetesCluster } from "./kubernetes.ts";
import { writeKubeconfig } from "./kubernetes/kubeconfig.ts";
import { createKubectl, type Kubectl } from "./kubernetes/kubectl.ts";

/** A chart and how it is installed. */
export interface InstalledChart {
  readonly folder: string;
  /** Exists before; the release's name too. */
  readonly namespace: string;
  /** For helm's `--set`. */
  readonly set: readonly string[];
}

/** What an API server says to the objects of a chart. */
export interface Admission {
  /** How many objects helm has rendered, with hooks and tests. */
  readonly rendered: number;
  readonly admitted: readonly AdmittedObject[];
  /** What helm or kubectl failed with; warnings are none. */
  readonly refusal: string;
}

export interface AdmittedObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

interface Release {
  readonly manifest: string;
  readonly hooks?: readonly { readonly manifest: string }[];
}

/** Charts that are installed into a cluster as far as a dry run of its server goes. */
export interface ChartInstaller {
  /** Makes the custom resource definitions of a chart, for real: dry runs leave them out and need them. */
  makeDefinitions(chart: InstalledChart): Promise<void>;
  /**
   * Lets helm render a chart against the server, and the server look at each object. Namespaces that the chart brings
   * are made for real.
   */
  install(helm: string, chart: InstalledChart, valuesFile?: string): Promise<Admission>;
}

const timeoutMs = 240_000;

/** @param helm renders the definitions */
export function createChartInstaller(
  cluster: KubernetesCluster,
  programs: { readonly helm: string; readonly kubectl: string },
  folder: string,
): ChartInstaller {
  const environment = async (namespace: string): Promise<NodeJS.ProcessEnv> => ({
    PATH: process.env["PATH"],
    HOME: path.join(folder, "home"),
    KUBECONFIG: await writeKubeconfig(path.join(folder, `${namespace}.kubeconfig`), cluster, namespace),
  });
  const kubectlIn = async (namespace: string): Promise<Kubectl> =>
    createKubectl(programs.kubectl, (await environment(namespace))["KUBECONFIG"] ?? "", folder);
  const runHelm = async (
    program: string,
    args: readonly string[],
    { folder: chart, namespace, set }: InstalledChart,
  ): Promise<RunResult> => {
    const [command = "", ...flags] = args;
    const all = [command, namespace, chart, "--namespace", namespace, ...flags];
    const values = set.flatMap((setting) => ["--set", setting]);
    return run(program, [...all, ...values], { env: await environment(namespace), timeoutMs });
  };
  const make = async (objects: readonly object[], namespace: string): Promise<void> => {
    if (objects.length === 0) return;
    const kubectl = await kubectlIn(namespace);
    // Two charts may bring the same.
    const made = await kubectl("apply --server-side --force-conflicts -f -", { input: listOf(objects) });
    if (made.exitCode !== 0) throw new Error(made.stderr);
  };
  return {
    makeDefinitions: async (chart) => {
      const rendered = await runHelm(programs.helm, ["template", "--include-crds"], chart);
      if (rendered.exitCode !== 0) throw new Error(rendered.stderr);
      const objects = objectsOf(rendered.stdout);
      await make(
        objects.filter(({ kind }) => kind === "CustomResourceDefinition"),
        chart.namespace,
      );
    },
    install: async (helm, chart, valuesFile) => {
      // Definitions of the templates are there and are nobody's release.
      const flags = ["--dry-run=server", "--take-ownership", "--output=json"];
      const values = valuesFile === undefined ? [] : ["--values", valuesFile];
      const installed = await runHelm(helm, ["install", ...flags, ...values], chart);
      if (installed.exitCode !== 0) return { rendered: 0, admitted: [], refusal: refusalOf(installed) };
      const { manifest, hooks = [] } = JSON.parse(installed.stdout) as Release;
      const input = [manifest, ...hooks.map((hook) => hook.manifest)].join("\n---\n");
      const objects = objectsOf(input);
      const namespaces = objects.filter(({ kind }) => kind === "Namespace");
      await make(namespaces, chart.namespace);
      const kubectl = await kubectlIn(chart.namespace);
      const flagsOfApply = "--server-side --force-conflicts --dry-run=server --output=json";
      const applied = await kubectl(`apply ${flagsOfApply} -f -`, { input });
      return { rendered: objects.length, admitted: objectsOf(applied.stdout), refusal: refusalOf(applied) };
    },
  };
}

function refusalOf({ exitCode, stderr }: RunResult): string {
  return exitCode === 0 ? "" : stderr;
}

/** The images in objects, outside of `helm test`: what `image` names anywhere but in definitions. */
export function imagesIn(objects: readonly AdmittedObject[]): readonly string[] {
  return installedOf(objects).flatMap((object) => imagesOf(object));
}

/** Those of `images` that objects name anywhere, as they were, outside of `helm test`. */
export function namesLeft(images: readonly string[], objects: readonly AdmittedObject[]): readonly string[] {
  const text = JSON.stringify(installedOf(objects));
  return [...new Set(images)].filter(
    (image) => text.split(image).length > text.split(`/${image}`).length && image !== "",
  );
}

function installedOf(objects: readonly AdmittedObject[]): readonly AdmittedObject[] {
  return objects.filter(
    ({ kind, metadata }) =>
      kind !== "CustomResourceDefinition" && !/\btest/u.test(metadata.annotations?.["helm.sh/hook"] ?? ""),
  );
}

function imagesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => imagesOf(item));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    key === "image" && typeof item === "string" ? [item] : imagesOf(item),
  );
}

/** The objects of YAML or JSON, those of lists one by one. */
function objectsOf(text: string): readonly AdmittedObject[] {
  const documents = parseAllDocuments(text, { version: "1.1", uniqueKeys: false });
  const objects = documents.map((document) => document.toJS({ maxAliasCount: -1 }) as ListOrObject | null);
  return objects.flatMap((object) => {
    if (object?.kind === undefined) return [];
    return object.kind.endsWith("List") && object.items !== undefined ? object.items : [object];
  });
}

interface ListOrObject extends AdmittedObject {
  readonly items?: readonly AdmittedObject[];
}

function listOf(items: readonly object[]): object {
  return { apiVersion: "v1", kind: "List", items };
}
