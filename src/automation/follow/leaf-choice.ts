import { fixedRule, tagRuleOf, valueGroup, type TagRule } from "./tag-rule.ts";

/** A value that holds an image or a part of it; `path` is the caller's own. */
export interface FollowedLeaf<Path> {
  readonly role: "image" | "name" | "tag" | "digest";
  readonly path: Path;
  readonly value: string;
  /** What the template puts around a tag or a digest. */
  readonly before: string;
  readonly after: string;
  /** Why the value must not change. */
  readonly obstacle?: string;
}

/** An image and the values that make it. */
export interface FollowedImage<Path> {
  /** The repository whose tags are to be followed: host and path. */
  readonly repository: string;
  /** Whether the image is of that repository, so that its name may be written too. */
  readonly isOfRepository: boolean;
  /** The image as it is told of. */
  readonly text: string;
  /** Texts for the names of its objects, from the shortest to the one that is its alone. */
  readonly labels: readonly [string, ...string[]];
  readonly tag?: string;
  readonly digest?: string;
  readonly leaves: readonly FollowedLeaf<Path>[];
}

export type DigestPolicy = "Never" | "IfNotPresent" | "Always";

/** What of an image a policy writes, and by which rule. */
export interface LeafChoice<Path> {
  readonly rule: TagRule;
  readonly digestPolicy: DigestPolicy;
  readonly marks: readonly LeafMark<Path>[];
}

export interface LeafMark<Path> {
  readonly leaf: FollowedLeaf<Path>;
  /** The part of the image that goes there: `tag`, `name`, `digest` or an attribute; empty for the whole image. */
  readonly part: string;
}

/** Which values of an image follow its repository, or why none does. */
export function chooseLeaves<Path>(image: FollowedImage<Path>): LeafChoice<Path> | string {
  const { tag, digest, leaves, isOfRepository } = image;
  if (tag === undefined) return "it has no tag that a policy could compare with others";
  const leafOf = (role: FollowedLeaf<Path>["role"]): FollowedLeaf<Path> | undefined =>
    leaves.find((leaf) => leaf.role === role);
  const whole = leafOf("image");
  if (whole !== undefined) {
    if (!isOfRepository)
      return "one value holds its name and its tag, and its name is not that of the source";
    const rule = tagRuleOf({ before: "", text: tag, after: "" });
    return choiceOf(rule, digest, [{ leaf: whole, part: "" }]);
  }
  const tagLeaf = leafOf("tag");
  const rule =
    tagLeaf === undefined
      ? fixedRule(tag)
      : tagRuleOf({ before: tagLeaf.before, text: tagLeaf.value, after: tagLeaf.after });
  const digestLeaf = leafOf("digest");
  const problem = problemOf({ tag, digest, rule, tagLeaf, digestLeaf });
  if (problem !== undefined) return problem;
  return choiceOf(rule, digest, [
    ...markOf(isOfRepository ? leafOf("name") : undefined, "name"),
    ...markOf(rule.isFixed ? undefined : tagLeaf, isBare(tagLeaf) ? "tag" : valueGroup),
    ...markOf(digestLeaf, "digest"),
  ]);
}

interface Versions<Path> {
  readonly tag: string;
  readonly digest: string | undefined;
  readonly rule: TagRule;
  readonly tagLeaf: FollowedLeaf<Path> | undefined;
  readonly digestLeaf: FollowedLeaf<Path> | undefined;
}

/** A tag that moves takes its value, and where there is a digest, which wins over the tag, that one's too. */
function problemOf<Path>({ tag, digest, rule, tagLeaf, digestLeaf }: Versions<Path>): string | undefined {
  const hasDigest = digestLeaf !== undefined && isBare(digestLeaf) && digestLeaf.value === digest;
  if (digest !== undefined && !hasDigest)
    return "no value is known to hold its digest alone, so that it would stay";
  if (rule.isFixed && !hasDigest) {
    return tagLeaf === undefined
      ? "no value is known to hold its tag alone"
      : `the tag ${JSON.stringify(tag)} is no version, and there is no digest to follow`;
  }
  return (rule.isFixed ? undefined : tagLeaf?.obstacle) ?? digestLeaf?.obstacle;
}

function choiceOf<Path>(
  rule: TagRule,
  digest: string | undefined,
  marks: readonly LeafMark<Path>[],
): LeafChoice<Path> {
  // What is pushed again under its tag is only seen by its digest.
  const digestPolicy = rule.isFixed ? "Always" : digest === undefined ? "Never" : "IfNotPresent";
  return { rule, digestPolicy, marks };
}

function markOf<Path>(leaf: FollowedLeaf<Path> | undefined, part: string): LeafMark<Path>[] {
  return leaf === undefined ? [] : [{ leaf, part }];
}

function isBare(leaf: { readonly before: string; readonly after: string } | undefined): boolean {
  return leaf === undefined || (leaf.before === "" && leaf.after === "");
}
