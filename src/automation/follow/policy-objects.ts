import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { FollowedRepository, FollowingPolicy } from "./follow-images.ts";

/** What all objects that follow images have in common. */
export interface ObjectOptions {
  readonly namespace: string;
  /** How often repositories are scanned, as Flux writes durations. */
  readonly interval: string;
  /** Secret of the namespace with the registry's login; default: none. */
  readonly secretName?: string | undefined;
  /** Plain http, or a certificate that nobody vouches for. */
  readonly insecure: boolean;
}

const apiVersion = "image.toolkit.fluxcd.io/v1";

/** The Flux objects of followed repositories: each ImageRepository, and its ImagePolicies behind it. */
export function policyObjects(
  repositories: readonly FollowedRepository[],
  options: ObjectOptions,
): readonly YamlMap[] {
  return repositories.flatMap((repository) => [
    repositoryObject(repository, options),
    ...repository.policies.map((policy) => policyObject(policy, repository.name, options)),
  ]);
}

function repositoryObject(
  { name, image }: FollowedRepository,
  { namespace, interval, secretName, insecure }: ObjectOptions,
): YamlMap {
  return {
    apiVersion,
    kind: "ImageRepository",
    metadata: { name, namespace },
    spec: {
      image,
      interval,
      ...(insecure ? { insecure } : {}),
      ...(secretName === undefined ? {} : { secretRef: { name: secretName } }),
    },
  };
}

function policyObject(
  { name, rule, digestPolicy }: FollowingPolicy,
  repositoryName: string,
  { namespace, interval }: ObjectOptions,
): YamlMap {
  const { choice, filterTags } = rule;
  const { kind, ...how } = choice;
  return {
    apiVersion,
    kind: "ImagePolicy",
    metadata: { name, namespace },
    spec: {
      imageRepositoryRef: { name: repositoryName },
      ...(filterTags === undefined ? {} : { filterTags: filterObject(filterTags) }),
      policy: createYamlMap([[kind, how]]),
      ...(digestPolicy === "Never" ? {} : { digestReflectionPolicy: digestPolicy }),
      // Flux wants it if and only if the digest is always asked for.
      ...(digestPolicy === "Always" ? { interval } : {}),
    },
  };
}

function filterObject({ pattern, extract }: { readonly pattern: string; readonly extract: string }): YamlMap {
  return extract === "" ? { pattern } : { pattern, extract };
}
