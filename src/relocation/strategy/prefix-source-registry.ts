import { registryIdentity } from "../../reference/registry-host.ts";
import { sourcePath } from "./library.ts";
import type { Strategy } from "./strategy.ts";

/** Puts the sanitised source registry before the path (document 002, §8.1). */
export const prefixSourceRegistry: Strategy = {
  name: "prefix-source-registry",
  description: "the source registry without dots and port, then the path: quay.io/org/app → quayio/org/app",
  targetPath: (reference, { library }) =>
    `${sanitiseRegistry(reference.registry)}/${sourcePath(reference, library)}`,
};

/**
 * A registry as one path component: in lower case, without its port, and without every character but letters,
 * digits and dashes, so `k8s.gcr.io` gives `k8sgcrio` (document 002, §8.1). Docker Hub's hosts give `dockerio`.
 */
function sanitiseRegistry(registry: string): string {
  return registryIdentity(registry).replace(/[^a-z0-9-]/gu, "");
}
