import { type SourceKind, sourceGroups } from "../../src/notification/objects/source-kinds.ts";

/** A rule of RBAC. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export type ControllerName = "image-reflector" | "image-automation" | "notification";

const imageGroup = "image.toolkit.fluxcd.io";
const notificationGroup = "notification.toolkit.fluxcd.io";
const sourceGroup = "source.toolkit.fluxcd.io";

const read: readonly string[] = ["get", "list", "watch"];

const plurals: Readonly<Record<SourceKind, string>> = {
  Bucket: "buckets",
  GitRepository: "gitrepositories",
  Kustomization: "kustomizations",
  HelmRelease: "helmreleases",
  HelmChart: "helmcharts",
  HelmRepository: "helmrepositories",
  ImageRepository: "imagerepositories",
  ImagePolicy: "imagepolicies",
  ImageUpdateAutomation: "imageupdateautomations",
  OCIRepository: "ocirepositories",
  ArtifactGenerator: "artifactgenerators",
  ExternalArtifact: "externalartifacts",
};

/** Secrets and ServiceAccounts are read by name when they are needed; a ServiceAccount's token is its workload identity. */
const forEveryController: readonly AccessRule[] = [
  { apiGroups: [""], resources: ["secrets", "serviceaccounts"], verbs: ["get"] },
  { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
];

/** What each controller does in the namespaces that it watches. */
export const controllerRules: Readonly<Record<ControllerName, readonly AccessRule[]>> = {
  "image-reflector": [
    ...reconciled(imageGroup, ["imagerepositories", "imagepolicies"]),
    ...forEveryController,
  ],
  "image-automation": [
    ...reconciled(imageGroup, ["imageupdateautomations"]),
    { apiGroups: [imageGroup], resources: ["imagepolicies"], verbs: read },
    { apiGroups: [sourceGroup], resources: ["gitrepositories"], verbs: read },
    ...forEveryController,
  ],
  notification: [
    ...reconciled(notificationGroup, ["alerts", "providers", "receivers"]),
    ...triggered(),
    ...forEveryController,
  ],
};

/** What a controller does beyond namespaces: the labels of one say whether it may refer to another's objects. */
export const clusterRules: Readonly<Record<ControllerName, readonly AccessRule[]>> = {
  "image-reflector": [{ apiGroups: [""], resources: ["namespaces"], verbs: ["get"] }],
  "image-automation": [],
  notification: [],
};

/** Leases of controllers, in their own namespace. */
export const leaseRules: readonly AccessRule[] = [
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "patch"] },
];

/** The image proxy sets labels of its node. */
export const nodeRules: readonly AccessRule[] = [{ apiGroups: [""], resources: ["nodes"], verbs: ["patch"] }];

const userKinds: Readonly<Record<string, readonly string[]>> = {
  [imageGroup]: ["imagepolicies", "imagerepositories", "imageupdateautomations"],
  [notificationGroup]: ["alerts", "providers", "receivers"],
  [sourceGroup]: ["gitrepositories"],
};

/** What people do with the objects of controllers. */
export const userRules: Readonly<Record<"view" | "edit", readonly AccessRule[]>> = {
  view: onUserKinds(read),
  edit: onUserKinds(["create", "delete", "deletecollection", "patch", "update"]),
};

/** Finalizers and annotations of objects are patched, and their status. */
function reconciled(group: string, resources: readonly string[]): readonly AccessRule[] {
  return [
    { apiGroups: [group], resources, verbs: [...read, "patch"] },
    { apiGroups: [group], resources: resources.map((resource) => `${resource}/status`), verbs: ["patch"] },
  ];
}

/** Labels of objects are compared with those of Alerts, and Receivers annotate objects. */
function triggered(): readonly AccessRule[] {
  const kinds = Object.entries(sourceGroups) as [SourceKind, string][];
  return [...new Set(Object.values(sourceGroups))].sort().map((group) => ({
    apiGroups: [group],
    resources: kinds.filter(([, of]) => of === group).map(([kind]) => plurals[kind]),
    verbs: ["get", "list", "patch"],
  }));
}

function onUserKinds(verbs: readonly string[]): readonly AccessRule[] {
  return Object.entries(userKinds).map(([group, resources]) => ({ apiGroups: [group], resources, verbs }));
}
