import path from "node:path";
import { parseAllDocuments } from "yaml";
import { run } from "../../src/core/process.ts";
import { repositoryRoot } from "./checkout.ts";

/** A manifest of a folder of `deploy/`. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
}

/** A Deployment or a DaemonSet, as far as tests read it. */
export interface Workload extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly WorkloadContainer[] };
    };
  };
}

interface WorkloadContainer {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string }[];
}

/** What kustomize makes of a folder of the repository, or of one with an absolute path. */
export async function buildFolder(kustomize: string, folder: string): Promise<readonly Manifest[]> {
  const built = await run(kustomize, ["build", path.resolve(repositoryRoot, folder)]);
  if (built.exitCode !== 0) throw new Error(`kustomize build ${folder}: ${built.stderr}`);
  return parseAllDocuments(built.stdout).map((document) => document.toJS() as Manifest);
}

/** Those of the manifests that have pods. */
export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return manifests.filter(({ kind }) => kind === "Deployment" || kind === "DaemonSet") as readonly Workload[];
}
