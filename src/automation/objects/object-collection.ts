import type { Diagnostic } from "../../core/diagnostic.ts";
import { formatWhere } from "../../core/error.ts";
import type { GitRepository } from "./git-repository.ts";
import type { ImagePolicy } from "./image-policy.ts";
import type { ImageRepository } from "./image-repository.ts";
import type { ImageUpdateAutomation } from "./image-update-automation.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { AutomationObject, AutomationObjects, ServiceAccount } from "./objects.ts";
import type { Secret } from "../../objects/secret.ts";

/** Gathers objects and what is found in them; of two objects with one name the first counts. */
export class ObjectCollection {
  readonly #objects = {
    imageRepositories: new Map<string, ImageRepository>(),
    imagePolicies: new Map<string, ImagePolicy>(),
    imageUpdateAutomations: new Map<string, ImageUpdateAutomation>(),
    gitRepositories: new Map<string, GitRepository>(),
    secrets: new Map<string, Secret>(),
    serviceAccounts: new Map<string, ServiceAccount>(),
    namespaces: new Map<string, Readonly<Record<string, string>>>(),
  };
  readonly #first = new Map<string, AutomationObject>();
  readonly #diagnostics: Diagnostic[] = [];

  get objects(): AutomationObjects {
    return this.#objects;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Notes findings. */
  tell(...diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  /** Takes an object, or a finding `object-invalid` where its name is taken. */
  add(object: AutomationObject): void {
    const key = object.kind === "Namespace" ? object.meta.name : objectKey(object.meta);
    const first = this.#first.get(`${object.kind} ${key}`);
    if (first !== undefined) {
      this.tell({
        code: "object-invalid",
        severity: "error",
        message: `${object.kind} ${key} is given more than once; the first one counts, at ${formatWhere(first.meta.where)}`,
        where: object.meta.where,
      });
      return;
    }
    this.#first.set(`${object.kind} ${key}`, object);
    this.#put(key, object);
  }

  #put(key: string, object: AutomationObject): void {
    const objects = this.#objects;
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
      case "Namespace":
        objects.namespaces.set(key, { ...object.meta.labels, "kubernetes.io/metadata.name": key });
    }
  }
}
