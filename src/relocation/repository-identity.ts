import type { ImageReference } from "../reference/reference.ts";
import { dockerHub, normaliseRegistryHost, registryIdentity } from "../reference/registry-host.ts";

/** One repository at the target that several sources would fill. */
export interface Collision {
  /** `host/path` at the target. */
  readonly target: string;
  /** The sources as `host/path`, sorted; two or more. */
  readonly sources: readonly string[];
}

/** One repository that a chart writes in several ways. */
export interface SpellingGroup {
  /** The repository as `host/path`, normalised. */
  readonly repository: string;
  /** The spellings without tag and digest, sorted; two or more. */
  readonly spellings: readonly string[];
}

/** Finds the repositories at the target that two different repositories would share, sorted by name. */
export function findCollisions(
  pairs: readonly { readonly source: ImageReference; readonly target: ImageReference }[],
): readonly Collision[] {
  const groups = groupNames(
    pairs.map(({ source, target }) => [`${target.registry}/${target.path}`, repositoryIdentity(source)]),
  );
  return groups.map(([target, sources]) => ({ target, sources }));
}

/**
 * Finds the repositories that are written in different ways, such as `nginx` and `docker.io/nginx`, which
 * document 002's table (§7.2) moves to different names; sorted by name.
 */
export function findSpellings(references: readonly ImageReference[]): readonly SpellingGroup[] {
  const groups = groupNames(
    references.map((reference) => [repositoryIdentity(reference), writtenName(reference)]),
  );
  return groups.map(([repository, spellings]) => ({ repository, spellings }));
}

/** What makes two references the same repository: every host of Docker Hub is one, the port counts. */
export function repositoryIdentity({ registry, path }: ImageReference): string {
  if (registryIdentity(registry) !== dockerHub) {
    return `${normaliseRegistryHost(registry).replace(/:443$/u, "")}/${path}`;
  }
  return path.includes("/") ? `${dockerHub}/${path}` : `${dockerHub}/library/${path}`;
}

function writtenName({ writtenRegistry, writtenPath }: ImageReference): string {
  return writtenRegistry === undefined ? writtenPath : `${writtenRegistry}/${writtenPath}`;
}

/** Groups second names by first names and leaves out the groups with one name. */
function groupNames(
  pairs: readonly (readonly [string, string])[],
): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, Set<string>>();
  for (const [key, name] of pairs) groups.set(key, (groups.get(key) ?? new Set<string>()).add(name));
  return [...groups]
    .filter(([, names]) => names.size > 1)
    .map(([key, names]) => [key, [...names].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
