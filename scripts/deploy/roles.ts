import {
  type AccessRule,
  clusterRules,
  type ControllerName,
  controllerRules,
  leaseRules,
  nodeRules,
  userRules,
} from "./access-rules.ts";

/** The controllers, each with roles of its own. */
export const controllerNames: readonly ControllerName[] = Object.keys(controllerRules) as ControllerName[];

/** A ClusterRole for each controller: it watches all namespaces. */
export function clusterRoles(): readonly object[] {
  return controllerNames.map((name) => clusterRole(name, [...clusterRules[name], ...controllerRules[name]]));
}

/** A Role for each controller: it watches the namespace that it runs in. */
export function namespaceRoles(): readonly object[] {
  return controllerNames.map((name) => role(name, controllerRules[name]));
}

/** What every controller may in the namespace that it runs in. */
export function leaseRole(): object {
  return role("leader-election", leaseRules);
}

/** What the image proxy may. */
export function nodeRole(): object {
  return clusterRole("image-service", nodeRules);
}

/** What is added to the roles view, edit and admin, which users have. */
export function userRoles(): readonly object[] {
  return [
    clusterRole("view", userRules.view, ["view", "edit", "admin"]),
    clusterRole("edit", userRules.edit, ["edit", "admin"]),
  ];
}

function clusterRole(name: string, rules: readonly AccessRule[], addedTo: readonly string[] = []): object {
  const labels = Object.fromEntries(
    addedTo.map((to) => [`rbac.authorization.k8s.io/aggregate-to-${to}`, "true"] as const),
  );
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: `fairlead-${name}`, ...(addedTo.length > 0 && { labels }) },
    rules,
  };
}

function role(name: string, rules: readonly AccessRule[]): object {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: `fairlead-${name}` },
    rules,
  };
}

/** Gives a role to ServiceAccounts, whose namespace kustomize adds. */
export function roleBinding(
  kind: "ClusterRoleBinding" | "RoleBinding",
  role: string,
  serviceAccounts: readonly string[],
): object {
  const name = `fairlead-${role}`;
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name },
    roleRef: {
      apiGroup: "rbac.authorization.k8s.io",
      kind: kind === "RoleBinding" ? "Role" : "ClusterRole",
      name,
    },
    subjects: serviceAccounts.map((name) => ({ kind: "ServiceAccount", name })),
  };
}
