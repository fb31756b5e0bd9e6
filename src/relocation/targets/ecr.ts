import type { RequiredProject, Target, TargetRepository } from "./target.ts";

const privateHost = /^\d{12}\.dkr[.-]ecr(?:-fips)?\.[a-z0-9-]+\.(?:amazonaws\.com(?:\.cn)?|on\.aws)$/u;

const publicHost = "public.ecr.aws";

const component = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/u;

/**
 * Amazon ECR (API reference, CreateRepository and CreatePullThroughCacheRule). Single underscores are
 * allowed, unlike document 002, §9.1, says; doubled separators are not.
 */
export const ecr: Target = {
  type: "ecr",
  title: "Amazon ECR",
  isServedBy: (host) => host === publicHost || privateHost.test(host),
  rules: [
    {
      name: "ecr-length",
      requirement: "an ECR repository's name has 2 to 256 characters",
      holds: (repository) => {
        const { length } = nameOf(repository).join("/");
        return length >= 2 && length <= 256;
      },
    },
    {
      name: "ecr-separator",
      requirement: "an ECR repository's name has no doubled separator, such as -- or __",
      holds: (repository) => nameOf(repository).every((part) => component.test(part)),
    },
    {
      name: "ecr-public-alias",
      requirement: "a path of the public ECR has the form alias/repository",
      holds: ({ host, components }) => host !== publicHost || components.length >= 2,
    },
  ],
  requiredProject: (repository): RequiredProject => {
    const [prefix = ""] = repository.components;
    const name = nameOf(repository).join("/");
    const canCache =
      repository.host !== publicHost &&
      repository.components.length > 1 &&
      prefix.length >= 2 &&
      prefix.length <= 30;
    return canCache
      ? { kind: "repository", name, alternative: `a pull-through cache rule with the prefix ${prefix}` }
      : { kind: "repository", name };
  },
};

/** The repository's name as components: at the public ECR an alias of the registry stands before it. */
function nameOf({ host, components }: TargetRepository): readonly string[] {
  return host === publicHost ? components.slice(1) : components;
}
