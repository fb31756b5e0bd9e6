/** A kind of the API that has a pod template, or is a pod. */
export interface Workload {
  readonly kind: string;
  /** The API group; empty for the core. */
  readonly group: string;
  /** As it stands in URLs. */
  readonly resource: string;
  /** Where the object with `metadata` and `spec` of a pod stands; empty for a Pod itself. */
  readonly templatePath: readonly string[];
}

const template = ["spec", "template"];

/** Every kind of Kubernetes's own with containers. */
export const workloads: readonly Workload[] = [
  { kind: "Pod", group: "", resource: "pods", templatePath: [] },
  { kind: "PodTemplate", group: "", resource: "podtemplates", templatePath: ["template"] },
  { kind: "ReplicationController", group: "", resource: "replicationcontrollers", templatePath: template },
  { kind: "Deployment", group: "apps", resource: "deployments", templatePath: template },
  { kind: "ReplicaSet", group: "apps", resource: "replicasets", templatePath: template },
  { kind: "DaemonSet", group: "apps", resource: "daemonsets", templatePath: template },
  { kind: "StatefulSet", group: "apps", resource: "statefulsets", templatePath: template },
  { kind: "Job", group: "batch", resource: "jobs", templatePath: template },
  {
    kind: "CronJob",
    group: "batch",
    resource: "cronjobs",
    templatePath: ["spec", "jobTemplate", "spec", "template"],
  },
];

/** The members of a pod's spec that list containers. */
export const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

const byResource: ReadonlyMap<string, Workload> = new Map(
  workloads.map((workload) => [`${workload.group}/${workload.resource}`, workload]),
);
const byKind: ReadonlyMap<string, Workload> = new Map(
  workloads.map((workload) => [`${workload.group}/${workload.kind}`, workload]),
);

/** The workload of a URL's group and resource. */
export function workloadOfResource(group: string, resource: string): Workload | undefined {
  return byResource.get(`${group}/${resource}`);
}

/** The workload of an object. @param apiVersion `v1` or `group/version` */
export function workloadOfKind(apiVersion: string, kind: string): Workload | undefined {
  const slash = apiVersion.indexOf("/");
  return byKind.get(`${slash === -1 ? "" : apiVersion.slice(0, slash)}/${kind}`);
}
