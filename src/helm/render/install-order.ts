import type { HelmVersion } from "../chart/chart.ts";

const kinds = [
  "PriorityClass",
  "Namespace",
  "NetworkPolicy",
  "ResourceQuota",
  "LimitRange",
  "PodSecurityPolicy",
  "PodDisruptionBudget",
  "ServiceAccount",
  "Secret",
  "SecretList",
  "ConfigMap",
  "StorageClass",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "CustomResourceDefinition",
  "ClusterRole",
  "ClusterRoleList",
  "ClusterRoleBinding",
  "ClusterRoleBindingList",
  "Role",
  "RoleList",
  "RoleBinding",
  "RoleBindingList",
  "Service",
  "DaemonSet",
  "Pod",
  "ReplicationController",
  "ReplicaSet",
  "Deployment",
  "HorizontalPodAutoscaler",
  "StatefulSet",
  "Job",
  "CronJob",
  "IngressClass",
  "Ingress",
  "APIService",
];

const webhooks = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

const helm3 = rank(kinds);
const helm4 = rank([...kinds, ...webhooks]);

/** The kinds that Helm knows, with their rank in its order of installation (pkg/releaseutil/kind_sorter.go). */
export function installOrder(helm: HelmVersion): ReadonlyMap<string, number> {
  return helm === "helm3" ? helm3 : helm4;
}

function rank(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
