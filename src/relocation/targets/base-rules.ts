import { isRepositoryPath, isTag } from "../../reference/grammar.ts";
import type { RequiredProject, TargetRepository, TargetRule } from "./target.ts";

/** What every target asks for: the grammar of distribution/reference, and the limit that clients set. */
export const baseRules: readonly TargetRule[] = [
  {
    name: "path-grammar",
    requirement:
      "a path has components of lower-case letters and digits, separated inside by one dot, one or two underscores or dashes",
    holds: ({ path }) => isRepositoryPath(path),
  },
  {
    name: "name-length",
    requirement: "host and path have at most 255 characters together",
    holds: ({ host, path }) => host.length + 1 + path.length <= 255,
  },
  {
    name: "tag-grammar",
    requirement:
      "a tag has 1 to 128 letters, digits, underscores, dots and dashes, and starts with no dot or dash",
    holds: ({ tag }) => tag === undefined || isTag(tag),
  },
];

/** The rule that a path has at least `count` components, as in `form`. */
export function atLeastComponents(name: string, count: number, form: string): TargetRule {
  return {
    name,
    requirement: `a path has the form ${form}`,
    holds: ({ components }) => components.length >= count,
  };
}

/** The first component as what must exist, where another follows it. */
export function firstComponent(
  kind: string,
  alternative?: string,
): (repository: TargetRepository) => RequiredProject | undefined {
  return ({ components }) => {
    const [name] = components;
    if (name === undefined || components.length < 2) return undefined;
    return alternative === undefined ? { kind, name } : { kind, name, alternative };
  };
}
