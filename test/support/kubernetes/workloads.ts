/** A container as its writer writes it. */
export interface WrittenContainer {
  readonly name: string;
  readonly image?: string;
  readonly imageSpec?: object;
  readonly [member: string]: unknown;
}

/** A container as a server shows it. */
export interface ShownContainer {
  readonly name: string;
  readonly image: string;
  readonly imageSpec?: object;
}

export interface PodTemplate {
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly containers: readonly ShownContainer[] };
}

export interface RunningPod extends PodTemplate {
  readonly status: { readonly phase: string };
}

/** What tests read of a Deployment. */
export interface Deployment {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly replicas: number; readonly template: PodTemplate };
  readonly status: { readonly observedGeneration?: number };
}

/** The manifest of a Deployment whose pods stand on a node. */
export function deploymentManifest(
  name: string,
  containers: readonly WrittenContainer[],
  nodeName?: string,
): object {
  const labels = { app: name };
  const spec = nodeName === undefined ? { containers } : { nodeName, containers };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

/** The manifest of a pod, on a node where it shall run. */
export function podManifest(
  name: string,
  containers: readonly WrittenContainer[],
  nodeName?: string,
): object {
  const spec = nodeName === undefined ? { containers } : { nodeName, containers };
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec };
}
