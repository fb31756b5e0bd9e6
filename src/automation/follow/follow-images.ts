import type { Diagnostic } from "../../core/diagnostic.ts";
import { compareVersions, tryParseVersion } from "../../helm/chart/version.ts";
import { chooseLeaves, type DigestPolicy, type FollowedImage, type LeafMark } from "./leaf-choice.ts";
import { namesFor } from "./object-name.ts";
import type { TagRule } from "./tag-rule.ts";

/** A repository whose tags are followed. */
export interface FollowedRepository {
  /** Name of the ImageRepository. */
  readonly name: string;
  /** Host and path. */
  readonly image: string;
  readonly policies: readonly FollowingPolicy[];
}

export interface FollowingPolicy {
  /** Name of the ImagePolicy. */
  readonly name: string;
  readonly rule: TagRule;
  readonly digestPolicy: DigestPolicy;
}

/** A value and what a policy writes there. */
export interface MarkedLeaf<Path> extends LeafMark<Path> {
  /** Name of the ImagePolicy. */
  readonly policy: string;
}

export interface Following<Path> {
  readonly repositories: readonly FollowedRepository[];
  readonly leaves: readonly MarkedLeaf<Path>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Images of one repository whose tags are of one kind. */
interface Group<Path> {
  readonly key: string;
  readonly image: FollowedImage<Path>;
  rule: TagRule;
  readonly digestPolicy: DigestPolicy;
  readonly marks: LeafMark<Path>[];
}

/**
 * Plans image policies that keep images up to date: a repository for each, and a policy for each kind of tag it is
 * used with. Each value is written by one policy; an image that shares its tag's value with one before it has none
 * of its own, and that is told, as are images that nothing can follow.
 * @param keyOf a text for a value's place; places with one text are one place
 */
export function followImages<Path>(
  images: readonly FollowedImage<Path>[],
  keyOf: (path: Path) => string,
): Following<Path> {
  const groups = new Map<string, Group<Path>>();
  const owners = new Map<string, { readonly key: string; readonly text: string }>();
  const diagnostics: Diagnostic[] = [];
  const isOfCatalogue = findCatalogues(images, keyOf);
  for (const image of images) {
    const choice = isOfCatalogue(image)
      ? "its list has it in several versions, which are there to choose from"
      : chooseLeaves(image);
    if (typeof choice === "string") {
      diagnostics.push(notFollowed(image, keyOf, choice));
      continue;
    }
    const { rule, digestPolicy } = choice;
    const key = JSON.stringify([
      image.repository,
      rule.label,
      rule.filterTags,
      rule.choice.kind,
      digestPolicy,
    ]);
    const ownerOf = ({ leaf, part }: LeafMark<Path>): string | undefined => {
      const owner = owners.get(keyOf(leaf.path));
      return owner === undefined || owner.key === `${key} ${part}` ? undefined : owner.text;
    };
    const shared = choice.marks.find((mark) => mark.part !== "name" && ownerOf(mark) !== undefined);
    if (shared !== undefined) {
      const other = ownerOf(shared) ?? "";
      const reason = `it takes the ${shared.leaf.role} of ${other}, whose policy writes ${keyOf(shared.leaf.path)}`;
      diagnostics.push(notFollowed(image, keyOf, reason));
      continue;
    }
    const group = groups.get(key) ?? { key, image, rule, digestPolicy, marks: [] };
    group.rule = earlierOf(group.rule, rule);
    for (const mark of choice.marks) {
      if (owners.has(keyOf(mark.leaf.path))) continue;
      owners.set(keyOf(mark.leaf.path), { key: `${key} ${mark.part}`, text: image.text });
      group.marks.push(mark);
    }
    groups.set(key, group);
  }
  return { ...named([...groups.values()]), diagnostics };
}

/** Which images stand in a list that has one repository with several tags. */
function findCatalogues<Path>(
  images: readonly FollowedImage<Path>[],
  keyOf: (path: Path) => string,
): (image: FollowedImage<Path>) => boolean {
  const placesOf = ({ repository, leaves }: FollowedImage<Path>): readonly string[] =>
    leaves
      .map(({ path }) => keyOf(path))
      .filter((key) => /\[\d+\]/u.test(key))
      .map((key) => `${repository} ${key.replaceAll(/\[\d+\]/gu, "[]")}`);
  const tags = new Map<string, Set<string | undefined>>();
  for (const image of images) {
    for (const place of placesOf(image)) tags.set(place, (tags.get(place) ?? new Set()).add(image.tag));
  }
  return (image) => placesOf(image).some((place) => (tags.get(place)?.size ?? 0) > 1);
}

function notFollowed<Path>(
  { text, leaves }: FollowedImage<Path>,
  keyOf: (path: Path) => string,
  reason: string,
): Diagnostic {
  const [leaf] = leaves;
  return {
    code: "image-not-followed",
    severity: "warning",
    message: `no image policy follows ${text}: ${reason}`,
    where: leaf === undefined ? {} : { valuePath: keyOf(leaf.path) },
    image: text,
  };
}

/** Of two rules for one kind of tag, the one that begins earlier. */
function earlierOf(left: TagRule, right: TagRule): TagRule {
  const [here, there] = [tryParseVersion(left.from ?? ""), tryParseVersion(right.from ?? "")];
  return here !== undefined && there !== undefined && compareVersions(there, here) < 0 ? right : left;
}

function named<Path>(groups: readonly Group<Path>[]): Omit<Following<Path>, "diagnostics"> {
  const byRepository = [...Map.groupBy(groups, ({ image }) => image.repository)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const repositoryNames = namesFor(byRepository, ([, [first]]) => first?.image.labels ?? [""]);
  const policyNames = namesFor(groups, ({ key, image, rule }) => {
    const entry = byRepository.find(([repository]) => repository === image.repository);
    const base = (entry && repositoryNames.get(entry)) ?? "";
    const own = `${base}-${rule.label}`;
    return entry?.[1].length === 1 ? [base, own, `${own} ${key}`] : [own, `${own} ${key}`];
  });
  const nameOf = (group: Group<Path>): string => policyNames.get(group) ?? "";
  return {
    repositories: byRepository.map((entry) => ({
      name: repositoryNames.get(entry) ?? "",
      image: entry[0],
      policies: entry[1].map((group) => {
        const { rule, digestPolicy } = group;
        return { name: nameOf(group), rule, digestPolicy };
      }),
    })),
    leaves: groups.flatMap((group) => group.marks.map((mark) => ({ ...mark, policy: nameOf(group) }))),
  };
}
