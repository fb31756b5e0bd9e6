import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";
import type { GitRepository } from "./git-repository.ts";
import type { ImagePolicy } from "./image-policy.ts";
import type { ImageRepository } from "./image-repository.ts";
import type { ImageUpdateAutomation } from "./image-update-automation.ts";
import type { AutomationObject, AutomationObjects } from "./objects.ts";

/** The objects of automation by kind and name. */
export function collectObjects(all: readonly AutomationObject[]): AutomationObjects {
  const objects = {
    imageRepositories: new Map<string, ImageRepository>(),
    imagePolicies: new Map<string, ImagePolicy>(),
    imageUpdateAutomations: new Map<string, ImageUpdateAutomation>(),
    gitRepositories: new Map<string, GitRepository>(),
    secrets: new Map<string, Secret>(),
    serviceAccounts: new Map<string, ServiceAccount>(),
    namespaces: new Map<string, Readonly<Record<string, string>>>(),
  };
  for (const object of all) {
    const key = objectKey(object.meta);
    switch (object.kind) {
      case "ImageRepository":
        objects.imageRepositories.set(key, object);
        break;
      case "ImagePolicy":
        objects.imagePolicies.set(key, object);
        break;
      case "ImageUpdateAutomation":
        objects.imageUpdateAutomations.set(key, object);
        break;
      case "GitRepository":
        objects.gitRepositories.set(key, object);
        break;
      case "Secret":
        objects.secrets.set(key, object);
        break;
      case "ServiceAccount":
        objects.serviceAccounts.set(key, object);
        break;
      case "Namespace": {
        const { name, labels } = object.meta;
        objects.namespaces.set(name, { ...labels, "kubernetes.io/metadata.name": name });
      }
    }
  }
  return objects;
}
