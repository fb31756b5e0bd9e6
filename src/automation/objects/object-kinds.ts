import { secretKind, type ObjectKind, type ObjectKinds } from "../../objects/object-kind.ts";
import { readServiceAccount } from "../../objects/read-service-account.ts";
import type { AutomationObject } from "./objects.ts";
import { readGitRepository } from "./read-git-repository.ts";
import { readImagePolicy } from "./read-image-policy.ts";
import { readImageRepository } from "./read-image-repository.ts";
import { readImageUpdateAutomation } from "./read-image-update-automation.ts";

const versions = ["v1", "v1beta2", "v1beta1"];
const imageGroup = { group: "image.toolkit.fluxcd.io", versions };
const coreGroup = { group: "", versions: ["v1"] };

/** The kinds that automation works from, by the rules of their custom resource definitions (Flux 2.7). */
export const objectKinds: ObjectKinds<AutomationObject> = new Map<string, ObjectKind<AutomationObject>>([
  ["ImageRepository", { ...imageGroup, read: readImageRepository }],
  ["ImagePolicy", { ...imageGroup, read: readImagePolicy }],
  ["ImageUpdateAutomation", { ...imageGroup, read: readImageUpdateAutomation }],
  ["GitRepository", { group: "source.toolkit.fluxcd.io", versions, read: readGitRepository }],
  ["Secret", secretKind],
  ["ServiceAccount", { ...coreGroup, read: readServiceAccount }],
  [
    "Namespace",
    { ...coreGroup, isNamespaced: false, read: (_fields, meta) => ({ kind: "Namespace", meta }) },
  ],
]);
