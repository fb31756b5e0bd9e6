import { FairleadError } from "../../core/error.ts";
import type { ImagePolicy } from "../objects/image-policy.ts";
import type { ImageRepository } from "../objects/image-repository.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { AutomationObjects } from "../objects/objects.ts";

export interface AccessOptions {
  /** Policies reach repositories of their own namespace only, as with Flux's `--no-cross-namespace-refs`. */
  readonly noCrossNamespaceRefs?: boolean;
}

/**
 * The ImageRepository that a policy refers to, if it may: one of another namespace must name the policy's namespace
 * in `accessFrom`.
 * @throws FairleadError `object-missing`, `access-denied`, in Flux's words
 */
export function findRepository(
  policy: Pick<ImagePolicy, "meta" | "spec">,
  objects: Pick<AutomationObjects, "imageRepositories" | "namespaces">,
  { noCrossNamespaceRefs = false }: AccessOptions = {},
): ImageRepository {
  const { where, namespace: ownNamespace } = policy.meta;
  const { name, namespace = ownNamespace } = policy.spec.imageRepositoryRef;
  const key = objectKey({ namespace, name });
  if (noCrossNamespaceRefs && namespace !== ownNamespace) {
    throw new FairleadError(
      "access-denied",
      `cannot access 'ImageRepository/${key}', cross-namespace references have been blocked`,
      { where },
    );
  }
  const repository = objects.imageRepositories.get(key);
  if (repository === undefined) {
    throw new FairleadError("object-missing", `referenced ImageRepository does not exist: ${key}`, {
      where,
      hint: "it must be among the given objects, and be valid",
    });
  }
  const denial = explainDenial(repository, ownNamespace, objects.namespaces);
  if (denial !== undefined) {
    throw new FairleadError("access-denied", `access denied: ${denial.message}`, {
      where,
      hint: denial.hint,
    });
  }
  return repository;
}

interface Denial {
  readonly message: string;
  readonly hint: string;
}

/** Undefined where objects of the namespace may use the repository. */
function explainDenial(
  { meta, spec }: ImageRepository,
  namespace: string,
  namespaces: AutomationObjects["namespaces"],
): Denial | undefined {
  if (namespace === meta.namespace) return undefined;
  const key = objectKey(meta);
  if (spec.accessFrom === undefined) {
    return {
      message: `'${key}' can't be accessed due to missing ACL labels on 'accessFrom'`,
      hint: `name the labels of the namespace ${namespace} in spec.accessFrom of the ImageRepository`,
    };
  }
  const labels = namespaces.get(namespace) ?? { "kubernetes.io/metadata.name": namespace };
  if (spec.accessFrom.some((selector) => hasLabels(labels, selector))) return undefined;
  return {
    message: `'${key}' can't be accessed due to ACL labels mismatch on namespace '${namespace}'`,
    hint: namespaces.has(namespace)
      ? "spec.accessFrom of the ImageRepository holds no labels that the namespace has"
      : `the labels of the namespace are not known: add the Namespace ${namespace} to the objects`,
  };
}

/** Whether every label of a selector is there; an empty selector asks for nothing. */
function hasLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
}
