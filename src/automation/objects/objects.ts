import type { GitRepository } from "./git-repository.ts";
import type { ImagePolicy } from "./image-policy.ts";
import type { ImageRepository } from "./image-repository.ts";
import type { ImageUpdateAutomation } from "./image-update-automation.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";

/** The objects that automation works from, whether they come from a folder or a cluster; by `namespace/name`. */
export interface AutomationObjects {
  readonly imageRepositories: ReadonlyMap<string, ImageRepository>;
  readonly imagePolicies: ReadonlyMap<string, ImagePolicy>;
  readonly imageUpdateAutomations: ReadonlyMap<string, ImageUpdateAutomation>;
  readonly gitRepositories: ReadonlyMap<string, GitRepository>;
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly serviceAccounts: ReadonlyMap<string, ServiceAccount>;
  /** Labels of namespaces, by name; a namespace that no object describes has its `kubernetes.io/metadata.name` alone. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** A Kubernetes Namespace, for its labels. */
export interface Namespace {
  readonly kind: "Namespace";
  readonly meta: ObjectMeta;
}

export type AutomationObject =
  | ImageRepository
  | ImagePolicy
  | ImageUpdateAutomation
  | GitRepository
  | Secret
  | ServiceAccount
  | Namespace;
