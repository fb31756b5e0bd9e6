/** Whether a user may do something to `group/resource[/subresource]`, of which the group may be empty. */
export interface AccessRow {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  /** Empty: in the whole cluster. */
  readonly namespace: string;
  readonly isAllowed: boolean;
}

type Allowed = "everywhere" | "in its own namespace" | "nowhere";
type Right = readonly [verbs: string, resource: string, allowed: Allowed];

const image = "image.toolkit.fluxcd.io";
const notification = "notification.toolkit.fluxcd.io";
const source = "source.toolkit.fluxcd.io";
const looksAfter = "get list watch patch";
const ownNamespace = "flux-system";

const everyController: readonly Right[] = [
  ["get", "/secrets", "everywhere"],
  ["list watch create patch update delete", "/secrets", "nowhere"],
  ["get", "/serviceaccounts", "everywhere"],
  ["list create impersonate", "/serviceaccounts", "nowhere"],
  ["create", "/serviceaccounts/token", "everywhere"],
  ["create patch", "/events", "everywhere"],
  ["list delete", "/events", "nowhere"],
  ["get create patch", "coordination.k8s.io/leases", "in its own namespace"],
  ["list delete", "coordination.k8s.io/leases", "nowhere"],
  ["get create", "/pods", "nowhere"],
  ["get", "/configmaps", "nowhere"],
  ["create update delete", `${image}/imagerepositories`, "nowhere"],
  ["create update delete", `${image}/imagepolicies`, "nowhere"],
  ["create update delete", `${image}/imageupdateautomations`, "nowhere"],
  ["create update delete", `${notification}/providers`, "nowhere"],
  ["patch", `${source}/gitrepositories/status`, "nowhere"],
];
const beyondNamespaces: readonly Right[] = [
  ["list watch", "/namespaces", "nowhere"],
  ["get patch", "/nodes", "nowhere"],
  ["get bind", "rbac.authorization.k8s.io/clusterroles", "nowhere"],
];

const rights: Readonly<Record<string, readonly Right[]>> = {
  "image-reflector": [
    [looksAfter, `${image}/imagerepositories`, "everywhere"],
    [looksAfter, `${image}/imagepolicies`, "everywhere"],
    ["patch", `${image}/imagerepositories/status`, "everywhere"],
    ["patch", `${image}/imagepolicies/status`, "everywhere"],
  ],
  "image-automation": [
    [looksAfter, `${image}/imageupdateautomations`, "everywhere"],
    ["patch", `${image}/imageupdateautomations/status`, "everywhere"],
    ["get list watch", `${image}/imagepolicies`, "everywhere"],
    ["get list watch", `${source}/gitrepositories`, "everywhere"],
  ],
  notification: [
    [looksAfter, `${notification}/alerts`, "everywhere"],
    [looksAfter, `${notification}/providers`, "everywhere"],
    [looksAfter, `${notification}/receivers`, "everywhere"],
    ["patch", `${notification}/alerts/status`, "everywhere"],
    ["patch", `${notification}/providers/status`, "everywhere"],
    ["patch", `${notification}/receivers/status`, "everywhere"],
    ["get list patch", `${source}/helmrepositories`, "everywhere"],
    ["get list patch", `${image}/imagerepositories`, "everywhere"],
    ["get list patch", "kustomize.toolkit.fluxcd.io/kustomizations", "everywhere"],
    ["get list patch", "helm.toolkit.fluxcd.io/helmreleases", "everywhere"],
    ["get list patch", "source.extensions.fluxcd.io/artifactgenerators", "everywhere"],
  ],
};

/** What a controller may not that has a process for itself. */
const rightsOfOthers: Readonly<Record<string, readonly Right[]>> = {
  "image-reflector": [
    ["get", `${image}/imageupdateautomations`, "nowhere"],
    ["get patch", `${source}/gitrepositories`, "nowhere"],
    ["list", `${notification}/alerts`, "nowhere"],
  ],
  "image-automation": [
    ["patch", `${image}/imagepolicies`, "nowhere"],
    ["patch", `${image}/imagepolicies/status`, "nowhere"],
    ["get", `${image}/imagerepositories`, "nowhere"],
    ["patch", `${source}/gitrepositories`, "nowhere"],
  ],
  notification: [
    ["watch", `${image}/imagepolicies`, "nowhere"],
    ["patch", `${image}/imagepolicies/status`, "nowhere"],
    ["create", `${source}/gitrepositories`, "nowhere"],
  ],
};

/** What the process with all controllers may, which watches all namespaces or its own. */
export function singleProcessRows({
  allNamespaces,
}: {
  readonly allNamespaces: boolean;
}): readonly AccessRow[] {
  const user = "fairlead-controller";
  const labels: Right = ["get", "/namespaces", allNamespaces ? "everywhere" : "nowhere"];
  return [
    ...namespaced(user, [...Object.values(rights).flat(), ...everyController], allNamespaces),
    ...clusterWide(user, [labels, ...beyondNamespaces]),
  ];
}

/** What the processes with one controller each may, which watch all namespaces. */
export function splitProcessRows(): readonly AccessRow[] {
  return Object.entries(rights).flatMap(([controller, own]) => {
    const user = `fairlead-${controller}`;
    const all = [...own, ...(rightsOfOthers[controller] ?? []), ...everyController];
    const labels: Right = ["get", "/namespaces", controller === "image-reflector" ? "everywhere" : "nowhere"];
    return namespaced(user, all, true).concat(clusterWide(user, [labels, ...beyondNamespaces]));
  });
}

/** What the image proxy may. */
export function imageServiceRows(): readonly AccessRow[] {
  const user = "fairlead-image-service";
  return [
    ...clusterWide(user, [
      ["patch", "/nodes", "everywhere"],
      ["get list update delete", "/nodes", "nowhere"],
      ["patch", "/nodes/status", "nowhere"],
    ]),
    ...namespaced(user, [["get", "/secrets", "nowhere"]], true),
  ];
}

function namespaced(user: string, all: readonly Right[], allNamespaces: boolean): readonly AccessRow[] {
  return [ownNamespace, "apps"].flatMap((namespace) =>
    expand(user, all, namespace, (allowed) =>
      namespace === ownNamespace ? allowed !== "nowhere" : allNamespaces && allowed === "everywhere",
    ),
  );
}

function clusterWide(user: string, all: readonly Right[]): readonly AccessRow[] {
  return expand(user, all, "", (allowed) => allowed === "everywhere");
}

function expand(
  user: string,
  all: readonly Right[],
  namespace: string,
  isAllowed: (allowed: Allowed) => boolean,
): readonly AccessRow[] {
  return all.flatMap(([verbs, resource, allowed]) =>
    verbs.split(" ").map((verb) => ({ user, verb, resource, namespace, isAllowed: isAllowed(allowed) })),
  );
}
