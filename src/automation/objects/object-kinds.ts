import { secretKind, type ObjectKind, type ObjectKinds } from "../../objects/object-kind.ts";
import { readServiceAccount } from "../../objects/read-service-account.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";
import type { GitRepository } from "./git-repository.ts";
import type { ImagePolicy } from "./image-policy.ts";
import type { ImageRepository } from "./image-repository.ts";
import type { ImageUpdateAutomation } from "./image-update-automation.ts";
import type { AutomationObject } from "./objects.ts";
import { readGitRepository } from "./read-git-repository.ts";
import { readImagePolicy } from "./read-image-policy.ts";
import { readImageRepository } from "./read-image-repository.ts";
import { readImageUpdateAutomation } from "./read-image-update-automation.ts";

const versions = ["v1", "v1beta2", "v1beta1"];
const imageGroup = { group: "image.toolkit.fluxcd.io", versions };
const coreGroup = { group: "", versions: ["v1"] };

export const imageRepositoryKind: ObjectKind<ImageRepository> = { ...imageGroup, read: readImageRepository };
export const imagePolicyKind: ObjectKind<ImagePolicy> = { ...imageGroup, read: readImagePolicy };
export const imageUpdateAutomationKind: ObjectKind<ImageUpdateAutomation> = {
  ...imageGroup,
  read: readImageUpdateAutomation,
};
export const gitRepositoryKind: ObjectKind<GitRepository> = {
  group: "source.toolkit.fluxcd.io",
  versions,
  read: readGitRepository,
};
export const serviceAccountKind: ObjectKind<ServiceAccount> = { ...coreGroup, read: readServiceAccount };

/** The kinds that automation works from, by the rules of their custom resource definitions (Flux 2.7). */
export const objectKinds: ObjectKinds<AutomationObject> = new Map<string, ObjectKind<AutomationObject>>([
  ["ImageRepository", imageRepositoryKind],
  ["ImagePolicy", imagePolicyKind],
  ["ImageUpdateAutomation", imageUpdateAutomationKind],
  ["GitRepository", gitRepositoryKind],
  ["Secret", secretKind],
  ["ServiceAccount", serviceAccountKind],
  [
    "Namespace",
    { ...coreGroup, isNamespaced: false, read: (_fields, meta) => ({ kind: "Namespace", meta }) },
  ],
]);
